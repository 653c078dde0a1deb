import * as z from 'zod'
import {
  registryEntry,
  registryPage,
  registryPageQuery,
  registrySearchQuery,
  syncStatus,
} from '#shared/contracts/registry.ts'

/** What the routes of the function 'registry' take and answer. */
export const registryContracts = {
  'registry.page': { query: registryPageQuery, response: registryPage },
  'registry.search': { query: registrySearchQuery, response: registryPage },
  'registry.status': { response: syncStatus },
  'registry.one': { response: z.object({ entry: registryEntry }) },
} as const
