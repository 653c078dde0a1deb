import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages'
import { findMessagesFault } from './model-server/messages-rules.ts'
import { listen } from '../../infra/local/listen.ts'

export type MessagesRequest = MessageCreateParamsStreaming
/** How the fake server answers one request. */
export type MessagesBehaviour = (response: ServerResponse, body: MessagesRequest) => void

type Event = { type: string } & Record<string, unknown>

export const writeEvent = (response: ServerResponse, event: Event) =>
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)

export const beginMessage = (
  response: ServerResponse,
  usage: object = { input_tokens: 10, output_tokens: 1 },
) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm' }
  writeEvent(response, { type: 'message_start', message: { ...message, stop_reason: null, usage } })
  writeEvent(response, { type: 'ping' })
}

export const endMessage = (
  response: ServerResponse,
  reason: string,
  usage: object = { output_tokens: 20 },
) => {
  writeEvent(response, {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage,
  })
  writeEvent(response, { type: 'message_stop' })
  response.end()
}

/** A content block: its start, its deltas and its end. */
export function writeBlock(response: ServerResponse, index: number, block: object, deltas: Event[]) {
  writeEvent(response, { type: 'content_block_start', index, content_block: block })
  for (const delta of deltas) writeEvent(response, { type: 'content_block_delta', index, delta })
  writeEvent(response, { type: 'content_block_stop', index })
}

export const textDeltas = (...texts: string[]) => texts.map((text) => ({ type: 'text_delta', text }))

/** Answers with a text, in the pieces given. */
export const writesText =
  (...pieces: string[]): MessagesBehaviour =>
  (response) => {
    beginMessage(response)
    writeBlock(response, 0, { type: 'text', text: '' }, textDeltas(...pieces))
    endMessage(response, 'end_turn')
  }

/** Answers with an error. Form: https://platform.claude.com/docs/en/api/errors */
export const fails =
  (status: number, type: string, message: string, headers: Record<string, string> = {}): MessagesBehaviour =>
  (response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' }))
  }

/** A server of the Messages API with one behaviour per request, the last one for all later; it rejects what Anthropic's does. */
export async function startFakeMessages(...behaviours: MessagesBehaviour[]) {
  const requests: MessagesRequest[] = []
  const headers: IncomingHttpHeaders[] = []
  async function serve(request: IncomingMessage, response: ServerResponse) {
    const body = (await json(request)) as MessagesRequest
    const behave = behaviours[Math.min(requests.length, behaviours.length - 1)]
    requests.push(body)
    headers.push(request.headers)
    const fault = request.headers['anthropic-version']
      ? findMessagesFault(body)
      : 'anthropic-version: header is required'
    if (request.url !== '/v1/messages') fails(404, 'not_found_error', 'Not found')(response, body)
    else if (fault !== undefined) fails(400, 'invalid_request_error', fault)(response, body)
    else behave?.(response, body)
  }
  const server = await listen(createServer((request, response) => void serve(request, response)))
  return { baseUrl: `${server.url}/v1`, requests, headers, close: () => server.close() }
}
