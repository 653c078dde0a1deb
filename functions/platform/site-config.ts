import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { parseEnv } from './env.ts'
import { openTable } from './dynamodb/table.ts'

const siteRow = z.object({
  origin: z.url().transform((url) => new URL(url).origin),
  clientId: z.string().min(1),
  bucketOrigin: z.string().exactOptional(),
})

/** Values that are known only after the functions have been deployed, so that they cannot be in the functions' environment. */
export type SiteConfig = z.output<typeof siteRow>

const cacheMs = 300_000

let cached: { config: Promise<SiteConfig>; untilMs: number } | undefined

/**
 * The row that the deployment writes: the product's origin without a trailing slash, the app client's id, the
 * origin of the bucket of uploads. Cached for 5 minutes; failures are not cached.
 * @throws Error when the row is missing or wrong
 */
export function loadSiteConfig(): Promise<SiteConfig> {
  if (cached && Date.now() < cached.untilMs) return cached.config
  const config = loadRow()
  const entry = { config, untilMs: Date.now() + cacheMs }
  cached = entry
  config.catch(() => {
    if (cached === entry) cached = undefined
  })
  return config
}

let table: ReturnType<typeof openTable> | undefined

async function loadRow(): Promise<SiteConfig> {
  table ??= openTable(parseEnv({ TABLE_NAME: z.string() }).TABLE_NAME)
  const { client, name } = table
  const { Item } = await client.send(new GetCommand({ TableName: name, Key: { PK: 'CONF', SK: 'SITE' } }))
  const row = siteRow.safeParse(Item)
  if (!row.success)
    throw new Error(`The table ${name} has no usable row CONF/SITE: was the deployment finished?`, {
      cause: row.error,
    })
  return row.data
}
