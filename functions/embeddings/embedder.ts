import * as z from 'zod'
import { parseHeaders, parseKey } from '#shared/secret-values.ts'
import { vectorsRepository } from '../files/vectors-repository.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { parseEnv } from '../platform/env.ts'
import { openModelServer } from '../platform/models/model-server.ts'
import { tokensPerDay } from '../platform/limits.ts'
import { siteSettingsReader } from '../platform/site-settings.ts'
import { s3ObjectStore } from '../platform/s3/s3-object-store.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'
import { validSecret } from '../platform/secrets/valid-secret.ts'
import { openEmbeddingModel } from '../models/embedding-model.ts'
import { embeddingBudget } from './embedding-budget.ts'
import { embedDocument } from './embed-document.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  UPLOADS_BUCKET: z.string(),
  EMBEDDING_MODEL: z.string(),
  OPENAI_BASE_URL: z.url().optional(),
  /** without one the server takes no key */
  MODEL_KEY_SECRET: z.string().optional(),
  MODEL_HEADERS_SECRET: z.string().optional(),
  RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
  TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
  SITE_TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
})
const table = openTable(env.TABLE_NAME)
const loadSiteSettings = siteSettingsReader(table)
const readSecretKey = validSecret(secretStore(), parseKey)
const readHeaders = validSecret(secretStore(), parseHeaders)
const headersSecret = env.MODEL_HEADERS_SECRET
const { baseUrl, fetch: send } = openModelServer({
  address: env.OPENAI_BASE_URL,
  readHeaders: headersSecret === undefined ? undefined : () => readHeaders(headersSecret),
})
const deps = {
  files: vectorsRepository(table),
  store: s3ObjectStore(env.UPLOADS_BUCKET),
  model: openEmbeddingModel({
    baseUrl,
    fetch: send,
    model: env.EMBEDDING_MODEL,
    readKey: async () => (env.MODEL_KEY_SECRET === undefined ? '' : readSecretKey(env.MODEL_KEY_SECRET)),
  }),
  budget: embeddingBudget(table, async () => {
    const site = await loadSiteSettings()
    // the price of the model is not known: nobody could tell when a limit of costs is reached
    if (site.replies === 'off' || site.siteCostPerDay !== undefined) return undefined
    return {
      tokensPerDay: site.tokensPerDay ?? env.TOKENS_PER_DAY ?? tokensPerDay * env.RATE_LIMIT_FACTOR,
      siteTokensPerDay: site.siteTokensPerDay ?? env.SITE_TOKENS_PER_DAY,
    }
  }),
}
const embeddingEvent = z.strictObject({ sub: z.string().min(1), id: z.string().min(1).max(64) })

/** Less than the function has, so that what was made is stored. */
const timeMs = 780_000

/** Makes the vectors of one document; invoked asynchronously when it has been read, so that Lambda retries it. */
export const handler = (event: unknown): Promise<void> =>
  embedDocument(deps, embeddingEvent.parse(event), timeMs)
