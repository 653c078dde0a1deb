import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import * as z from 'zod'
import { parseHeaders, parseKey } from '#shared/secret-values.ts'
import { vectorsRepository } from '../files/vectors-repository.ts'
import { toUserBudget, type UserBudgetLimits } from '../chat/user-budget.ts'
import { poolAccounts } from '../platform/auth/pool-accounts.ts'
import { poolGroups } from '../platform/auth/pool-groups.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { parseEnv } from '../platform/env.ts'
import { AccountNotFound } from '../platform/errors.ts'
import { groupLimitsReader } from '../platform/group-limits.ts'
import { openModelServer } from '../platform/models/model-server.ts'
import { tokensPerDay } from '../platform/limits.ts'
import { siteSettingsReader, withSiteLimits } from '../platform/site-settings.ts'
import { s3ObjectStore } from '../platform/s3/s3-object-store.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'
import { validSecret } from '../platform/secrets/valid-secret.ts'
import { findAccountGroups } from '../sign-in/account-groups.ts'
import { providerAccounts } from '../sign-in/provider-accounts.ts'
import { providerVariables } from '../sign-in/provider-variables.ts'
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
  USER_POOL_ID: z.string(),
  ...providerVariables,
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
const cognito = new CognitoIdentityProviderClient(clientTimeouts(5_000))
const accounts = { ...poolAccounts(env.USER_POOL_ID, cognito), ...poolGroups(env.USER_POOL_ID, cognito) }
const deploymentLimits = {
  tokens_per_day: env.TOKENS_PER_DAY ?? Math.floor(tokensPerDay * env.RATE_LIMIT_FACTOR),
}
const groupLimits = groupLimitsReader(table, async () =>
  withSiteLimits(deploymentLimits, await loadSiteSettings()),
)
const providers = providerAccounts(env.IDENTITY_PROVIDERS)

/** @returns undefined for an account that is gone @throws UserPoolUnavailable, errors of the table */
async function findUserLimits(sub: string): Promise<UserBudgetLimits | undefined> {
  const account = await accounts.find(sub).catch((error: unknown) => {
    if (!(error instanceof AccountNotFound)) throw error
  })
  if (!account) return undefined
  const groups = await findAccountGroups({ accounts, providers, groupLimits }, account)
  const limits = await groupLimits.find({ groups })
  return toUserBudget(limits, { tokensPerDay: deploymentLimits.tokens_per_day, imagesPerDay: 0 })
}

/** The limits of the user whose file is read now: one request to the user pool a minute. */
let known: { sub: string; limits: ReturnType<typeof findUserLimits>; untilMs: number } | undefined
function loadUserLimits(sub: string): ReturnType<typeof findUserLimits> {
  if (known?.sub !== sub || Date.now() >= known.untilMs)
    known = { sub, limits: findUserLimits(sub), untilMs: Date.now() + 60_000 }
  return known.limits
}

const deps = {
  files: vectorsRepository(table),
  store: s3ObjectStore(env.UPLOADS_BUCKET),
  model: openEmbeddingModel({
    baseUrl,
    fetch: send,
    model: env.EMBEDDING_MODEL,
    readKey: async () => (env.MODEL_KEY_SECRET === undefined ? '' : readSecretKey(env.MODEL_KEY_SECRET)),
  }),
  budget: embeddingBudget(table, async (sub) => {
    const [site, user] = await Promise.all([loadSiteSettings(), loadUserLimits(sub)])
    // the price of the model is not known: nobody could tell when a limit of costs is reached
    if (!user || site.replies === 'off' || site.siteCostPerDay !== undefined) return undefined
    return { user, siteTokensPerDay: site.siteTokensPerDay ?? env.SITE_TOKENS_PER_DAY }
  }),
}
const embeddingEvent = z.strictObject({ sub: z.string().min(1), id: z.string().min(1).max(64) })

/** Less than the function has, so that what was made is stored. */
const timeMs = 780_000

/** Makes the vectors of one document; invoked asynchronously when it has been read, so that Lambda retries it. */
export const handler = (event: unknown): Promise<void> =>
  embedDocument(deps, embeddingEvent.parse(event), timeMs)
