import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { embedText } from '../../infra/local/doubles/model/embeddings.ts'
import { findToolMessageFault } from './model-server/tool-messages.ts'

/** How the fake OpenAI-compatible server handles one request, correctly or not. */
export type ModelBehaviour = (
  response: ServerResponse,
  request: IncomingMessage,
  body: ModelRequest,
) => unknown

export interface ModelRequest {
  model: string
  stream?: boolean
  messages: { role: string; content: string | null; tool_calls?: unknown[]; tool_call_id?: string }[]
  tools?: { function: { name: string } }[]
  reasoning_effort?: string
  /** of the Responses API */
  input?: unknown[]
  reasoning?: { effort?: string; summary?: string }
  include?: string[]
}

/** One chunk of a streamed completion, as sent over the wire. */
export const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'fake',
    choices: [{ index: 0, delta, finish_reason }],
  })}\n\n`

/** What a streamed answer is made of, in one API. */
interface WireFormat {
  text: (delta: string) => string
  /** a piece of the call with this number; the first has id and name */
  call: (index: number, part: { id?: unknown; name?: string; args?: string }) => string
  /** the regular end, with the tokens used */
  end: (reason?: 'stop' | 'length' | 'tool_calls', usage?: { input: unknown; output: unknown }) => string
}

const chatFormat: WireFormat = {
  text: (content) => chunk({ content }),
  call: (index, { id, name, args }) =>
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] }),
  end: (reason = 'stop', usage) =>
    `${chunk({}, reason)}${usage ? `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } })}\n\n` : ''}data: [DONE]\n\n`,
}

/** One event of the Responses API. */
export const responseEvent = (type: string, data: object = {}) =>
  `event: response.${type}\ndata: ${JSON.stringify({ type: `response.${type}`, sequence_number: 0, ...data })}\n\n`

const responsesFormat: WireFormat = {
  text: (delta) => responseEvent('output_text.delta', { item_id: 'msg', output_index: 0, delta }),
  call: (index, { id, name, args }) =>
    (name === undefined
      ? ''
      : responseEvent('output_item.added', {
          output_index: index + 1,
          item: { type: 'function_call', id: `fc_${index}`, call_id: id, name, arguments: '' },
        })) +
    (args === undefined
      ? ''
      : responseEvent('function_call_arguments.delta', { output_index: index + 1, delta: args })),
  end: (reason = 'stop', usage) =>
    responseEvent(reason === 'length' ? 'incomplete' : 'completed', {
      response: {
        output: [],
        incomplete_details: reason === 'length' ? { reason: 'max_output_tokens' } : null,
        usage: usage ? { input_tokens: usage.input, output_tokens: usage.output } : null,
      },
    }),
}

/** The form of answers in the API that a request is for. */
export const wireFormat = ({ url = '' }: Pick<IncomingMessage, 'url'>): WireFormat =>
  url.endsWith('/responses') ? responsesFormat : chatFormat

export const beginStream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })

/** Answers with this text, in pieces of a few characters. */
export const says =
  (text: string): ModelBehaviour =>
  (response, request) => {
    const format = wireFormat(request)
    beginStream(response)
    for (const piece of text.match(/[\s\S]{1,5}/g) ?? []) response.write(format.text(piece))
    response.end(format.end())
  }

/** Requests these tool calls. */
export const calls =
  (...toolCalls: { id: string; name: string; arguments: string }[]): ModelBehaviour =>
  (response, request) => {
    const format = wireFormat(request)
    beginStream(response)
    toolCalls.forEach(({ id, name, arguments: text }, index) => {
      const half = Math.ceil(text.length / 2)
      response.write(format.call(index, { id, name, args: text.slice(0, half) }))
      response.write(format.call(index, { args: text.slice(half) }))
    })
    response.end(format.end('tool_calls'))
  }

const reject = (response: ServerResponse, error: object) =>
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))

/**
 * Accepts function tools over Chat Completions only with the effort `none`, and over Responses always; otherwise returns the exact error of OpenAI's server for GPT-5.6.
 * Source: https://github.com/GoogleChromeLabs/webmcp-tools/issues/417 (2026-09-03), BerriAI/litellm#34569.
 */
export const reasonsByDefault =
  (behave: ModelBehaviour): ModelBehaviour =>
  (response, request, body) => {
    if (!body.tools || body.reasoning_effort === 'none' || request.url?.endsWith('/responses'))
      return behave(response, request, body)
    return reject(response, {
      message: `Function tools with reasoning_effort are not supported for ${body.model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
      type: 'invalid_request_error',
      param: 'reasoning_effort',
      code: null,
    })
  }

/**
 * Accepts no function tools over Chat Completions, whatever the effort, like models without `none`, and has no other API.
 * Source: https://github.com/pipecat-ai/pipecat/issues/4043 (2026-03-16) for the words.
 */
export const takesNoTools =
  (behave: ModelBehaviour): ModelBehaviour =>
  (response, request, body) => {
    if (request.url?.endsWith('/responses')) return response.writeHead(404).end('{"detail":"Not Found"}')
    if (!body.tools) return behave(response, request, body)
    return reject(response, {
      message: `Function tools with reasoning_effort are not supported for ${body.model} in /v1/chat/completions. Please use /v1/responses instead.`,
      type: 'invalid_request_error',
      param: 'reasoning_effort',
      code: null,
    })
  }

/** An OpenAI-compatible server with scripted behaviours, one per request; the last one also handles all later requests. */
export async function startFakeModel(...behaviours: ModelBehaviour[]) {
  const requests: ModelRequest[] = []
  const embedded: string[][] = []
  let listed: object | undefined
  let listStatus = 200
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(listed ? listStatus : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(listed ?? { error: { message: 'Not Found' } }))
      return
    }
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString() || '{}') as ModelRequest
      if (request.url?.endsWith('/embeddings')) {
        const texts = body.input as string[]
        embedded.push(texts)
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ data: texts.map((text) => ({ embedding: embedText(text) })) }))
        return
      }
      const behave = behaviours[Math.min(requests.length, behaviours.length - 1)]
      requests.push(body)
      const fault = findToolMessageFault(body.messages ?? [])
      if (fault !== undefined)
        reject(response, { message: fault, type: 'invalid_request_error', param: 'messages' })
      else void behave?.(response, request, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    /** texts of each request for embeddings */
    embedded,
    /** replaces the behaviours, and forgets the requests so far */
    behave: (...next: ModelBehaviour[]) => {
      behaviours = next
      requests.length = 0
    },
    /** what it answers to the request for its models; without it, it has no list */
    list(body: object) {
      listed = body
      listStatus = 200
    },
    /** the status of its answer to that request */
    refuseList(status: number) {
      listed = { error: { message: 'Refused' } }
      listStatus = status
    },
    /** refuses connections, like a server that is down */
    goDown: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    /** accepts connections again at the same address */
    comeBack: async () => {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
