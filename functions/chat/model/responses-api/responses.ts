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

function toTools({ tools, omitWebSearch }: ModelApiCall, { webSearch }: ModelSettings): Tool[] {
  const functions = tools.map(toFunctionTool)
  return webSearch && !omitWebSearch ? [...functions, { type: 'web_search' }] : functions
}

/** OpenAI's Responses API, without state at the server. */
export function openResponses(settings: ModelSettings): ApiClient {
  return {
    send: (call) =>
      streamRound(settings, call, async (client, round, signal) => {
        const tools = toTools(call, settings)
        const { instructions, input } = toInput(call.messages, settings.model)
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
          },
          { signal },
        )
        const reader = new ResponseReader(round, call, settings.model)
        for await (const event of stream) reader.add(event)
        reader.addReasoning()
      }),
  }
}
