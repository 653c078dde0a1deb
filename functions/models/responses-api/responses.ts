import type { ResponseCreateParamsStreaming, Tool } from 'openai/resources/responses/responses'
import type { ReasoningEffort } from 'openai/resources/shared'
import type { ModelApiCall, ApiClient, ModelSettings } from '../model.ts'
import { requestRound } from '../request-round.ts'
import { toFunctionTool, toInput } from './response-input.ts'
import { ResponseReader } from './response-reader.ts'

/** Nothing is stored at the server, so the encrypted reasoning comes along and goes back with the next request of the turn. */
function toReasoningOptions({ effort, omitReasoning, omitSummary }: ModelApiCall) {
  if (omitReasoning) return {}
  return {
    include: ['reasoning.encrypted_content' as const],
    reasoning: {
      ...(effort !== undefined && { effort: effort as ReasoningEffort }),
      ...(!omitSummary && effort !== 'none' && { summary: 'auto' as const }),
    },
  }
}

/** How often the server may search; 0 if it may not, or cannot. */
const toSearchLimit = ({ omitWebSearch, maxWebSearches = 0 }: ModelApiCall, { webSearch }: ModelSettings) =>
  webSearch && !omitWebSearch ? maxWebSearches : 0

/** The body of a request, without state at the server. */
function toRequest(call: ModelApiCall, settings: ModelSettings): ResponseCreateParamsStreaming {
  const searches = toSearchLimit(call, settings)
  const functions = call.tools.map(toFunctionTool)
  const tools: Tool[] = searches > 0 ? [...functions, { type: 'web_search' }] : functions
  const { instructions, input } = toInput(call.messages)
  return {
    model: settings.model,
    ...(instructions !== undefined && { instructions }),
    input,
    store: false,
    ...(settings.maxOutputTokens !== undefined &&
      !call.omitOutputLimit && { max_output_tokens: settings.maxOutputTokens }),
    stream: true,
    ...toReasoningOptions(call),
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && call.mayCall === false && { tool_choice: 'none' }),
    // counts calls of the server's own tools alone
    ...(searches > 0 && !call.omitSearchLimit && { max_tool_calls: searches }),
  }
}

/** OpenAI's Responses API. */
export const openResponses = (settings: ModelSettings): ApiClient => ({
  send: (call) =>
    requestRound(settings, call, {
      api: 'responses',
      path: '/responses',
      body: toRequest(call, settings),
      openReader: (round) => new ResponseReader(round, call),
    }),
})
