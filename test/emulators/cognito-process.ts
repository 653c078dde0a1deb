import { startTestPool } from '../support/cognito-pool.ts'

// A pool in a separate process, which a test can kill: creates one user, reports it and keeps running.
const pool = await startTestPool({ dataDir: process.argv[2] ?? '' })
process.stdout.write(`${JSON.stringify(await pool.newUser())}\n`)
