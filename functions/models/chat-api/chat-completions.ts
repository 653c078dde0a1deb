import type { ApiClient, ModelApiCall, ModelSettings } from '../model.ts'
import { openAiBaseUrl } from '../post.ts'
import { requestRound } from '../request-round.ts'
import { toChatMessages } from './chat-messages.ts'
import { ChatReader } from './chat-reader.ts'

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

/** Any server that speaks Chat Completions. */
export const openChatCompletions = (settings: ModelSettings): ApiClient => ({
  send: (call) =>
    requestRound(settings, call, {
      api: 'chat',
      path: '/chat/completions',
      body: toRequest(call, settings),
      openReader: (round) => new ChatReader(round, call),
    }),
})
