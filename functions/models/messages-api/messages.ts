import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages'
import { ModelError } from '../model-errors.ts'
import type { ModelApiCall, ApiClient, ModelRound, ModelSettings } from '../model.ts'
import { requestRound } from '../request-round.ts'
import { MessagesReader } from './messages-reader.ts'
import { toMessagesRequest } from './messages-request.ts'

const anthropicBaseUrl = 'https://api.anthropic.com'

/**
 * A newer one means the same for these requests, and Bedrock has that for its newest models only.
 * https://platform.claude.com/docs/en/api/versioning
 */
const apiVersion = { 'anthropic-version': '2023-06-01' }

/** Addresses are configured with the `/v1` of OpenAI's API or, as Anthropic documents it, without. */
const toBaseUrl = (url = anthropicBaseUrl) => url.replace(/\/v1\/?$/, '')

/** The limit that the server names when a model's own is lower than what was asked for. */
function findOutputLimit({ rejection }: Partial<ModelError>): number | undefined {
  const limit = /max_tokens: \d+ > (\d+)/.exec(rejection?.message ?? '')?.[1]
  return limit === undefined ? undefined : Number(limit)
}

/** Anthropic's Messages API. */
export function openMessages(settings: ModelSettings): ApiClient {
  let { maxOutputTokens } = settings

  const server = { ...settings, baseUrl: toBaseUrl(settings.baseUrl) }
  const request = (call: ModelApiCall, body: MessageCreateParamsStreaming): Promise<ModelRound> =>
    requestRound(server, call, {
      api: 'messages',
      path: '/v1/messages',
      body,
      // servers that do as Anthropic documents read this key, others the bearer token
      headers: (key) => ({ ...apiVersion, 'x-api-key': key }),
      openReader: (round) => new MessagesReader(round, call),
    })

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
