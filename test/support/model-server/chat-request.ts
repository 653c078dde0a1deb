import {
  isRecord,
  type JsonSchema,
  type ModelRequest,
  type OfferedTool,
  type RequestMessage,
} from '../../../infra/local/doubles/model/model-request.ts'
import { checkChatParameters, checkReasoningLimits, parseChatEffort } from './parameter-rules.ts'
import {
  findDemoModel,
  InvalidRequest,
  parseImage,
  parsePositive,
  type StrictRequest,
} from './strict-request.ts'
import { findToolMessageFault } from './tool-messages.ts'

/** @throws InvalidRequest naming the parameter that is wrong */
export function parseChatRequest(value: unknown): StrictRequest {
  if (!isRecord(value)) throw new InvalidRequest('The body must be a JSON object.', 'body')
  checkChatParameters(value)
  const { messages, tools, stream } = value
  const card = findDemoModel(value['model'])
  checkReasoningLimits(card, value)
  if (!Array.isArray(messages) || messages.length === 0)
    throw new InvalidRequest("'messages' must hold at least one message.", 'messages')
  const fault = findToolMessageFault(messages.filter(isRecord))
  if (fault !== undefined) throw new InvalidRequest(fault, 'messages')
  const options = isRecord(value['stream_options']) ? value['stream_options'] : {}
  const parsed = messages.map(parseMessage)
  const firstImageIndex = parsed.findIndex(({ images }) => images.length > 0)
  // https://github.com/zou-group/textgrad/issues/210
  if (!card.seesImages && firstImageIndex >= 0)
    throw new InvalidRequest(
      'Invalid content type. image_url is only supported by certain models.',
      `messages.[${firstImageIndex}].content.[0].type`,
    )
  return {
    model: card.id,
    effort: parseChatEffort(card, value),
    messages: joinToolImages(parsed),
    tools: Array.isArray(tools) ? tools.map(parseTool) : [],
    toolChoice: parseToolChoice(value['tool_choice']),
    stream: stream === true,
    includeUsage: options['include_usage'] === true,
    maxTokens: parsePositive(value['max_completion_tokens']) ?? parsePositive(value['max_tokens']),
  }
}

/** Chat Completions gets the images of tools as a message of the user right after their results. */
function joinToolImages(messages: RequestMessage[]): RequestMessage[] {
  const [result, { role, images } = {}] = messages.slice(-2)
  if (result?.role !== 'tool' || role !== 'user' || !images?.length) return messages
  return [...messages.slice(0, -2), { ...result, images }]
}

const roles = new Map<unknown, RequestMessage['role']>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
])

/** Source: `ChatCompletionMessageParam` in openai 7.55, resources/chat/completions/completions.d.ts. */
const messageKeys: readonly string[] =
  'role content name refusal audio function_call tool_calls tool_call_id'.split(' ')

function parseMessage(value: unknown, index: number): RequestMessage {
  const param = `messages.[${index}]`
  if (!isRecord(value)) throw new InvalidRequest(`${param} must be an object.`, param)
  const extra = Object.keys(value).find((key) => !messageKeys.includes(key))
  if (extra !== undefined)
    throw new InvalidRequest(
      `Additional properties are not allowed ('${extra}' was unexpected) - 'messages.${index}'`,
      null,
    )
  const role = roles.get(value['role'])
  if (!role) throw new InvalidRequest(`${param}.role is not a known role.`, `${param}.role`)
  const calls = Array.isArray(value['tool_calls']) ? value['tool_calls'] : []
  return {
    role,
    text: parseText(value['content']),
    images: parseImages(value['content'], param),
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

function parseImages(content: unknown, param: string): RequestMessage['images'] {
  if (!Array.isArray(content)) return []
  return content.flatMap((part: unknown) => {
    if (!isRecord(part) || part['type'] !== 'image_url') return []
    const url = isRecord(part['image_url']) ? String(part['image_url']['url']) : ''
    return [parseImage(url, `${param}.content`)]
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

function parseToolChoice(value: unknown): ModelRequest['toolChoice'] {
  if (value === 'none' || value === 'required') return value
  const chosen = isRecord(value) && isRecord(value['function']) ? value['function']['name'] : undefined
  return typeof chosen === 'string' ? { name: chosen } : 'auto'
}
