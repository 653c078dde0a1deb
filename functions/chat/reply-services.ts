import * as z from 'zod'
import { parseHeaders, parseKey } from '#shared/secret-values.ts'
import type { ListedModel } from '#shared/models.ts'
import { imagesPerDay, repliesAtOnce, storageGbPerUser, tokensPerDay } from '../platform/limits.ts'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { SiteSettings } from '#shared/contracts/site.ts'
import { fileRepository } from '../files/file-repository.ts'
import { readingStarter } from '../files/start-reading.ts'
import type { User } from '../platform/auth/access-token.ts'
import { parseEnv } from '../platform/env.ts'
import { findWebPages, groupLimitsReader, toModelLimits } from '../platform/group-limits.ts'
import { siteSettingsReader, withSiteLimits } from '../platform/site-settings.ts'
import { rateLimit } from '../platform/http/rate-limit.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import { wasDisabled } from '../platform/auth/token-revocation.ts'
import { batchedReads } from '../platform/dynamodb/batched-reads.ts'
import { validSecret } from '../platform/secrets/valid-secret.ts'
import { openModelServer } from '../platform/models/model-server.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { openConversationStores } from '../conversations/store/conversation-stores.ts'
import { memoryRepository } from '../settings/memory-repository.ts'
import { profileRepository } from '../settings/profile-repository.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { RepliesStopped } from './errors.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { ImageModel, ImageModelSettings } from '../models/image-model.ts'
import { createModelList } from './model-list.ts'
import { searchProviders } from '#shared/search-providers.ts'
import { modelApis } from '#shared/model-apis.ts'
import type { Model } from '../models/model.ts'
import { replyBudget, type Reservation, type SiteBudgetLimits } from './reply-budget.ts'
import type { ReplyDeps } from './reply.ts'
import type { WebPages } from './tools/assistant-tools.ts'
import { toNanoUsd, toUserBudget } from './user-budget.ts'
import { toolProvider } from '../tools/tool-provider.ts'

/*
 * What replies are written with, opened once for each cold start from the environment: for the function of the chat, and for the one that runs
 * schedules.
 */

const env = parseEnv({
  TABLE_NAME: z.string(),
  RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
  UPLOADS_BUCKET: z.string(),
  ASSISTANT_NAME: z.string(),
  MODEL_SERVER: z.enum(['openai', 'bedrock']).optional(),
  OPENAI_BASE_URL: z.url().optional(),
  /** with MODELS undefined, too: the models that the server lists */
  OPENAI_MODEL: z.string().optional(),
  // the deployment has checked it (shared/models.ts), and added the default model
  MODELS: z
    .string()
    .transform((text) => JSON.parse(text) as ListedModel[])
    .optional(),
  MODEL_API: z.enum(['auto', ...modelApis]).optional(),
  MODEL_SILENCE_SECONDS: z.coerce.number().int().positive().optional(),
  OPENAI_IMAGE_MODEL: z.string().optional(),
  OPENAI_TRANSCRIPTION_MODEL: z.string().optional(),
  EMBEDDING_MODEL: z.string().optional(),
  CONVERSATION_TITLES: z.enum(['on', 'off']).default('off'),
  /** without one the server takes no key */
  MODEL_KEY_SECRET: z.string().optional(),
  /** the operator's headers for requests to the model's server */
  MODEL_HEADERS_SECRET: z.string().optional(),
  OUTBOUND_ALLOW: z.string().optional(),
  REPLIES_AT_ONCE: z.coerce.number().int().positive().optional(),
  TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
  IMAGES_PER_DAY: z.coerce.number().int().nonnegative().optional(),
  SITE_TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
  DOCUMENT_READER_FUNCTION: z.string(),
  DOCUMENT_PARSER_FUNCTION: z.string(),
  /** undefined in a deployment without notifications */
  NOTIFIER_FUNCTION: z.string().optional(),
  STORAGE_GB_PER_USER: z.coerce.number().positive().optional(),
  SCHEDULE_SPREAD_MINUTES: z.coerce.number().optional(),
  WEB_SEARCH: z.enum(searchProviders).optional(),
  WEB_SEARCH_URL: z.url().optional(),
  WEB_SEARCH_KEY_SECRET: z.string().optional(),
})
// a turn begins with the reads of several rows, and the user waits for them
export const table = batchedReads(openTable(env.TABLE_NAME))
/** A limit times the factor of the deployment. */
export const { scaleLimit, countIn } = rateLimit(table, env.RATE_LIMIT_FACTOR)
const fileDeps = {
  files: fileRepository(table, env.STORAGE_GB_PER_USER),
  store: openObjectStore(env.UPLOADS_BUCKET),
  startReading: readingStarter(env.DOCUMENT_READER_FUNCTION),
}
export const stores = openConversationStores(table, fileDeps)
const settings = settingsRepository(table)
const defaultUserBudget = {
  tokensPerDay: env.TOKENS_PER_DAY ?? scaleLimit(tokensPerDay),
  imagesPerDay: env.IMAGES_PER_DAY ?? scaleLimit(imagesPerDay),
}
export const loadSiteSettings = siteSettingsReader(table)
const budget = replyBudget(
  table,
  {
    repliesAtOnce: env.REPLIES_AT_ONCE ?? scaleLimit(repliesAtOnce),
    siteTokensPerDay: env.SITE_TOKENS_PER_DAY,
    ...defaultUserBudget,
  },
  async () => {
    if ((await loadSiteSettings()).replies === 'off') throw new RepliesStopped()
  },
)
const deploymentLimits: GroupLimits = {
  tokens_per_day: defaultUserBudget.tokensPerDay,
  images_per_day: defaultUserBudget.imagesPerDay,
  storage_gb: env.STORAGE_GB_PER_USER ?? storageGbPerUser,
}
export const groupLimits = groupLimitsReader(table, async () =>
  withSiteLimits(deploymentLimits, await loadSiteSettings()),
)
const readSecretKey = validSecret(secretStore(), parseKey)
/** Reads the key of the model's server; empty if none is configured. */
export const readKey = async () =>
  env.MODEL_KEY_SECRET === undefined ? '' : readSecretKey(env.MODEL_KEY_SECRET)
const readHeaders = validSecret(secretStore(), parseHeaders)
const headersSecret = env.MODEL_HEADERS_SECRET
const modelServer = openModelServer({
  address: env.OPENAI_BASE_URL,
  readHeaders: headersSecret === undefined ? undefined : () => readHeaders(headersSecret),
})
const { baseUrl, fetch: send } = modelServer
export const serverSettings = { server: env.MODEL_SERVER ?? 'openai', baseUrl, readKey, fetch: send }
const serverApi = (env.MODEL_API === 'auto' ? undefined : env.MODEL_API) ?? modelServer.api ?? 'auto'
/** Its code is loaded with the first image: most replies draw none. */
const lazyImageModel = (settings: ImageModelSettings): ImageModel => ({
  async generate(prompt, signal) {
    const { openImageModel } = await import('../models/image-model.ts')
    return openImageModel(settings).generate(prompt, signal)
  },
})
const lazyEmbeddingModel = (model: string): EmbeddingModel => ({
  name: model,
  async embed(texts, role, signal) {
    const { openEmbeddingModel } = await import('../models/embedding-model.ts')
    return openEmbeddingModel({ ...serverSettings, model }).embed(texts, role, signal)
  },
})
export const transcriptionModelId = env.OPENAI_TRANSCRIPTION_MODEL
const createModels = (models: readonly ListedModel[], defaultId: string) =>
  createModelList({ models, defaultId, open: openListed })
/** The code of the models, and the connection to the server, are loaded beside the other work of the start. */
function openListed({ id, api, maxOutputTokens, webSearch }: ListedModel): Model {
  const opening = import('../models/open-model.ts').then(({ openModel }) =>
    openModel({
      ...serverSettings,
      model: id,
      api: api ?? serverApi,
      maxOutputTokens,
      webSearch,
      silenceSeconds: env.MODEL_SILENCE_SECONDS,
      // its code is loaded with the first picture that is too large
      async scaleImage(image, limits, signal) {
        const { scaleForModel } = await import('../documents/scale-for-model.ts')
        const { parts } = await scaleForModel(env.DOCUMENT_PARSER_FUNCTION, { image, ...limits }, signal)
        return parts.map(({ type, base64 }) => `data:${type};base64,${base64}`)
      },
    }),
  )
  return {
    takesPdfs: async () => (await opening).takesPdfs(),
    complete: async (call) => (await opening).complete(call),
  }
}
const configuredModels =
  env.OPENAI_MODEL === undefined ? undefined : createModels(env.MODELS ?? [], env.OPENAI_MODEL)
// connects during the init phase
configuredModels?.open(configuredModels.defaultModel)
/** The models of this deployment; the code that asks the server for them is loaded only where it lists them. */
export const loadModels = configuredModels ? async () => configuredModels : followServerModels()

function followServerModels() {
  let following: Promise<() => Promise<ReturnType<typeof createModels>>> | undefined
  return async () => {
    following ??= import('./follow-server-models.ts').then(({ followServerModels: follow }) =>
      follow({ baseUrl, send, readKey, createModels }),
    )
    return (await following)()
  }
}

const searchKeySecret = env.WEB_SEARCH_KEY_SECRET
const webSearch = env.WEB_SEARCH && {
  provider: env.WEB_SEARCH,
  url: env.WEB_SEARCH_URL,
  readKey: async () => (searchKeySecret === undefined ? '' : readSecretKey(searchKeySecret)),
  outboundAllow: env.OUTBOUND_ALLOW,
}

/** What replies may read of the web. */
function toWebPages(limits: GroupLimits, site: SiteSettings): WebPages | undefined {
  const allowed = findWebPages(limits, site)
  if (allowed === 'off') return undefined
  return { asks: allowed === 'ask', outboundAllow: env.OUTBOUND_ALLOW, search: webSearch }
}

/** Its code is loaded with the first assistant. */
const loadAssistants = () => import('./prompt/assistant.ts')

export const deps: Omit<ReplyDeps, 'models'> = {
  imageModel:
    env.OPENAI_IMAGE_MODEL === undefined
      ? undefined
      : lazyImageModel({
          ...serverSettings,
          model: env.OPENAI_IMAGE_MODEL,
          outboundAllow: env.OUTBOUND_ALLOW,
        }),
  embeddingModel: env.EMBEDDING_MODEL === undefined ? undefined : lazyEmbeddingModel(env.EMBEDDING_MODEL),
  writesTitles: env.CONVERSATION_TITLES === 'on',
  assistantName: env.ASSISTANT_NAME,
  fileDeps,
  // its code is loaded with the first statement
  async queryTables(request, signal) {
    const { queryTables } = await import('../documents/tables/query-tables.ts')
    return queryTables(env.DOCUMENT_PARSER_FUNCTION, request, signal)
  },
  profiles: profileRepository(table),
  settings,
  memories: memoryRepository(table),
  projects: {
    // its code is loaded with the first project
    async find(sub, id) {
      const { projectRepository } = await import('./prompt/project.ts')
      return projectRepository(table).find(sub, id)
    },
  },
  assistants: {
    find: async (user, id) => (await loadAssistants()).assistantReader(table).find(user, id),
    loadVersion: async (id, version) =>
      (await loadAssistants()).assistantReader(table).loadVersion(id, version),
    countUse: async (id) => (await loadAssistants()).countAssistantUse(table, id),
  },
  toolProvider: toolProvider(table),
  // its code is loaded with the first call
  async openSchedules(listTools) {
    const { openSchedules } = await import('../schedules/open-schedules.ts')
    const findRun = (sub: string, sessionId: string) => stores.runs.findBranches(sub, sessionId)
    return openSchedules(table, env.SCHEDULE_SPREAD_MINUTES, { listTools, findRun })
  },
  async listCopiedPrompts(sub) {
    const { promptRepository } = await import('../projects/prompt-repository.ts')
    return (await promptRepository(table).list(sub)).filter(({ copied_from }) => copied_from !== undefined)
  },
  scheduledRecipients: {
    async list(sub, id) {
      const { scheduleRepository } = await import('../schedules/schedule-repository.ts')
      return (await scheduleRepository(table).find(sub, id))?.approved_recipients ?? []
    },
    async add(sub, id, recipients) {
      const { scheduleRepository } = await import('../schedules/schedule-repository.ts')
      await scheduleRepository(table).approveRecipients(sub, id, recipients)
    },
  },
  async announce({ sub, sessionId, user, schedule, log }) {
    if (sessionId === undefined || env.NOTIFIER_FUNCTION === undefined) return
    // after the reply; its code is loaded then
    const { announceReply } = await import('../push/announce-reply.ts')
    return announceReply(table, env.NOTIFIER_FUNCTION, {
      sub,
      sessionId,
      scheduleId: schedule?.id,
      settings: user.settings,
      log,
    })
  },
  wasDisabled: (user) => wasDisabled(table, user),
}

/** What replies to a user may use. @param limits those in force for the user */
const applyLimits = (
  limits: GroupLimits,
  models: Awaited<ReturnType<typeof loadModels>>,
  site: SiteSettings,
): ReplyDeps => ({
  ...deps,
  houseInstructions: site.instructions,
  models: models.restrictTo(toModelLimits(limits, site), site.defaultModel),
  imageModel: limits.images_per_day === 0 ? undefined : deps.imageModel,
  // its price is not known
  ...(toModelLimits(limits, site).priced_models_only && { embeddingModel: undefined }),
  fileDeps: { ...fileDeps, files: fileRepository(table, limits.storage_gb) },
  toolsAllowed: limits.tools,
  webPages: toWebPages(limits, site),
  limits,
})

const toSiteBudget = ({ siteTokensPerDay, siteCostPerDay }: SiteSettings): SiteBudgetLimits => ({
  siteTokensPerDay: siteTokensPerDay ?? env.SITE_TOKENS_PER_DAY,
  siteNanoUsdPerDay: toNanoUsd(siteCostPerDay),
})

/** Whom a reply is written for, and how long the invocation that writes it may take. */
export interface ReplyCaller {
  readonly user: Pick<User, 'sub' | 'groups'>
  readonly remainingMs: () => number
  readonly log: Logger
}

/**
 * Opens a reservation within the budgets of a user and of everybody together; nothing is counted yet.
 * @param messageTokens estimated tokens of the messages to reply to
 * @param continues whether the reply was already counted, when it began
 * @param isScheduled whether nobody has sent the message, but a schedule
 */
export async function openReservation(
  { user, remainingMs, log }: ReplyCaller,
  options: { messageTokens: number; continues: boolean; isScheduled?: boolean },
) {
  const forMs = remainingMs()
  const [limits, site] = await Promise.all([groupLimits.find(user), loadSiteSettings()])
  const userLimits = toUserBudget(limits, defaultUserBudget)
  const siteLimits = toSiteBudget(site)
  const reservation = budget.openReservation(user.sub, { forMs, ...options, userLimits, siteLimits }, log)
  return { limits, site, reservation }
}

/** Opens what a reply to a user may use and spend. */
export async function openReplyDeps(
  caller: ReplyCaller,
  options: Parameters<typeof openReservation>[1],
): Promise<ReplyDeps & { reservation: Reservation }> {
  const [{ limits, site, reservation }, models] = await Promise.all([
    openReservation(caller, options),
    loadModels(),
  ])
  return { ...applyLimits(limits, models, site), reservation }
}
