import { randomBytes } from 'node:crypto'
import {
  isRecord,
  listRecords,
  type ModelRequest,
  type RequestMessage,
  toOfferedTool,
} from './model-request.ts'
import type { ReplyParts } from './reply-parts.ts'
import type { WebSearch } from './web-search.ts'

type Fields = Record<string, unknown>

const webSearchTypes: readonly unknown[] = ['web_search', 'web_search_2025_08_26']
export const isWebSearch = ({ type }: Fields): boolean => webSearchTypes.includes(type)

const roles: Readonly<Record<string, RequestMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
}

function parseContent(content: unknown): Pick<RequestMessage, 'text' | 'images'> {
  if (typeof content === 'string') return { text: content, images: [] }
  const parts = listRecords(content)
  return {
    text: parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n'),
    images: parts.flatMap(({ image_url: url }) => {
      const [, type, data] = /^data:([\w/]+);base64,(.+)$/.exec(String(url)) ?? []
      return type && data ? [{ type, bytes: Buffer.byteLength(data, 'base64') }] : []
    }),
  }
}

/** An input item as a message; none for reasoning and what the demo does not know. */
function parseItem(item: Fields): RequestMessage[] {
  const base = { text: '', images: [], calls: [], toolCallId: undefined }
  const { type = 'message', call_id: callId, name, role, content, output } = item
  if (type === 'function_call')
    return [{ ...base, role: 'assistant', calls: [{ id: String(callId), name: String(name) }] }]
  if (type === 'function_call_output')
    return [{ ...base, role: 'tool', ...parseContent(output), toolCallId: String(callId) }]
  const known = type === 'message' ? roles[String(role)] : undefined
  return known ? [{ ...base, role: known, ...parseContent(content) }] : []
}

/** Parses a request of OpenAI’s Responses API. */
export function parseResponsesRequest(body: Fields): ModelRequest {
  const { model, instructions, input, tool_choice: choice, stream } = body
  const tools = listRecords(body['tools'])
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listRecords(input)
  const system = instructions ? [{ role: 'system', content: instructions }] : []
  return {
    model: String(model),
    messages: [...system, ...items].flatMap(parseItem),
    tools: tools.filter(({ type }) => type === 'function').map(toOfferedTool),
    toolChoice:
      choice === 'none' || choice === 'required'
        ? choice
        : isRecord(choice) && typeof choice['name'] === 'string'
          ? { name: choice['name'] }
          : 'auto',
    searchesWeb: tools.some(isWebSearch),
    stream: stream === true,
  }
}

/** A reply in the form of an API: what a stream is made of, and the whole. */
export interface FormattedReply {
  /** sent at once */
  head: string
  /** one for each token, sent at the pace of the model */
  tokens: string[]
  /** the regular end; a broken connection leaves it out */
  tail: string
  /** body of the response to a request without a stream */
  body: object
}

/** An item of the output, with the events of its parts. */
export interface OutputItem {
  /** as it is announced, without its content */
  begun: object
  done: object
  /** before the first token */
  before: object[]
  /** the events of each token */
  tokens: object[][]
  /** after the last one */
  after: object[]
}

/**
 * A search by the server. Source of the order: a recorded stream at https://gist.github.com/simonw/47b043f0851c54eae85e0bd961d2e198;
 * of the fields: `ResponseFunctionWebSearch` in openai 7.55.
 */
function searchItem(id: string, { query }: WebSearch): OutputItem {
  const item = { id, type: 'web_search_call' }
  return {
    begun: { ...item, status: 'in_progress' },
    done: { ...item, status: 'completed', action: { type: 'search', query, queries: [query] } },
    before: ['in_progress', 'searching', 'completed'].map((state) => ({
      type: `response.web_search_call.${state}`,
      item_id: id,
    })),
    tokens: [],
    after: [],
  }
}

function messageItem(id: string, { text: tokens, search, isCut }: ReplyParts): OutputItem {
  const text = tokens.join('')
  const annotations = (search?.citations ?? [])
    .filter(({ end }) => end <= text.length)
    .map(({ url, title, start, end }) => ({
      type: 'url_citation',
      start_index: start,
      end_index: end,
      title,
      url,
    }))
  const part = { type: 'output_text', text, annotations, logprobs: [] }
  const position = { item_id: id, content_index: 0 }
  const item = { id, type: 'message', role: 'assistant' }
  const added = { ...part, text: '', annotations: [] }
  let written = 0
  return {
    begun: { ...item, status: 'in_progress', content: [] },
    done: { ...item, status: isCut ? 'incomplete' : 'completed', content: [part] },
    before: [{ type: 'response.content_part.added', ...position, part: added }],
    tokens: tokens.map((delta) => {
      const from = written
      written += delta.length
      // right after the text that it belongs to
      const cited = annotations.flatMap((annotation, annotation_index) =>
        annotation.end_index > from && annotation.end_index <= written
          ? [{ type: 'response.output_text.annotation.added', ...position, annotation_index, annotation }]
          : [],
      )
      return [{ type: 'response.output_text.delta', ...position, delta, logprobs: [] }, ...cited]
    }),
    after: [
      { type: 'response.output_text.done', ...position, text, logprobs: [] },
      { type: 'response.content_part.done', ...position, part },
    ],
  }
}

function callItem(id: string, { id: callId, name, argumentTokens }: ReplyParts['calls'][number]): OutputItem {
  const item = { id, type: 'function_call', call_id: callId, name }
  const args = argumentTokens.join('')
  const type = 'response.function_call_arguments'
  return {
    begun: { ...item, status: 'in_progress', arguments: '' },
    done: { ...item, status: 'completed', arguments: args },
    before: [],
    tokens: argumentTokens.map((delta) => [{ type: `${type}.delta`, item_id: id, delta }]),
    after: [{ type: `${type}.done`, item_id: id, name, arguments: args }],
  }
}

const newId = (prefix: string) => `${prefix}_${randomBytes(24).toString('hex')}`

/**
 * The reply as the Responses API has it. Source of the events and of their order:
 * https://developers.openai.com/api/reference/resources/responses/streaming-events
 * @param reasoning what comes before, of a model that reasons
 */
export function formatResponsesReply(
  model: string,
  parts: ReplyParts,
  reasoning: { items: OutputItem[]; tokens: number; newCallId: (index: number) => string } = {
    items: [],
    tokens: 0,
    newCallId: () => newId('fc'),
  },
): FormattedReply {
  const { text, calls, search, isCut, inputTokens, outputTokens } = parts
  const items = [
    ...reasoning.items,
    ...(search ? [searchItem(newId('ws'), search)] : []),
    ...(text.length > 0 || calls.length === 0 ? [messageItem(newId('msg'), parts)] : []),
    ...calls.map((call, index) => callItem(reasoning.newCallId(index), call)),
  ]
  const created_at = Math.floor(Date.now() / 1_000)
  const frame = { id: newId('resp'), object: 'response', created_at, model, store: false, error: null }
  const begun = { ...frame, status: 'in_progress', incomplete_details: null, output: [], usage: null }
  const status = isCut ? 'incomplete' : 'completed'
  const whole = {
    ...frame,
    status,
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: items.map(({ done }) => done),
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: reasoning.tokens },
      total_tokens: inputTokens + outputTokens,
    },
  }
  let sequence = 0
  const event = (data: object) => {
    const { type } = data as { type: string }
    return `event: ${type}\ndata: ${JSON.stringify({ ...data, sequence_number: sequence++ })}\n\n`
  }
  const head =
    event({ type: 'response.created', response: begun }) +
    event({ type: 'response.in_progress', response: begun })
  let opening = ''
  const tokens: string[] = []
  for (const [output_index, item] of items.entries()) {
    const write = (events: object[]) => events.map((data) => event({ ...data, output_index })).join('')
    opening += event({ type: 'response.output_item.added', output_index, item: item.begun })
    opening += write(item.before)
    for (const events of item.tokens) {
      tokens.push(opening + write(events))
      opening = ''
    }
    opening += write(item.after)
    opening += event({ type: 'response.output_item.done', output_index, item: item.done })
  }
  return { head, tokens, tail: opening + event({ type: `response.${status}`, response: whole }), body: whole }
}
