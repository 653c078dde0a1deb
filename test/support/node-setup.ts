import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, vi } from 'vitest'
import './reused-rsa-keys.ts'

/**
 * Set-up of the tests in Node. Files of a worker share the packages that its process has loaded, which takes longer than most tests. Each
 * file loads the product's modules anew and leaves environment, clock and `cheap-hashes.ts` behind: no file depends on another one.
 */
const environment = { ...process.env }
const { scrypt } = crypto

afterAll(() => {
  vi.useRealTimers()
  // or the first test of the next file takes back what that file has set
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  Object.assign(crypto, { scrypt })
  syncBuiltinESMExports()
  vi.resetModules()
})
