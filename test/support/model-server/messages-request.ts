import {
  isRecord,
  type JsonSchema,
  type ModelRequest,
  type RequestMessage,
} from '../../../infra/local/doubles/model/model-request.ts'
import { findMessagesFault, searchType } from './messages-rules.ts'
import { isSealedFor } from './responses-reasoning.ts'
import { findDemoModel, InvalidRequest, parseImage, type StrictRequest } from './strict-request.ts'

type Fields = Record<string, unknown>

/** A request to the Messages API. */
export interface MessagesRequest extends StrictRequest {
  /** whether thinking is shown in words, and not only signed */
  summarises: boolean
}

/** The default of the API: https://platform.claude.com/docs/en/build-with-claude/effort */
const defaultEffort = 'high'

const toBlocks = (content: unknown): Fields[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : Array.isArray(content)
      ? content.filter(isRecord)
      : []

const toText = (content: unknown) =>
  toBlocks(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n')

const isOwnTool = ({ type }: Fields) => type !== searchType

/** Source: https://platform.claude.com/docs/en/build-with-claude/extended-thinking#thinking-encryption */
function checkSignatures(blocks: readonly Fields[], model: string, path: string): void {
  for (const [index, { type, thinking, signature }] of blocks.entries())
    if (type === 'thinking' && !isSealedFor(String(signature), model, String(thinking)))
      throw new InvalidRequest(`${path}.content.${index}: Invalid \`signature\` in \`thinking\` block`, null)
}

function parseImages(blocks: readonly Fields[], path: string): RequestMessage['images'] {
  return blocks.flatMap(({ type, source }) =>
    type === 'image' && isRecord(source)
      ? [parseImage(`data:${String(source['media_type'])};base64,${String(source['data'])}`, path)]
      : [],
  )
}

/** A message as the other APIs have it: results of tools are messages of their own. */
function parseMessage(message: Fields, index: number, model: string): RequestMessage[] {
  const path = `messages.${index}`
  const blocks = toBlocks(message['content'])
  checkSignatures(blocks, model, path)
  const base = { images: [], calls: [], toolCallId: undefined }
  if (message['role'] === 'assistant')
    return [
      {
        ...base,
        role: 'assistant',
        text: toText(blocks),
        calls: blocks.flatMap(({ type, id, name }) =>
          type === 'tool_use' ? [{ id: String(id), name: String(name) }] : [],
        ),
      },
    ]
  const results = blocks.flatMap(({ type, tool_use_id: id, content }) => {
    if (type !== 'tool_result') return []
    const images = parseImages(toBlocks(content), path)
    return [{ ...base, role: 'tool' as const, text: toText(content), images, toolCallId: String(id) }]
  })
  const images = parseImages(blocks, path)
  const text = toText(blocks)
  return text === '' && images.length === 0 ? results : [...results, { ...base, role: 'user', text, images }]
}

/** @throws InvalidRequest as Anthropic's server rejects it */
export function parseMessagesRequest(value: unknown): MessagesRequest {
  const fault = findMessagesFault(value)
  if (fault !== undefined || !isRecord(value)) throw new InvalidRequest(fault ?? '', null)
  const { messages, system, tools, tool_choice: choice, thinking, output_config: output } = value
  const card = findDemoModel(value['model'])
  const thinks = isRecord(thinking) && thinking['type'] === 'adaptive'
  const effort = isRecord(output) && typeof output['effort'] === 'string' ? output['effort'] : undefined
  if (!card.efforts && thinks)
    throw new InvalidRequest('adaptive thinking is not supported on this model', null)
  if (effort !== undefined && !card.efforts?.includes(effort))
    throw new InvalidRequest('This model does not support the effort parameter.', null)
  const parsed = toBlocks(messages).flatMap((message, index) => parseMessage(message, index, card.id))
  if (!card.seesImages && parsed.some(({ images }) => images.length > 0))
    throw new InvalidRequest('This model does not support image input.', null)
  const instructions = toText(system)
  return {
    model: card.id,
    messages: [
      ...(instructions === ''
        ? []
        : [{ role: 'system' as const, text: instructions, images: [], calls: [], toolCallId: undefined }]),
      ...parsed,
    ],
    tools: toBlocks(tools)
      .filter(isOwnTool)
      .map(({ name, description, input_schema: schema }) => ({
        name: String(name),
        description: typeof description === 'string' ? description : '',
        parameters: isRecord(schema) ? (schema as JsonSchema) : {},
      })),
    searchesWeb: !toBlocks(tools).every(isOwnTool),
    toolChoice: parseToolChoice(choice),
    stream: value['stream'] === true,
    includeUsage: true,
    maxTokens: Number(value['max_tokens']),
    effort: thinks ? (effort ?? defaultEffort) : undefined,
    summarises: isRecord(thinking) && thinking['display'] === 'summarized',
  }
}

function parseToolChoice(value: unknown): ModelRequest['toolChoice'] {
  if (!isRecord(value)) return 'auto'
  if (value['type'] === 'none') return 'none'
  if (value['type'] === 'any') return 'required'
  return typeof value['name'] === 'string' ? { name: value['name'] } : 'auto'
}
