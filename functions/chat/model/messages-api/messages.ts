import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { Messages, type MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages'
import { instrumentedFetch } from '../instrumented-fetch.ts'
import type { ModelError } from '../model-errors.ts'
import type { ModelApiCall, ApiClient, ModelRound, ModelSettings } from '../model.ts'
import { RoundBuilder } from '../round-builder.ts'
import { watchStream } from '../stream-limits.ts'
import { streamWholeAnswers } from '../whole-answers.ts'
import { toEvents } from './whole-message.ts'
import { toMessagesError } from './messages-errors.ts'
import { MessagesReader } from './messages-reader.ts'
import { toMessagesRequest } from './messages-request.ts'

/** Anthropic's client with the one service that is used: all of them are three times the size. */
class MessagesClient extends BaseAnthropic {
  readonly messages = new Messages(this)
}

/** The client library's own default. */
const anthropicBaseUrl = 'https://api.anthropic.com'

/**
 * The library's own is newer, and Bedrock has that for its newest models only; requests mean the same in both.
 * https://platform.claude.com/docs/en/api/versioning
 */
const apiVersion = { 'anthropic-version': '2023-06-01' }

/** Addresses are configured with the `/v1` that OpenAI's library wants, and Anthropic's adds. */
const toBaseUrl = (url = anthropicBaseUrl) => url.replace(/\/v1\/?$/, '')

/** The limit that the server names when a model's own is lower than what was asked for. */
function findOutputLimit({ rejection }: Partial<ModelError>): number | undefined {
  const limit = /max_tokens: \d+ > (\d+)/.exec(rejection?.message ?? '')?.[1]
  return limit === undefined ? undefined : Number(limit)
}

/** Anthropic's Messages API. */
export function openMessages(settings: ModelSettings): ApiClient {
  let { maxOutputTokens } = settings

  /** @throws ModelError, or the reason of the call's aborted signal */
  async function request(call: ModelApiCall, body: MessageCreateParamsStreaming): Promise<ModelRound> {
    const watch = watchStream(call.effort, settings)
    const round = new RoundBuilder(call)
    const reader = new MessagesReader(round, call)
    try {
      const apiKey = (await settings.readKey()) || 'none'
      const client = new MessagesClient({
        apiKey,
        baseURL: toBaseUrl(settings.baseUrl),
        // the client sends a bearer token; servers that do as Anthropic documents read this one
        defaultHeaders: { ...apiVersion, 'x-api-key': apiKey },
        maxRetries: 1,
        // its own log would show what the model wrote
        logLevel: 'off',
        openTelemetry: false,
        fetch: streamWholeAnswers(instrumentedFetch(watch.onBytes, settings.fetch), toEvents),
      })
      const signal = AbortSignal.any([call.signal, watch.signal])
      for await (const event of await client.messages.create(body, { signal })) reader.add(event)
      // the client library ends an aborted stream as if it were over
      call.signal.throwIfAborted()
      watch.signal.throwIfAborted()
      return round.build(reader.isDone, () => {
        const items = reader.listBlocks()
        return items && { api: 'messages', model: settings.model, items }
      })
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason
      if (watch.signal.aborted) throw watch.signal.reason
      throw toMessagesError(error, round.hasStarted)
    } finally {
      watch.end()
    }
  }

  return {
    async send(call) {
      const body = toMessagesRequest(call, { ...settings, maxOutputTokens })
      try {
        return await request(call, body)
      } catch (error) {
        const limit = findOutputLimit(error as Partial<ModelError>)
        if (limit === undefined || limit >= body.max_tokens) throw error
        maxOutputTokens = limit
        return request(call, { ...body, max_tokens: limit })
      }
    },
  }
}
