import * as z from 'zod'
import { chatContracts } from '#shared/contracts/chat.ts'
import { speechContracts } from '#shared/contracts/speech.ts'
import { runsContracts } from '#shared/contracts/runs.ts'
import { parseHeaders, parseKey } from '#shared/secret-values.ts'
import { toPublicModels, type ListedModel } from '#shared/models.ts'
import {
  eventStreamsAtOnce,
  imagesPerDay,
  repliesAtOnce,
  storageGbPerUser,
  tokensPerDay,
} from '../platform/limits.ts'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { SiteSettings } from '#shared/contracts/site.ts'
import { fileRepository } from '../files/file-repository.ts'
import { readingStarter } from '../files/start-reading.ts'
import { apiFunction, type ValidRequest } from '../platform/http/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { groupLimitsReader, toModelLimits } from '../platform/group-limits.ts'
import { siteSettingsReader, withSiteLimits } from '../platform/site-settings.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import { wasDisabled } from '../platform/auth/token-revocation.ts'
import { openSlots } from '../platform/dynamodb/open-slots.ts'
import { batchedReads } from '../platform/dynamodb/batched-reads.ts'
import { validSecret } from '../platform/secrets/valid-secret.ts'
import { openModelServer } from '../platform/models/model-server.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { RunNotFound } from '../conversations/store/errors.ts'
import { openConversationStores } from '../conversations/store/conversation-stores.ts'
import { memoryRepository } from '../settings/memory-repository.ts'
import { profileRepository } from '../settings/profile-repository.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { acquireStream, respond, streamRun } from '../conversations/replies/reply-response.ts'
import { RepliesStopped, TooManyEventStreams } from './errors.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { ImageModel, ImageModelSettings } from '../models/image-model.ts'
import { createModelList } from './model-list.ts'
import { modelApis, type Model } from '../models/model.ts'
import { replyBudget, type Reservation, type SiteBudgetLimits } from './reply-budget.ts'
import type { ReplyDeps } from './reply.ts'
import { toNanoUsd, toUserBudget } from './user-budget.ts'
import { sendMessage } from './send-message.ts'
import { stopRun } from '../conversations/turns/stop-run.ts'
import { estimateTextTokens } from '../models/token-estimate.ts'
import { toolProvider } from '../tools/tool-provider.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
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
  /** undefined: nobody is told about replies */
  NOTIFIER_FUNCTION: z.string().optional(),
  STORAGE_GB_PER_USER: z.coerce.number().positive().optional(),
})
// a turn begins with the reads of several rows, and the user waits for them
const table = batchedReads(openTable(env.TABLE_NAME))
const { scaleLimit } = requestGuards().limits
const fileDeps = {
  files: fileRepository(table, env.STORAGE_GB_PER_USER),
  store: openObjectStore(env.UPLOADS_BUCKET),
  startReading: readingStarter(env.DOCUMENT_READER_FUNCTION),
}
const stores = openConversationStores(table, fileDeps)
const settings = settingsRepository(table)
const defaultUserBudget = {
  tokensPerDay: env.TOKENS_PER_DAY ?? scaleLimit(tokensPerDay),
  imagesPerDay: env.IMAGES_PER_DAY ?? scaleLimit(imagesPerDay),
}
const loadSiteSettings = siteSettingsReader(table)
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
const groupLimits = groupLimitsReader(table, async () =>
  withSiteLimits(deploymentLimits, await loadSiteSettings()),
)
const streams = openSlots(table, {
  name: 'streams',
  max: scaleLimit(eventStreamsAtOnce),
  limitError: () => new TooManyEventStreams('too many streams are open'),
})
const readSecretKey = validSecret(secretStore(), parseKey)
const readKey = async () => (env.MODEL_KEY_SECRET === undefined ? '' : readSecretKey(env.MODEL_KEY_SECRET))
const readHeaders = validSecret(secretStore(), parseHeaders)
const headersSecret = env.MODEL_HEADERS_SECRET
const modelServer = openModelServer({
  address: env.OPENAI_BASE_URL,
  readHeaders: headersSecret === undefined ? undefined : () => readHeaders(headersSecret),
})
const { baseUrl, fetch: send } = modelServer
const serverSettings = { server: env.MODEL_SERVER ?? 'openai', baseUrl, readKey, fetch: send }
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
const transcriptionModelId = env.OPENAI_TRANSCRIPTION_MODEL
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
const loadModels = configuredModels ? async () => configuredModels : followServerModels()

function followServerModels() {
  let following: Promise<() => Promise<ReturnType<typeof createModels>>> | undefined
  return async () => {
    following ??= import('./follow-server-models.ts').then(({ followServerModels: follow }) =>
      follow({ baseUrl, send, readKey, createModels }),
    )
    return (await following)()
  }
}

/** Its code is loaded with the first assistant. */
const loadAssistants = () => import('./prompt/assistant.ts')

const deps: Omit<ReplyDeps, 'models'> = {
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
  async announce({ sub, sessionId, user, log }) {
    if (sessionId === undefined || env.NOTIFIER_FUNCTION === undefined) return
    // after the reply; its code is loaded then
    const { announceReply } = await import('../push/announce-reply.ts')
    return announceReply(table, env.NOTIFIER_FUNCTION, { sub, sessionId, settings: user.settings, log })
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
  limits,
})

const toSiteBudget = ({ siteTokensPerDay, siteCostPerDay }: SiteSettings): SiteBudgetLimits => ({
  siteTokensPerDay: siteTokensPerDay ?? env.SITE_TOKENS_PER_DAY,
  siteNanoUsdPerDay: toNanoUsd(siteCostPerDay),
})

type ReplyCall = ValidRequest<'chat.send'> | ValidRequest<'runs.answer'>

/** Wraps a handler that may begin a reply, within the budgets of its user and of everybody together. */
const withReplyBudget =
  <Call extends ReplyCall, Result>(
    handle: (call: Call, allowedDeps: ReplyDeps & { reservation: Reservation }) => Promise<Result>,
  ) =>
  async (call: Call): Promise<Result> => {
    const forMs = call.remainingMs()
    const [limits, models, site] = await Promise.all([
      groupLimits.find(call.user),
      loadModels(),
      loadSiteSettings(),
    ])
    const reservation = budget.openReservation(
      call.user.sub,
      {
        forMs,
        messageTokens: estimateRequestTokens(call),
        continues: isContinuation(call),
        userLimits: toUserBudget(limits, defaultUserBudget),
        siteLimits: toSiteBudget(site),
      },
      call.log,
    )
    try {
      return await handle(call, { ...applyLimits(limits, models, site), reservation })
    } finally {
      await reservation.release()
    }
  }

/** Whether a request continues a reply that another one began. */
const isContinuation = ({ body }: ReplyCall) => !('messages' in body) || body.continues === true

/** Estimates the tokens of the messages to reply to: all of them if nothing is stored, else the last one. */
function estimateRequestTokens({ body }: ReplyCall): number {
  if (!('messages' in body)) return 0
  const messages = body.sessionId === undefined ? body.messages : body.messages.slice(-1)
  return messages.reduce((sum, { content }) => sum + estimateTextTokens(content), 0)
}

const loadWaitingTasks = () => import('./waiting-tasks.ts')

export const handler = apiFunction(
  'chat',
  { ...chatContracts, ...runsContracts, ...speechContracts },
  {
    'chat.send': withReplyBudget(async (call: ValidRequest<'chat.send'>, allowedDeps) =>
      respond(call, { stores, streams }, await sendMessage(call, { ...allowedDeps, stores, readKey })),
    ),

    'runs.events': async (call) => {
      const acquiring = acquireStream(streams, call)
      try {
        const [run, slot] = await waitForAll([
          stores.runs.find(call.user.sub, call.params.sessionId),
          acquiring,
        ])
        if (!run) throw new RunNotFound(`no run in ${call.params.sessionId}`)
        return streamRun(call, stores, run, slot)
      } catch (error) {
        await acquiring.then(
          ({ release }) => release(),
          () => undefined,
        )
        throw error
      }
    },

    'runs.stop': async ({ user, params, body }) => {
      const run = await stopRun(stores, {
        sub: user.sub,
        sessionId: params.sessionId,
        runId: body.runId,
        onWaitingStopped: async (stopped) => (await loadWaitingTasks()).endPendingCalls(deps, stopped),
      })
      return { success: true as const, run }
    },

    'runs.answer': withReplyBudget(async (call: ValidRequest<'runs.answer'>, allowedDeps) => {
      const { submitDecision } = await import('./submit-decision.ts')
      return respond(call, { stores, streams }, await submitDecision(call, { ...allowedDeps, stores }))
    }),

    'speech.transcribe': async (call) => {
      // loaded on demand: most calls are replies
      const { transcribe } = await import('./transcribe-audio.ts')
      const [limits, site] = await Promise.all([groupLimits.find(call.user), loadSiteSettings()])
      const reservation = budget.openReservation(
        call.user.sub,
        {
          forMs: call.remainingMs(),
          messageTokens: 0,
          // it is no reply of its own
          continues: true,
          userLimits: toUserBudget(limits, defaultUserBudget),
          siteLimits: toSiteBudget(site),
        },
        call.log,
      )
      const pricedModelsOnly = toModelLimits(limits, site).priced_models_only ?? false
      return transcribe(call.file, {
        ...serverSettings,
        model: transcriptionModelId,
        reservation,
        pricedModelsOnly,
      })
    },

    'models.list': async () => {
      const [{ models, findDefault }, { defaultModel }] = await Promise.all([
        loadModels(),
        loadSiteSettings(),
      ])
      return { models: toPublicModels({ models, defaultId: findDefault(defaultModel).id }) }
    },

    'runs.checkTask': async (call) => {
      const { tools: toolsAllowed } = await groupLimits.find(call.user)
      const { checkTask } = await loadWaitingTasks()
      return checkTask(call, { ...deps, stores, toolsAllowed })
    },
  },
  { selfGuarded: ['chat.send', 'runs.answer'], table },
)
