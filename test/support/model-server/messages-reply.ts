import { randomBytes, randomUUID } from 'node:crypto'
import type { FormattedReply } from '../../../infra/local/doubles/model/responses-api.ts'
import type { MessagesRequest } from './messages-request.ts'
import { sealReasoning } from './responses-reasoning.ts'
import type { StrictParts } from './strict-request.ts'

/** A content block: as its start announces it, its deltas, and the whole. */
interface Block {
  begun: object
  deltas: object[]
  /** after the last token */
  closing: object[]
  whole: object
}

function thinkingBlock(request: MessagesRequest, tokens: readonly string[]): Block {
  // without a summary the block is signed and empty
  const shown = request.summarises ? tokens : []
  const thinking = shown.join('')
  const signature = sealReasoning(request.model, thinking, tokens.join(''))
  return {
    begun: { type: 'thinking', thinking: '', signature: '' },
    deltas: shown.map((token) => ({ type: 'thinking_delta', thinking: token })),
    closing: [{ type: 'signature_delta', signature }],
    whole: { type: 'thinking', thinking, signature },
  }
}

/** A search by the server. Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool#streaming */
function searchBlocks({ query, citations }: NonNullable<StrictParts['search']>): Block[] {
  const id = `srvtoolu_${randomBytes(12).toString('hex')}`
  const call = { type: 'server_tool_use', id, name: 'web_search' }
  const content = citations.map(({ url, title }) => ({
    type: 'web_search_result',
    url,
    title,
    encrypted_content: '',
  }))
  const result = { type: 'web_search_tool_result', tool_use_id: id, content }
  const input = { query }
  return [
    {
      begun: { ...call, input: {} },
      deltas: [],
      closing: [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }],
      whole: { ...call, input },
    },
    { begun: result, deltas: [], closing: [], whole: result },
  ]
}

const textBlock = (tokens: readonly string[], search: StrictParts['search']): Block => ({
  begun: { type: 'text', text: '' },
  deltas: tokens.map((text) => ({ type: 'text_delta', text })),
  closing: (search?.citations ?? []).map(({ url, title }) => ({
    type: 'citations_delta',
    citation: { type: 'web_search_result_location', url, title, cited_text: '', encrypted_index: '' },
  })),
  whole: { type: 'text', text: tokens.join('') },
})

function toolBlock({ name, argumentTokens }: StrictParts['calls'][number]): Block {
  const id = `toolu_${randomBytes(12).toString('hex')}`
  const input: unknown = JSON.parse(argumentTokens.join(''))
  return {
    begun: { type: 'tool_use', id, name, input: {} },
    deltas: argumentTokens.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    closing: [],
    whole: { type: 'tool_use', id, name, input },
  }
}

/**
 * The reply as the Messages API has it. Source of the events and of their order:
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export function formatMessagesReply(request: MessagesRequest, parts: StrictParts): FormattedReply {
  const { reasoning, text, calls, search, isCut, inputTokens, outputTokens } = parts
  const blocks = [
    ...(reasoning.length > 0 ? [thinkingBlock(request, reasoning)] : []),
    ...(search ? searchBlocks(search) : []),
    ...(text.length > 0 ? [textBlock(text, search)] : []),
    ...calls.map(toolBlock),
  ]
  const stopReason = calls.length > 0 ? 'tool_use' : isCut ? 'max_tokens' : 'end_turn'
  const inputUsage = {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  }
  const usage = {
    ...inputUsage,
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: reasoning.length },
    ...(search && { server_tool_use: { web_search_requests: 1 } }),
  }
  const frame = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model: request.model }
  const event = (data: { type: string } & Record<string, unknown>) =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
  const begun = { ...frame, content: [], stop_reason: null, usage: { ...inputUsage, output_tokens: 1 } }
  let opening = ''
  const tokens: string[] = []
  for (const [index, block] of blocks.entries()) {
    opening += event({ type: 'content_block_start', index, content_block: block.begun })
    for (const delta of block.deltas) {
      tokens.push(opening + event({ type: 'content_block_delta', index, delta }))
      opening = ''
    }
    for (const delta of block.closing) opening += event({ type: 'content_block_delta', index, delta })
    opening += event({ type: 'content_block_stop', index })
  }
  const delta = { stop_reason: stopReason, stop_sequence: null }
  return {
    head: event({ type: 'message_start', message: begun }) + event({ type: 'ping' }),
    tokens,
    tail: opening + event({ type: 'message_delta', delta, usage }) + event({ type: 'message_stop' }),
    body: { ...frame, content: blocks.map(({ whole }) => whole), ...delta, usage },
  }
}

/** https://platform.claude.com/docs/en/api/errors */
const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** An error in the form of the Messages API. */
export const messagesError = (status: number, message: string): object => ({
  type: 'error',
  error: { type: errorTypes[status] ?? 'api_error', message },
  request_id: `req_${randomUUID()}`,
})
