import type {
  FunctionTool,
  ResponseFunctionCallOutputItemList,
  ResponseInputItem,
  ResponseInputMessageContentList,
} from 'openai/resources/responses/responses'
import type { ContentPart, ModelMessage, ModelTool } from '../model.ts'
import { listToolImages } from '../omit-images.ts'

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>
type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

function toContent(parts: readonly ContentPart[]): ResponseInputMessageContentList {
  return parts.map((part) => {
    if (part.type === 'text') return { type: 'input_text', text: part.text }
    // https://developers.openai.com/api/docs/guides/file-inputs
    if (part.type === 'file') return { type: 'input_file', ...part.file }
    return { type: 'input_image', detail: 'auto', image_url: part.image_url.url }
  })
}

/**
 * Text, calls and reasoning in the order in which the model wrote them. Calls go without the ids of their items: with one, the server
 * insists on the reasoning that came before, which another model or API may have written.
 */
function toAssistantItems(
  { content, tool_calls = [], reasoning = [] }: AssistantMessage,
  model: string,
): ResponseInputItem[] {
  const own = reasoning.filter((one) => one.api === 'responses' && one.model === model)
  const callIds = new Set(tool_calls.map(({ id }) => id))
  const toItems = (items: typeof own) => items.map(({ item }) => item as unknown as ResponseInputItem)
  return [
    ...toItems(own.filter(({ beforeCall }) => beforeCall === undefined || !callIds.has(beforeCall))),
    // llama-server knows an item by its type alone
    ...(content ? [{ type: 'message' as const, role: 'assistant' as const, content }] : []),
    ...tool_calls.flatMap(({ id, function: { name, arguments: text } }): ResponseInputItem[] => [
      ...toItems(own.filter(({ beforeCall }) => beforeCall === id)),
      { type: 'function_call', call_id: id, name, arguments: text },
    ]),
  ]
}

/** Images are part of the tool's output: https://platform.openai.com/docs/api-reference/responses/create */
function toToolOutput(message: ToolMessage): string | ResponseFunctionCallOutputItemList {
  const images = listToolImages(message)
  if (images.length === 0) return message.content
  return [
    { type: 'input_text', text: message.content },
    ...images.map((url) => ({ type: 'input_image' as const, detail: 'auto' as const, image_url: url })),
  ]
}

/**
 * A conversation as input items of the Responses API.
 * @param model the one that is asked: reasoning of others is left out
 */
export function toInput(
  messages: readonly ModelMessage[],
  model: string,
): { instructions: string | undefined; input: ResponseInputItem[] } {
  const input: ResponseInputItem[] = []
  const instructions: string[] = []
  for (const message of messages) {
    if (message.role === 'system' && input.length === 0) instructions.push(message.content)
    else if (message.role === 'assistant') input.push(...toAssistantItems(message, model))
    else if (message.role === 'tool')
      input.push({
        type: 'function_call_output',
        call_id: message.tool_call_id,
        output: toToolOutput(message),
      })
    else if (typeof message.content === 'string')
      input.push({ type: 'message', role: message.role, content: message.content })
    else input.push({ type: 'message', role: 'user', content: toContent(message.content) })
  }
  return { instructions: instructions.join('\n\n') || undefined, input }
}

/** Converts a tool into one of the Responses API. */
export const toFunctionTool = ({ function: { name, description, parameters } }: ModelTool): FunctionTool => ({
  type: 'function',
  name,
  ...(description !== undefined && { description }),
  parameters: parameters ?? { type: 'object', properties: {} },
  // the schemas are those of tool servers, and strict mode takes a part of JSON Schema only
  strict: false,
})
