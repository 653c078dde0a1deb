import { findToolMessageFault } from './tool-messages.ts'

/** The parts of an OpenAI chat completion request that the demo model reads. */
export interface ChatCompletionRequest {
  model: string
  messages: RequestMessage[]
  tools: OfferedTool[]
  toolChoice: 'auto' | 'none' | 'required' | { name: string }
  stream: boolean
  includeUsage: boolean
  /** longest answer in tokens */
  maxTokens: number | undefined
}

export interface RequestMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** without parts that are not text */
  text: string
  /** types and sizes of the images sent as data URLs */
  pictures: { type: string; bytes: number }[]
  /** names of the tools that an assistant message called, by call id */
  calls: { id: string; name: string }[]
  toolCallId: string | undefined
}

export interface OfferedTool {
  name: string
  description: string
  parameters: JsonSchema
}

/** As much of JSON Schema as tools are described with. */
export interface JsonSchema {
  type?: string | string[]
  description?: string
  enum?: unknown[]
  default?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
}

/** An invalid request; the message goes to the caller. */
export class InvalidRequest extends Error {
  readonly param: string

  constructor(message: string, param: string) {
    super(message)
    this.param = param
  }
}

/** @throws InvalidRequest naming the parameter that is wrong */
export function parseChatRequest(value: unknown): ChatCompletionRequest {
  if (!isRecord(value)) throw new InvalidRequest('The body must be a JSON object.', 'body')
  const { model, messages, tools, stream } = value
  if (typeof model !== 'string' || model === '')
    throw new InvalidRequest('You must provide a model parameter.', 'model')
  if (!Array.isArray(messages) || messages.length === 0)
    throw new InvalidRequest("'messages' must hold at least one message.", 'messages')
  const fault = findToolMessageFault(messages.filter(isRecord))
  if (fault !== undefined) throw new InvalidRequest(fault, 'messages')
  const options = isRecord(value['stream_options']) ? value['stream_options'] : {}
  return {
    model,
    messages: messages.map(parseMessage),
    tools: Array.isArray(tools) ? tools.map(parseTool) : [],
    toolChoice: parseToolChoice(value['tool_choice']),
    stream: stream === true,
    includeUsage: options['include_usage'] === true,
    maxTokens: parsePositive(value['max_completion_tokens']) ?? parsePositive(value['max_tokens']),
  }
}

const roles = new Map<unknown, RequestMessage['role']>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
])

function parseMessage(value: unknown, index: number): RequestMessage {
  const param = `messages.[${index}]`
  if (!isRecord(value)) throw new InvalidRequest(`${param} must be an object.`, param)
  const role = roles.get(value['role'])
  if (!role) throw new InvalidRequest(`${param}.role is not a known role.`, `${param}.role`)
  const calls = Array.isArray(value['tool_calls']) ? value['tool_calls'] : []
  return {
    role,
    text: parseText(value['content']),
    pictures: parsePictures(value['content'], param),
    calls: calls.flatMap((call: unknown) => {
      const called = isRecord(call) && isRecord(call['function']) ? call['function'] : {}
      return isRecord(call) ? [{ id: String(call['id']), name: String(called['name']) }] : []
    }),
    toolCallId: typeof value['tool_call_id'] === 'string' ? value['tool_call_id'] : undefined,
  }
}

function parseText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n')
}

function parsePictures(content: unknown, param: string): RequestMessage['pictures'] {
  if (!Array.isArray(content)) return []
  return content.flatMap((part: unknown) => {
    if (!isRecord(part) || part['type'] !== 'image_url') return []
    const url = isRecord(part['image_url']) ? String(part['image_url']['url']) : ''
    const [, type, data] = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=]+)$/.exec(url) ?? []
    if (!type || !data) throw new InvalidRequest('Invalid image.', `${param}.content`)
    return [{ type, bytes: Buffer.byteLength(data, 'base64') }]
  })
}

function parseTool(value: unknown, index: number): OfferedTool {
  const offered = isRecord(value) && isRecord(value['function']) ? value['function'] : {}
  const { name, description, parameters } = offered
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw new InvalidRequest(
      `Invalid 'tools[${index}].function.name': it must match ^[a-zA-Z0-9_-]+$ and have at most 64 characters.`,
      `tools[${index}].function.name`,
    )
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: isRecord(parameters) ? (parameters as JsonSchema) : {},
  }
}

function parseToolChoice(value: unknown): ChatCompletionRequest['toolChoice'] {
  if (value === 'none' || value === 'required') return value
  const chosen = isRecord(value) && isRecord(value['function']) ? value['function']['name'] : undefined
  return typeof chosen === 'string' ? { name: chosen } : 'auto'
}

const parsePositive = (value: unknown) => (typeof value === 'number' && value > 0 ? value : undefined)

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
