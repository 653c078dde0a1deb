import { join } from 'node:path'

/**
 * The default environment of processes that tests start: nothing of the developer's own environment except the cache of compiled
 * modules, which makes them start faster.
 */
export const childEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE:
    process.env['NODE_COMPILE_CACHE'] ?? join(import.meta.dirname, '../../node_modules/.cache/node-compile'),
}

/** Modules that a product of the tests loads before its own, from the repository's root. */
export const productPreloads = [
  'cheap-hashes.ts',
  'reused-rsa-keys.ts',
  'direct-calls.ts',
  'patient-limits.ts',
  'index-in-process.ts',
  'metered-table.ts',
  'model-server/server.ts',
  'user-pool/account-operations.ts',
  'provider-contracts/doubles.ts',
].map((file) => `test/support/${file}`)
