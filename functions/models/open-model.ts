import { wait } from '../platform/clock.ts'
import { startDuringInit } from '../platform/during-init.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { modelErrors, ModelError } from './model-errors.ts'
import { askUntilDone } from './paused-rounds.ts'
import { maxRetryWaitSeconds, openAiBaseUrl } from './post.ts'
import { isWorthRetrying } from './request-errors.ts'
import {
  findImageLimit,
  findRefusedImages,
  hasImages,
  listImages,
  omitImages,
  refusedImageMemory,
  refusesAllImages,
} from './omit-images.ts'
import type { ImageFitter } from './fit-images.ts'
import { findRefusedItems, omitItems, refusedItemMemory } from './refused-items.ts'
import type {
  ApiClient,
  Model,
  ModelApi,
  ModelApiCall,
  ModelCall,
  ModelMessage,
  ModelRound,
  ModelSettings,
  Omission,
  Omitted,
  ScaleImage,
} from './model.ts'
import { findRefusedTools, findSuspectedTools, isSchemaRefusal } from './sent-tools/refused-tools.ts'
import { sendTools, toolFormMemory, type SentTool } from './sent-tools/sent-tools.ts'
import {
  findRejection,
  hasPart,
  isBadCall,
  isNamedByServer,
  namesPart,
  reduceCall,
  rejections,
  withOwnAnswer,
  type Rejection,
} from './rejections.ts'

export interface OpenModelSettings extends ModelSettings {
  /** `auto` takes the API that fits the server, and another one if the server rejects it */
  api: 'auto' | ModelApi
  scaleImage?: ScaleImage
}

/** Loads the code of an API: a deployment asks one of them. */
const clientLoaders: Readonly<Record<ModelApi, () => Promise<(settings: ModelSettings) => ApiClient>>> = {
  responses: async () => (await import('./responses-api/responses.ts')).openResponses,
  chat: async () => (await import('./chat-api/chat-completions.ts')).openChatCompletions,
  messages: async () => (await import('./messages-api/messages.ts')).openMessages,
}

/** What people wait for without trying again themselves. */
const maxWaitSeconds = 20
/** The seconds that a busy server has asked to wait before the first word of its answer; the shortest waits are over when its error comes. */
function findShortWait(error: unknown): number | undefined {
  const { code, rejection, retryAfterSeconds } = error instanceof ModelError ? error : {}
  const mayHelp = rejection && code !== modelErrors.cut.code && isWorthRetrying(rejection)
  if (!mayHelp || retryAfterSeconds === undefined) return undefined
  return retryAfterSeconds > maxRetryWaitSeconds && retryAfterSeconds <= maxWaitSeconds
    ? retryAfterSeconds
    : undefined
}

const isOfServer = (error: unknown) => error instanceof ModelError && (error.rejection?.status ?? 0) >= 500

/** A server may be updated meanwhile, so it is asked again from time to time. */
const rememberedMs = 15 * 60_000
/** How long to wait for a model that its server is loading, and before each request meanwhile. */
const maxLoadingMs = 120_000
const loadingWaitsMs = [1_000, 2_000, 3_000]
const longestLoadingWaitMs = 5_000
const isLoading = (error: unknown) => error instanceof ModelError && error.code === modelErrors.loading.code

/** Requests that leave out, or simplify, one tool or image after another; then all of them go. */
const maxPartAttempts = 12

/** Items of answers that are left out alone; a server that refuses more gets text and calls in place of all of them. */
const maxItems = 4

/** OpenAI and Amazon Bedrock speak Responses, Bedrock Messages for Claude; any other server is sure to speak Chat Completions. */
function pickApi({ api, server, baseUrl = openAiBaseUrl, model }: OpenModelSettings): ModelApi {
  if (api !== 'auto') return api
  if (server === 'bedrock') return model.includes('anthropic.') ? 'messages' : 'responses'
  return /(^|\.)api\.openai\.com$/.test(URL.parse(baseUrl)?.hostname ?? '') ? 'responses' : 'chat'
}

/** Servers that are known to take PDFs: what they refuse is wrong with one of them. */
const takesPdfs = ({ server, baseUrl = openAiBaseUrl }: OpenModelSettings, api: ModelApi) =>
  server === 'bedrock'
    ? api === 'messages'
    : /(^|\.)api\.(openai|anthropic)\.com$/.test(URL.parse(baseUrl)?.hostname ?? '')

/** Opens a connection, which the first request then finds open: that is two or three round trips to the server. */
const connectTo = (baseUrl = openAiBaseUrl) =>
  fetch(baseUrl, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5_000) })

/** The settings of a model on Bedrock depend on its API; the code that signs is loaded only there. */
async function loadSettings(settings: ModelSettings, api: ModelApi): Promise<ModelSettings> {
  if (settings.server !== 'bedrock') return settings
  const { bedrockSettings } = await import('./bedrock/bedrock-server.ts')
  return { ...settings, ...bedrockSettings(api) }
}

/** What a server has rejected lately, for the requests that follow. */
function rejectionMemory() {
  const learnedAtMs = new Map<Rejection, number>()
  return {
    list: () =>
      [...learnedAtMs].flatMap(([rejection, atMs]) => (Date.now() - atMs < rememberedMs ? [rejection] : [])),
    add: (rejection: Rejection) => {
      if (!learnedAtMs.has(rejection))
        logger.warn('requests go without what the model server rejected', {
          code: `model_rejects_${rejection}`,
        })
      learnedAtMs.set(rejection, Date.now())
    },
    /** A request that had it was accepted. */
    remove: (rejection: Rejection) => learnedAtMs.delete(rejection),
  }
}

/**
 * Tells the caller what an answer goes without, each thing once: with the first of the answer, so that an attempt that fails announces
 * nothing.
 */
function announcer({ onOmit }: ModelCall) {
  const announced = new Set<Omission>()
  function now(omissions: ReadonlyMap<Omission, Omitted | undefined>): void {
    for (const [omission, omitted] of omissions) {
      if (announced.has(omission)) continue
      announced.add(omission)
      measure({ ReducedRequests: 1 }, { code: omission })
      onOmit(omission, omitted)
    }
  }
  return {
    now,
    before: (call: ModelApiCall, omissions: ReadonlyMap<Omission, Omitted | undefined>): ModelApiCall => {
      if (omissions.size === 0) return call
      const { onText, onReasoning, onToolInput, onSource } = call
      const after =
        <Args extends unknown[]>(emit: ((...args: Args) => void) | undefined) =>
        (...args: Args) => {
          now(omissions)
          emit?.(...args)
        }
      return {
        ...call,
        onText: after(onText),
        onReasoning: after(onReasoning),
        onToolInput: after(onToolInput),
        onSource: after(onSource),
      }
    },
  }
}

/** The messages of the turn that is answered. */
const listNewest = (messages: readonly ModelMessage[]) =>
  messages.slice(
    Math.max(
      0,
      messages.findLastIndex(({ role }) => role === 'user'),
    ),
  )

/**
 * The language model behind a server, whatever API it speaks. What the server rejects is left out of the request, and the caller is told.
 * If the same request then succeeds, and the server has named the part in a code, the next requests go without it from the start.
 */
export function openModel(settings: OpenModelSettings): Required<Model> {
  const preferred = pickApi(settings)
  const isAuto = settings.api === 'auto' && preferred !== 'messages'
  const memory = rejectionMemory()
  const toolMemory = toolFormMemory(rememberedMs)
  const itemMemory = refusedItemMemory(rememberedMs)
  const imageMemory = refusedImageMemory()
  const { scaleImage } = settings
  let fitting: Promise<ImageFitter> | undefined
  /** Its code is loaded with the first picture. */
  const loadFitter = () =>
    (fitting ??= import('./fit-images.ts').then(({ imageFitter }) => imageFitter(scaleImage)))
  const clients = new Map<ModelApi, Promise<ApiClient>>()

  function loadClient(api: ModelApi): Promise<ApiClient> {
    const known = clients.get(api)
    if (known) return known
    const client = Promise.all([clientLoaders[api](), loadSettings(settings, api)]).then(([open, loaded]) =>
      open(loaded),
    )
    clients.set(api, client)
    // what could not be loaded is loaded again by the next request
    client.catch(() => clients.delete(api))
    return client
  }

  /** The preferred API, or the other one if the server rejects it. */
  function chooseApi(without: ReadonlySet<Rejection>): ModelApi {
    if (preferred === 'responses' && without.has('responses')) return 'chat'
    if (preferred === 'chat' && without.has('chat') && !without.has('responses')) return 'responses'
    return preferred
  }

  startDuringInit(() =>
    Promise.all([
      loadClient(preferred),
      ...(settings.server === 'bedrock' ? [] : [settings.readKey(), connectTo(settings.baseUrl)]),
    ]),
  )

  async function ask(requested: ModelCall): Promise<ModelRound> {
    const without = new Set(memory.list())
    const own = requested.messages.map((message) => withOwnAnswer(message, settings.model))
    const fit = (messages: ModelMessage[]) =>
      without.has('images') || !messages.some(hasImages)
        ? messages
        : loadFitter().then((fitter) => fitter.fit(messages, requested.signal))
    let call = { ...requested, messages: await fit(own) }
    const forms = toolMemory.list(call.tools)
    const learned: Rejection[] = []
    const announce = announcer(call)
    const startedAtMs = Date.now()
    let loads = 0
    let partAttempts = 0
    const refusedImages = imageMemory.list(call.messages)
    const knownImages = new Set(refusedImages)
    let newImages = new Set(listNewest(call.messages).flatMap(listImages))
    let imageLimit: string | undefined
    /** all of the request, if it was refused for them */
    let suspectedImages: string[] = []
    const refusedItems = itemMemory.list(call.messages)
    let isRepeated = false
    let hasWaited = false
    /** tools that were left out though the server named none, and what it had said */
    let suspects: { message: string | undefined; tools: SentTool[] } | undefined
    /** tools that only this answer goes without, while the one that the server refuses is looked for */
    const waiting = new Set<string>()
    let isFound = false
    for (;;) {
      const api = chooseApi(without)
      const sent = sendTools(call, forms)
      const isRefused = (url: string) => refusedImages.has(url)
      const describe = refusedImages.size > 0 ? (await loadFitter()).describe : undefined
      const messages = sent.call.messages.map((one) =>
        omitItems(describe ? omitImages(one, isRefused, describe) : one, refusedItems),
      )
      const { reduced, omissions: wholes } = reduceCall({ ...sent.call, messages }, without, api)
      const omissions = new Map<Omission, Omitted | undefined>(wholes.map((one) => [one, undefined]))
      // those of earlier turns have been named there
      const images = [...refusedImages].filter((url) => !knownImages.has(url) || newImages.has(url))
      if (describe && images.length > 0 && !without.has('images'))
        omissions.set('someImages', { names: images.map(describe), limit: imageLimit })
      if (sent.omitted.length > 0 && !without.has('tools'))
        omissions.set('someTools', { names: sent.omitted })
      const client = await loadClient(api)
      try {
        const round = await client.send(announce.before(reduced, omissions))
        announce.now(omissions)
        for (const url of without.has('images') ? suspectedImages : refusedImages) imageMemory.add(url)
        for (const rejection of rejections)
          if (!without.has(rejection) && hasPart(rejection, reduced, api)) memory.remove(rejection)
        for (const rejection of learned) memory.add(rejection)
        if (!without.has('tools')) {
          for (const [key, form] of forms) if (!waiting.has(key)) toolMemory.add(key, form)
          for (const key of sent.listForeignKeys()) toolMemory.addTaken(key)
        }
        if (!without.has('encrypted')) for (const item of refusedItems) itemMemory.add(item)
        return sent.toOwn(round)
      } catch (error) {
        if (isLoading(error) && Date.now() - startedAtMs < maxLoadingMs) {
          await wait(loadingWaitsMs[loads] ?? longestLoadingWaitMs, { signal: call.signal })
          loads += 1
          continue
        }
        const waitSeconds = hasWaited ? undefined : findShortWait(error)
        if (waitSeconds !== undefined) {
          hasWaited = true
          call.onWait?.(waitSeconds)
          await wait(waitSeconds * 1_000, { signal: call.signal })
          continue
        }
        // a call is a sample: the next one may be right, and says nothing about tools
        if (isBadCall(error) && !isRepeated) {
          isRepeated = true
          continue
        }
        const hasSearch = settings.webSearch === true && hasPart('webSearch', reduced, api)
        const toolsBeforeSearch = hasSearch ? reduced.tools.length : undefined
        const request = { api, isAuto, call, without, toolsBeforeSearch }
        const isOfSchema = reduced.tools.length > 0 && isSchemaRefusal(error)
        const found = findRejection(error, request) ?? (isOfSchema ? 'tools' : undefined)
        const message = error instanceof ModelError ? error.rejection?.message : undefined
        // without them the server says the same, so they go with the next request again
        if (suspects && suspects.message === message)
          for (const { key } of suspects.tools.splice(0)) forms.set(key, 'simple')
        if (partAttempts < maxPartAttempts && found !== 'webSearch') {
          partAttempts += 1
          const sentTools = reduced.tools.length > 0 ? sent.listSent() : []
          const tools = findRefusedTools(error, sentTools)
          const images = without.has('images') ? [] : findRefusedImages(error, call.messages, refusedImages)
          const items = refusedItems.size < maxItems ? findRefusedItems(error, reduced.messages) : []
          for (const { key, next } of tools) forms.set(key, next)
          if (tools.length === 0 && images.length > 0) {
            imageLimit = findImageLimit(error) ?? imageLimit
            const fitter = await loadFitter()
            for (const url of images)
              if (!(await fitter.shrink(url, error, call.signal))) refusedImages.add(url)
            call = { ...call, messages: await fit(own) }
            newImages = new Set(listNewest(call.messages).flatMap(listImages))
          }
          for (const item of items) refusedItems.add(item)
          if (tools.length + images.length + items.length > 0) continue
          const isExplained = namesPart(error, request)
          const suspected = findSuspectedTools(error, sentTools, { isExplained, isLast: found !== 'extras' })
          const isOmitted = suspected.some(({ next }) => next === 'omitted')
          if (suspected.length > 0 && !(isOmitted && suspects)) {
            const unknown = isOmitted ? suspected.filter(({ key }) => !toolMemory.isTaken(key)) : []
            const tried = unknown.length > 0 ? unknown : suspected
            const isSearched = isOmitted && isOfSchema && !isFound
            // a refusal halves them until one is left; an answer leaves fewer that its server has not taken
            const omitted = isSearched ? tried.slice(Math.floor(tried.length / 2)) : tried
            for (const { key, next } of omitted) forms.set(key, next)
            if (isSearched && tried.length === 1) {
              isFound = true
              for (const key of waiting) forms.set(key, 'simple')
              waiting.clear()
            } else if (isOmitted && isOfSchema) for (const { key } of omitted) waiting.add(key)
            if (isOmitted && !isSearched) suspects = { message, tools: omitted }
            continue
          }
        }
        // each attempt leaves out one thing more, so there are few attempts
        if (found === undefined) throw error
        without.add(found)
        // a fault of the server may be over with the next message
        if (found === 'images' && !isOfServer(error) && !refusesAllImages(error))
          suspectedImages = call.messages.flatMap(listImages)
        const isForAll = found === 'documents' && !takesPdfs(settings, api)
        if (isForAll || isNamedByServer(found, error)) learned.push(found)
      }
    }
  }

  return {
    takesPdfs() {
      const without = new Set(memory.list())
      return chooseApi(without) !== 'chat' && !without.has('documents')
    },

    complete: (call) => askUntilDone(ask, call),
  }
}
