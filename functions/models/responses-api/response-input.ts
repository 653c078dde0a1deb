import type {
  FunctionTool,
  ResponseFunctionCallOutputItemList,
  ResponseInputItem,
  ResponseInputMessageContentList,
} from 'openai/resources/responses/responses'
import type { ContentPart, ModelMessage, ModelTool } from '../model.ts'
import { listToolImages } from '../token-estimate.ts'

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

/** The answer as the server gave it, or its text and its calls. */
function toAssistantItems({ content, tool_calls = [], answer }: AssistantMessage): ResponseInputItem[] {
  if (answer?.api === 'responses') return answer.items as unknown as ResponseInputItem[]
  return [
    // llama-server knows an item by its type alone
    ...(content?.trim() ? [{ type: 'message' as const, role: 'assistant' as const, content }] : []),
    ...tool_calls.map(({ id, function: { name, arguments: text } }) => ({
      type: 'function_call' as const,
      call_id: id,
      name,
      arguments: text,
    })),
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

/** A conversation as input items of the Responses API. */
export function toInput(messages: readonly ModelMessage[]): {
  instructions: string | undefined
  input: ResponseInputItem[]
} {
  const input: ResponseInputItem[] = []
  const instructions: string[] = []
  for (const message of messages) {
    if (message.role === 'system' && input.length === 0) instructions.push(message.content)
    else if (message.role === 'assistant') input.push(...toAssistantItems(message))
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
