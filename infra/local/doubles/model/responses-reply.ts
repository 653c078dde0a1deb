import { createHmac, randomBytes } from 'node:crypto'
import type { FormattedReply } from './reply-writer.ts'
import type { ReplyParts } from './reply-parts.ts'
import type { ResponsesRequest } from './responses-request.ts'
import type { WebSearch } from './web-search.ts'

/** Not secret: it tells reasoning of this server from other text, also after a restart. */
const key = 'juno-demo-reasoning'
const prefix = 'gAAAAAB'

const sign = (payload: string) => createHmac('sha256', key).update(payload).digest()

/** Stands for encrypted reasoning: only this server can have made it, for this model and item. */
export function sealReasoning(model: string, id: string, text: string): string {
  const payload = Buffer.from(JSON.stringify({ model, id, text })).toString('base64url')
  return `${prefix}${payload}.${sign(payload).toString('base64url')}`
}

/** The id of a call's item tells which reasoning it came from. */
const toCallItemId = (reasoningId: string, index: number): string =>
  `${reasoningId.replace(/^rs_/, 'fc_')}_${index}`

/** An item of the output, with the events of its parts. */
interface OutputItem {
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

function reasoningItem(id: string, request: ResponsesRequest, tokens: readonly string[]): OutputItem {
  const text = tokens.join('')
  const seal = request.encrypts ? { encrypted_content: sealReasoning(request.model, id, text) } : {}
  const position = { item_id: id, summary_index: 0 }
  const summary = request.summarises ? [{ type: 'summary_text', text }] : []
  const event = (type: string, more: object) => ({
    type: `response.reasoning_summary_${type}`,
    ...position,
    ...more,
  })
  return {
    begun: { id, type: 'reasoning', summary: [], status: 'in_progress' },
    done: { id, type: 'reasoning', summary, ...seal, status: 'completed' },
    before: request.summarises ? [event('part.added', { part: { type: 'summary_text', text: '' } })] : [],
    // without a summary nothing is heard while it reasons
    tokens: request.summarises ? tokens.map((delta) => [event('text.delta', { delta })]) : [],
    after: request.summarises
      ? [event('text.done', { text }), event('part.done', { part: { type: 'summary_text', text } })]
      : [],
  }
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

function messageItem(id: string, { text: tokens, search, end }: ReplyParts): OutputItem {
  const text = tokens.join('')
  const annotations = (search?.citations ?? [])
    .filter((citation) => citation.end <= text.length)
    .map(({ url, title, start, end: after }) => ({
      type: 'url_citation',
      start_index: start,
      end_index: after,
      title,
      url,
    }))
  const part = { type: 'output_text', text, annotations, logprobs: [] }
  const position = { item_id: id, content_index: 0 }
  const item = { id, type: 'message', role: 'assistant' }
  let written = 0
  return {
    begun: { ...item, status: 'in_progress', content: [] },
    done: { ...item, status: end === 'stop' ? 'completed' : 'incomplete', content: [part] },
    before: [
      { type: 'response.content_part.added', ...position, part: { ...part, text: '', annotations: [] } },
    ],
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
      { type: 'response.output_text.done', ...position, text: part.text, logprobs: [] },
      { type: 'response.content_part.done', ...position, part },
    ],
  }
}

function callItem(id: string, { id: callId, name, argumentTokens }: ReplyParts['calls'][number]): OutputItem {
  const item = { id, type: 'function_call', call_id: callId, name }
  const args = argumentTokens.join('')
  return {
    begun: { ...item, status: 'in_progress', arguments: '' },
    done: { ...item, status: 'completed', arguments: args },
    before: [],
    tokens: argumentTokens.map((delta) => [
      { type: 'response.function_call_arguments.delta', item_id: id, delta },
    ]),
    after: [{ type: 'response.function_call_arguments.done', item_id: id, name, arguments: args }],
  }
}

/**
 * The reply as the Responses API has it. Source of the events and of their order:
 * https://developers.openai.com/api/reference/resources/responses/streaming-events
 */
export function formatResponsesReply(request: ResponsesRequest, parts: ReplyParts): FormattedReply {
  const { reasoning, text, calls, search, end, inputTokens, outputTokens } = parts
  const newId = (prefix: string) => `${prefix}_${randomBytes(24).toString('hex')}`
  const reasoningId = newId('rs')
  const items = [
    ...(reasoning.length > 0 ? [reasoningItem(reasoningId, request, reasoning)] : []),
    ...(search ? [searchItem(newId('ws'), search)] : []),
    ...(text.length > 0 || calls.length === 0 ? [messageItem(newId('msg'), parts)] : []),
    ...calls.map((call, index) =>
      callItem(reasoning.length > 0 ? toCallItemId(reasoningId, index) : newId('fc'), call),
    ),
  ]
  const frame = {
    id: newId('resp'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    model: request.model,
    store: false,
    error: null,
  }
  const begun = { ...frame, status: 'in_progress', incomplete_details: null, output: [], usage: null }
  const whole = {
    ...frame,
    status: end === 'stop' ? 'completed' : 'incomplete',
    incomplete_details: end === 'stop' ? null : { reason: 'max_output_tokens' },
    output: items.map(({ done }) => done),
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: reasoning.length },
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
    opening += event({ type: 'response.output_item.added', output_index, item: item.begun })
    for (const data of item.before) opening += event({ ...data, output_index })
    for (const events of item.tokens) {
      tokens.push(opening + events.map((data) => event({ ...data, output_index })).join(''))
      opening = ''
    }
    for (const data of item.after) opening += event({ ...data, output_index })
    opening += event({ type: 'response.output_item.done', output_index, item: item.done })
  }
  const type = end === 'stop' ? 'response.completed' : 'response.incomplete'
  return { head, tokens, tail: opening + event({ type, response: whole }), body: whole }
}
