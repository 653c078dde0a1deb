import * as z from 'zod'
import { adminAppContracts } from '#shared/contracts/admin.ts'
import { registryContracts } from '#shared/contracts/registry.ts'
import { paginate } from '#shared/registry-search.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { describeOperatorApps, loadOperatorApps } from '../providers/operator-apps.ts'
import { catalogue } from './catalogue.ts'
import { snapshotReader } from './snapshot-reader.ts'
import { syncRepository } from './sync-repository.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'

const table = openTable(parseEnv({ TABLE_NAME: z.string() }).TABLE_NAME)
const registry = catalogue({ repository: syncRepository(table), snapshots: snapshotReader(table) })

async function markPreconfigured(items: readonly RegistryEntry[]): Promise<RegistryEntry[]> {
  // the catalogue is there without them: users connect with apps of their own
  const apps = await loadOperatorApps().catch((error: unknown) => {
    logger.error('the apps of the operator could not be read', { error })
    return {}
  })
  return items.map((entry) => (Object.hasOwn(apps, entry.id) ? { ...entry, preconfigured: true } : entry))
}

async function searchPage(query: {
  page: number
  limit: number
  term?: string
  provider?: string | undefined
  auth_type?: string | undefined
  fresh?: true | undefined
}) {
  const page = paginate(await registry.search(query, { fresh: query.fresh === true }), query)
  return { ...page, items: await markPreconfigured(page.items) }
}

export const handler = apiFunction(
  'registry',
  { ...registryContracts, ...adminAppContracts },
  {
    'registry.page': ({ query }) => searchPage(query),

    'registry.search': ({ query }) => searchPage(query),

    'registry.status': () => registry.status(),

    'registry.one': async ({ params }) => {
      const [entry] = await markPreconfigured([await registry.get(params.entryId)])
      return { entry: entry as RegistryEntry }
    },

    'admin.providerApps': describeOperatorApps,
  },
)
