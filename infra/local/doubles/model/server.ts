import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../../listen.ts'
import { type ReplyParts, toReplyParts } from './reply-parts.ts'
import { type FormattedReply, type Pacing, sendJson, sendWholeReply, streamReply } from './reply-writer.ts'
import { formatChatReply } from './chat-reply.ts'
import { isRecord, type ModelRequest, parseChatRequest } from './chat-request.ts'
import { demoImage } from './demo-image.ts'
import { demoModels } from './demo-models.ts'
import { findInjectedCalls } from './injected-calls.ts'
import { InvalidRequest } from './invalid-request.ts'
import { formatMessagesReply, messagesError } from './messages-reply.ts'
import { parseMessagesRequest } from './messages-request.ts'
import { replyTo } from './reply.ts'
import { formatResponsesReply } from './responses-reply.ts'
import { parseResponsesRequest } from './responses-request.ts'
import type { Reply } from './reply-kinds.ts'

export interface DemoModel {
  /** for OPENAI_BASE_URL, with `/v1` */
  readonly baseUrl: string
  /** generated at the start; requests without it are refused */
  readonly apiKey: string
  /** replies that are being generated right now */
  openRequests(): number
  /** since the start: all completion requests, and those whose client disconnected before the end */
  counts(): { requests: number; aborted: number }
  close(): Promise<void>
}

export { demoModelName } from './demo-models.ts'
export const demoImageModelName = 'juno-demo-image'

/** images are part of the request; base64 makes them a third larger */
const maxBodyBytes = 40 * 1024 * 1024

/** An API of the server: reads its requests, and writes replies in its form. */
interface ApiDouble<Request extends ModelRequest> {
  /** @throws InvalidRequest */
  parse: (body: unknown) => Request
  format: (request: Request, parts: ReplyParts) => FormattedReply
  /** an error in the form of the API; OpenAI's without it */
  formatError?: (status: number, message: string) => object
}

const apis = {
  'POST /v1/chat/completions': {
    parse: parseChatRequest,
    format: formatChatReply,
  } satisfies ApiDouble<ModelRequest>,
  'POST /v1/responses': {
    parse: parseResponsesRequest,
    format: formatResponsesReply,
  } satisfies ApiDouble<ReturnType<typeof parseResponsesRequest>>,
  'POST /v1/messages': {
    parse: parseMessagesRequest,
    format: formatMessagesReply,
    formatError: messagesError,
  } satisfies ApiDouble<ReturnType<typeof parseMessagesRequest>>,
}

/**
 * The built-in demo model: an OpenAI-compatible server on a free loopback port, with the models of `demo-models.ts`. It rejects what
 * OpenAI's server rejects.
 * `GET /requests` returns `{open, requests, aborted}` to a caller in another process.
 */
export async function startDemoModel({
  tokensPerSecond = 40,
  gullible = false,
}: { tokensPerSecond?: number; gullible?: boolean } = {}): Promise<DemoModel> {
  const apiKey = `sk-demo-${randomBytes(24).toString('base64url')}`
  const state = { open: 0, requests: 0, aborted: 0, gullible, apiKey }
  const server = await listen(
    createServer((request, response) => {
      void serve(request, response, state, tokensPerSecond)
    }),
  )
  return {
    baseUrl: `${server.url}/v1`,
    apiKey,
    openRequests: () => state.open,
    counts: () => ({ requests: state.requests, aborted: state.aborted }),
    close: () => server.close(),
  }
}

interface State {
  /** obeys instructions in any text it is shown */
  readonly gullible: boolean
  readonly apiKey: string
  open: number
  requests: number
  aborted: number
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  state: State,
  tokensPerSecond: number,
) {
  if (!isAuthorized(request, state)) {
    request.resume()
    return refuseKey(request, response)
  }
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  const operation = `${request.method} ${path}`
  if (operation === 'POST /v1/chat/completions')
    return generate(apis[operation], { request, response, state, tokensPerSecond })
  if (operation === 'POST /v1/responses')
    return generate(apis[operation], { request, response, state, tokensPerSecond })
  if (operation === 'POST /v1/messages')
    return generate(apis[operation], { request, response, state, tokensPerSecond })
  if (operation === 'POST /v1/images/generations') return makeImage(request, response)
  request.resume()
  if (operation === 'GET /requests')
    return sendJson(response, 200, { open: state.open, requests: state.requests, aborted: state.aborted })
  if (operation === 'GET /v1/models')
    return sendJson(response, 200, {
      object: 'list',
      data: demoModels.flatMap(({ id, shutdownDate = null, isRetired }) =>
        isRetired
          ? []
          : [{ id, object: 'model', created: 0, owned_by: 'built-in', shutdown_date: shutdownDate }],
      ),
    })
  sendError(response, 404, `Invalid URL (${operation})`)
}

/** Anthropic's API takes the key in a header of its own: https://platform.claude.com/docs/en/api/overview */
function isAuthorized({ headers, url = '' }: IncomingMessage, { apiKey }: State): boolean {
  const ownKey = url.startsWith('/v1/messages') ? headers['x-api-key'] : undefined
  const actual = Buffer.from(
    ownKey === undefined ? (headers.authorization ?? '') : `Bearer ${String(ownKey)}`,
  )
  const expected = Buffer.from(`Bearer ${apiKey}`)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** OpenAI's error format: https://platform.openai.com/docs/guides/error-codes */
function refuseKey({ headers: { authorization } }: IncomingMessage, response: ServerResponse): void {
  const error =
    authorization === undefined
      ? { message: "You didn't provide an API key.", type: 'invalid_request_error', param: null, code: null }
      : {
          message: 'Incorrect API key provided.',
          type: 'invalid_request_error',
          param: null,
          code: 'invalid_api_key',
        }
  sendJson(response, 401, { error })
}

/** Image responses: a real PNG that says it is a demo. */
async function makeImage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = await readJson(request)
    const prompt = isRecord(body) ? body['prompt'] : undefined
    if (typeof prompt !== 'string' || prompt.trim() === '')
      throw new InvalidRequest('You must provide a prompt.', 'prompt')
    const failure = /^\/fail (\d{3})/.exec(prompt)?.[1]
    if (failure) return sendError(response, Number(failure), 'You asked the demo model to fail.')
    sendJson(response, 200, {
      created: Math.floor(Date.now() / 1_000),
      data: [{ b64_json: demoImage(prompt).toString('base64') }],
    })
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
    sendInvalid(response, error)
  }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  state: State
  tokensPerSecond: number
}

async function generate<Request extends ModelRequest>(
  { parse, format, formatError }: ApiDouble<Request>,
  { request, response, state, tokensPerSecond }: Exchange,
) {
  const leaving = new AbortController()
  state.open += 1
  state.requests += 1
  response.on('close', () => {
    if (!response.writableFinished) {
      leaving.abort()
      state.aborted += 1
    }
  })
  try {
    const chatRequest = parse(await readJson(request))
    const obeyed = state.gullible && chatRequest.toolChoice !== 'none' ? findInjectedCalls(chatRequest) : []
    const reply: Reply = obeyed.length > 0 ? { kind: 'tools', calls: obeyed } : replyTo(chatRequest)
    if (reply.kind === 'error') return fail(response, reply.status, formatError)
    if (reply.kind === 'hang') return await waitForDisconnect(response)
    const pacing: Pacing = { tokensPerSecond, signal: leaving.signal }
    const formatted = format(chatRequest, toReplyParts(chatRequest, reply))
    if (chatRequest.stream) await streamReply(formatted, reply, response, pacing)
    else await sendWholeReply(formatted, reply, response, pacing)
  } catch (error) {
    if (leaving.signal.aborted) return
    if (error instanceof InvalidRequest) return sendInvalid(response, error, formatError)
    process.stderr.write(`demo model: ${String((error as Error).stack)}\n`)
    sendError(response, 500, 'The demo model failed.')
  } finally {
    state.open -= 1
  }
}

type FormatError = ApiDouble<ModelRequest>['formatError']

function fail(response: ServerResponse, status: number, formatError: FormatError): void {
  if (status === 429) response.setHeader('retry-after', '20')
  const message = `You asked the demo model to fail with status ${status}.`
  if (formatError) sendJson(response, status, formatError(status, message))
  else sendError(response, status, message)
}

async function waitForDisconnect(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  await once(response, 'close')
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBodyBytes) chunks.push(chunk)
  }
  if (size > maxBodyBytes) throw new InvalidRequest('The request is too large.', 'body')
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new InvalidRequest('We could not parse the JSON body of your request.', 'body')
  }
}

function sendInvalid(
  response: ServerResponse,
  { status, message, param, code }: InvalidRequest,
  formatError?: FormatError,
): void {
  const body = formatError?.(status, message) ?? {
    error: { message, type: 'invalid_request_error', param, code },
  }
  sendJson(response, status, body)
}

function sendError(response: ServerResponse, status: number, message: string): void {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  sendJson(response, status, { error: { message, type, param: null, code: null } })
}
