import * as z from 'zod'
import { parseHeaders, parseKey } from '#shared/secret-values.ts'
import type { ListedModel } from '#shared/models.ts'
import { parseEnv } from '../platform/env.ts'
import { validSecret } from '../platform/secrets/valid-secret.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { openModelServer } from '../platform/models/model-server.ts'
import { fetchServerModels, findUnlisted } from '../platform/models/server-models.ts'
import { findEndingModels, type EndingModel } from './shutdown-dates.ts'

const env = parseEnv({
  OPENAI_BASE_URL: z.url().optional(),
  /** undefined: those that the server lists, which has no others */
  MODELS: z
    .string()
    .transform((text) => JSON.parse(text) as ListedModel[])
    .default([]),
  OPENAI_IMAGE_MODEL: z.string().optional(),
  /** Bedrock takes no key */
  MODEL_KEY_SECRET: z.string().optional(),
  /** the operator's headers for its requests */
  MODEL_HEADERS_SECRET: z.string().optional(),
  MODEL_SERVER: z.literal('bedrock').optional(),
  AWS_REGION: z.string().optional(),
})
const readKey = validSecret(secretStore(), parseKey)
const readHeaders = validSecret(secretStore(), parseHeaders)
const isBedrock = env.MODEL_SERVER === 'bedrock'

export interface ModelCheck {
  /** whether the server names any dates */
  hasDates: boolean
  ending: EndingModel[]
  /** models that the server does not list, although it has a list */
  unlisted: string[]
}

/**
 * Warns of models of this deployment that their server shuts down soon, or does not list. Called by the schedule once a day, and by
 * `npm run doctor`, which prints what it returns.
 * @throws Error when the server cannot be asked, so that the schedule tries again
 */
export async function handler(): Promise<ModelCheck> {
  const modelIds = env.MODELS.map(({ id }) => id)
  const ids = [...modelIds, ...(env.OPENAI_IMAGE_MODEL ? [env.OPENAI_IMAGE_MODEL] : [])]
  const server = isBedrock ? undefined : await fetchFromServer()
  const dates = isBedrock ? await fetchFromBedrock(ids) : (server?.shutdownDates ?? new Map<string, string>())
  const ending = findEndingModels(ids, dates, new Date())
  const unlisted = findUnlisted(modelIds, server)
  for (const { id, shutdownDate, daysLeft } of ending)
    logger.warn('a model is shut down soon', { model: id, shutdownDate, daysLeft })
  for (const id of unlisted) logger.warn('a model is not in the list of its server', { model: id })
  measure({ ModelsEndingSoon: ending.length })
  return { hasDates: isBedrock || dates.size > 0, ending, unlisted }
}

async function fetchFromBedrock(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { fetchEndOfLife } = await import('./bedrock-lifecycle.ts')
  return fetchEndOfLife(ids, { region: env.AWS_REGION ?? 'us-east-1' })
}

async function fetchFromServer() {
  const key = env.MODEL_KEY_SECRET === undefined ? '' : await readKey(env.MODEL_KEY_SECRET)
  const headersSecret = env.MODEL_HEADERS_SECRET
  const { baseUrl, fetch: send } = openModelServer({
    address: env.OPENAI_BASE_URL,
    readHeaders: headersSecret === undefined ? undefined : () => readHeaders(headersSecret),
  })
  return fetchServerModels({ baseUrl, key, send })
}
