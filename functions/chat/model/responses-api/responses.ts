import type { Tool } from 'openai/resources/responses/responses'
import type { ReasoningEffort } from 'openai/resources/shared'
import type { ModelApiCall, ApiClient, ModelSettings } from '../model.ts'
import { streamRound } from '../openai-client.ts'
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

/** OpenAI's Responses API, without state at the server. */
export function openResponses(settings: ModelSettings): ApiClient {
  return {
    send: (call) =>
      streamRound(settings, call, async (client, round, signal) => {
        const searches = toSearchLimit(call, settings)
        const functions = call.tools.map(toFunctionTool)
        const tools: Tool[] = searches > 0 ? [...functions, { type: 'web_search' }] : functions
        const { instructions, input } = toInput(call.messages)
        const stream = await client.responses.create(
          {
            model: settings.model,
            ...(instructions !== undefined && { instructions }),
            input,
            store: false,
            ...(settings.maxOutputTokens !== undefined &&
              !call.omitOutputLimit && { max_output_tokens: settings.maxOutputTokens }),
            stream: true,
            ...toReasoningOptions(call),
            ...(tools.length > 0 && { tools }),
            ...(tools.length > 0 && call.mayCall === false && { tool_choice: 'none' as const }),
            // counts calls of the server's own tools alone
            ...(searches > 0 && !call.omitSearchLimit && { max_tool_calls: searches }),
          },
          { signal },
        )
        const reader = new ResponseReader(round, call)
        for await (const event of stream) reader.add(event)
        return () => {
          const items = reader.listItems()
          return items && { api: 'responses', model: settings.model, items }
        }
      }),
  }
}
