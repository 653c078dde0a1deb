import { parseRetryAfter } from '#shared/retry-after.ts'
import { trimSlashes } from '#shared/trim-characters.ts'
import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible'
import { instrumentedFetch } from '../instrumented-fetch.ts'
import type { ApiClient, ModelApiCall, ModelRound, ModelSettings } from '../model.ts'
import { ModelError } from '../model-errors.ts'
import { connectionError, rejectionError, unexpectedError } from '../request-errors.ts'
import { type Fields } from '../fields.ts'
import { RoundBuilder } from '../round-builder.ts'
import { readRejection } from '../server-rejection.ts'
import { watchStream } from '../stream-limits.ts'
import { wait } from '../wait.ts'
import { ChatChunks, ChatFailure } from './chat-chunks.ts'
import { toAnswerMessage, toChatMessages } from './chat-messages.ts'
import type { ServerFields } from './server-fields.ts'
import { toLibraryStream } from './chat-stream.ts'

type LibraryAnswer = Awaited<ReturnType<OpenAICompatibleChatLanguageModel['doStream']>>
type AnswerPart = LibraryAnswer['stream'] extends ReadableStream<infer Part> ? Part : never

/** Where a request goes that names no server. */
const openAiBaseUrl = 'https://api.openai.com/v1'
const retryWaitMs = 500

/** Reads the library's parts of the stream into the round. Usage, the end and sources are read before, from the server's own chunks. */
function addPart(round: RoundBuilder, part: AnswerPart, callFields: Map<unknown, ServerFields>): void {
  if (part.type === 'text-delta') round.addText(part.delta)
  else if (part.type === 'reasoning-delta') round.addReasoningText(part.delta, 'reasoning')
  else if (part.type === 'tool-input-start') round.addToolInput(part.id, { id: part.id, name: part.toolName })
  else if (part.type === 'tool-input-delta') round.addToolInput(part.id, { delta: part.delta })
  else if (part.type === 'tool-call') {
    const { thoughtSignature: text } = (part.providerMetadata?.[providerName] ?? {}) as Fields
    if (typeof text === 'string') callFields.set(part.toolCallId, JSON.parse(text) as ServerFields)
  } else if (part.type === 'error') throw part.error
}

/** The library's key for what it hands on with a call. */
const providerName = 'chat'

/** OpenAI's own servers take the newer name only, many others the older one only. */
function toOutputLimit(
  { maxOutputTokens, baseUrl = openAiBaseUrl }: ModelSettings,
  { omitOutputLimit }: ModelApiCall,
) {
  if (maxOutputTokens === undefined || omitOutputLimit) return {}
  const isOpenAi = /(^|\.)(openai|azure)\.com$/.test(URL.parse(baseUrl)?.hostname ?? '')
  return isOpenAi ? { max_completion_tokens: maxOutputTokens } : { max_tokens: maxOutputTokens }
}

/** The body of a request: the product's messages and tools have the API's form already. */
const toRequest = (call: ModelApiCall, settings: ModelSettings) => ({
  model: settings.model,
  messages: toChatMessages(call.messages, call.separatesToolImages),
  stream: true,
  ...(!call.omitUsage && { stream_options: { include_usage: true } }),
  ...toOutputLimit(settings, call),
  ...(call.tools.length > 0 && { tools: call.tools }),
  ...(call.tools.length > 0 && call.mayCall === false && { tool_choice: 'none' }),
  ...(call.effort !== undefined && { reasoning_effort: call.effort }),
})

/** Whether the same request may succeed in a moment. */
const mayRetry = ({ status, headers }: Response): boolean =>
  (status >= 500 || [408, 409, 429].includes(status)) && headers.get('x-should-retry') !== 'false'

/**
 * Any server that speaks Chat Completions. The requests and what is special about servers are the product's; the client library puts
 * pieces of calls together, which no two servers cut alike.
 */
export function openChatCompletions(settings: ModelSettings): ApiClient {
  const { baseUrl = openAiBaseUrl } = settings

  /** Sends a request, and once more after a short wait if that may help. @throws ModelError for an answer that is an error */
  async function send(
    fetchOnce: typeof fetch,
    url: Parameters<typeof fetch>[0],
    init: RequestInit,
    signal: AbortSignal,
  ): Promise<Response> {
    for (let isLast = false; ; isLast = true) {
      let response
      try {
        response = await fetchOnce(url, init)
      } catch (error) {
        if (isLast || error instanceof ModelError || signal.aborted) throw error
      }
      if (response?.ok) return response
      if (response && (isLast || !mayRetry(response))) {
        const { status, headers } = response
        const retryAfter = headers.get('retry-after')
        throw rejectionError(readRejection(await response.text(), { status, retryAfter }), false)
      }
      const seconds = parseRetryAfter(response?.headers.get('retry-after'))
      await wait(seconds ? seconds * 1_000 : retryWaitMs, signal)
    }
  }

  return {
    async send(call): Promise<ModelRound> {
      const watch = watchStream(call.effort, settings)
      const round = new RoundBuilder(call)
      const chunks = new ChatChunks(round, call)
      let failure: { reason: unknown } | undefined
      const signal = AbortSignal.any([call.signal, watch.signal])
      const model = new OpenAICompatibleChatLanguageModel(settings.model, {
        provider: providerName,
        url: ({ path }) => trimSlashes(baseUrl) + path,
        headers: async () => ({ authorization: `Bearer ${(await settings.readKey()) || 'none'}` }),
        transformRequestBody: () => toRequest(call, settings),
        fetch: async (input, init) => {
          const fetchOnce = instrumentedFetch(watch.onBytes, settings.fetch)
          const { body } = await send(fetchOnce, input, init ?? {}, signal)
          const onFailure = (reason: unknown) => {
            failure = { reason }
          }
          return new Response(body ? toLibraryStream(body, { chunks, round, onFailure }) : '')
        },
      })
      try {
        const { stream } = await model.doStream({ prompt: [], abortSignal: signal })
        const callFields = new Map<unknown, ServerFields>()
        for await (const part of stream) addPart(round, part, callFields)
        signal.throwIfAborted()
        if (failure) throw failure.reason
        return round.build(chunks.isDone, () => {
          const item = toAnswerMessage(round, chunks.fields, callFields)
          return item && { api: 'chat', model: settings.model, items: [item] }
        })
      } catch (error) {
        if (call.signal.aborted) throw call.signal.reason
        if (watch.signal.aborted) throw watch.signal.reason
        throw toModelError(error, round.hasStarted)
      } finally {
        watch.end()
      }
    },
  }
}

/** What went wrong between us and the model. The library's errors hold the whole request, so they are no causes for the log. */
function toModelError(error: unknown, hasStarted: boolean): ModelError {
  if (error instanceof ChatFailure)
    return rejectionError(readRejection(error.body, { status: undefined }), hasStarted)
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ModelError) return cause
  const isOfLibrary = error instanceof Error && error.name.startsWith('AI_')
  const cause = isOfLibrary ? error.cause : error
  if (isOfLibrary && error.name === 'AI_APICallError' && cause instanceof Error)
    return connectionError(cause, hasStarted)
  return unexpectedError(cause, hasStarted)
}
