import { registryRefreshRequest, registrySyncRequest, syncResult } from '#shared/contracts/registry.ts'

/** What the routes of the function 'manualSync' take and answer. */
export const manualSyncContracts = {
  'registry.sync': { request: registrySyncRequest, response: syncResult },
  'registry.refresh': { request: registryRefreshRequest, response: syncResult },
} as const
