import { findDemoModel } from './demo-models.ts'
import {
  InvalidRequest,
  isRecord,
  type JsonSchema,
  type ModelRequest,
  parseImage,
  parsePositive,
  type RequestMessage,
} from './model-request.ts'

/** A request to the Responses API. */
export interface ResponsesRequest extends ModelRequest {
  /** whether reasoning items carry their encrypted content */
  encrypts: boolean
  /** whether reasoning is summarised in words */
  summarises: boolean
}

type Fields = Record<string, unknown>

const listRecords = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

export const isWebSearch = ({ type }: Fields): boolean =>
  type === 'web_search' || type === 'web_search_2025_08_26'

const roles: Readonly<Record<string, RequestMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
}

/** @throws InvalidRequest for an image that is no data URL */
function parseContent(content: unknown): Pick<RequestMessage, 'text' | 'images'> {
  if (typeof content === 'string') return { text: content, images: [] }
  const parts = listRecords(content)
  return {
    text: parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n'),
    images: parts
      .filter(({ type }) => type === 'input_image')
      .map(({ image_url: url }) => parseImage(String(url), 'input')),
  }
}

/** An input item as messages have it; undefined for reasoning and what the demo does not know. */
function parseItem(item: Fields): RequestMessage | undefined {
  const base = { text: '', images: [], calls: [], toolCallId: undefined }
  const { type = 'message', call_id: callId, name, role, content, output } = item
  if (type === 'function_call')
    return { ...base, role: 'assistant', calls: [{ id: String(callId), name: String(name) }] }
  if (type === 'function_call_output')
    return { ...base, role: 'tool', ...parseContent(output), toolCallId: String(callId) }
  const known = type === 'message' ? roles[String(role)] : undefined
  return known && { ...base, role: known, ...parseContent(content) }
}

/** @throws InvalidRequest naming the parameter that is wrong */
export function parseResponsesRequest(value: unknown): ResponsesRequest {
  if (!isRecord(value)) throw new InvalidRequest('The body must be a JSON object.', 'body')
  const { id: model, efforts, defaultEffort } = findDemoModel(value['model'])
  const { instructions, input, include } = value
  const reasoning = isRecord(value['reasoning']) ? value['reasoning'] : {}
  const effort = reasoning['effort']
  const tools = listRecords(value['tools'])
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listRecords(input)
  const system = instructions ? [{ role: 'system', content: instructions }] : []
  return {
    model,
    effort: efforts && (typeof effort === 'string' && efforts.includes(effort) ? effort : defaultEffort),
    messages: [...system, ...items].flatMap((item) => parseItem(item) ?? []),
    tools: tools
      .filter(({ type }) => type === 'function')
      .map(({ name, description, parameters }) => ({
        name: String(name),
        description: typeof description === 'string' ? description : '',
        parameters: isRecord(parameters) ? (parameters as JsonSchema) : {},
      })),
    toolChoice: parseToolChoice(value['tool_choice']),
    searchesWeb: tools.some(isWebSearch),
    stream: value['stream'] === true,
    includeUsage: true,
    maxTokens: parsePositive(value['max_output_tokens']),
    encrypts: Array.isArray(include) && include.includes('reasoning.encrypted_content'),
    summarises: typeof reasoning['summary'] === 'string',
  }
}

function parseToolChoice(value: unknown): ModelRequest['toolChoice'] {
  if (value === 'none' || value === 'required') return value
  return isRecord(value) && typeof value['name'] === 'string' ? { name: value['name'] } : 'auto'
}
