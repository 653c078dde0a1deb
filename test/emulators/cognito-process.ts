import { startTestPool } from './cognito-pool.ts'

// A pool in a process of its own, to be killed: makes one user, says so and lives on.
const pool = await startTestPool({ dataDir: process.argv[2] ?? '' })
process.stdout.write(`${JSON.stringify(await pool.newUser())}\n`)
