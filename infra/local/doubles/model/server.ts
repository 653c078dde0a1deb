import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../listen.ts'
import { type ChatCompletionRequest, InvalidRequest, isRecord, parseChatRequest } from './chat-request.ts'
import { type Completion, textCompletion, toolCompletion } from './completion.ts'
import { demoImage } from './demo-image.ts'
import { findInjectedCalls } from './injected-calls.ts'
import { tokenPace } from './pace.ts'
import { replyTo } from './reply.ts'
import type { Reply } from './reply-kinds.ts'

export interface DemoModel {
  /** for OPENAI_BASE_URL, with `/v1` */
  readonly baseUrl: string
  /** generated at the start; requests without it are refused */
  readonly apiKey: string
  /** answers that are being generated right now */
  openRequests(): number
  /** since the start: all completion requests, and those whose client disconnected before the end */
  counts(): { requests: number; aborted: number }
  close(): Promise<void>
}

export const demoModelName = 'juno-demo'
export const demoImageModelName = 'juno-demo-image'

/** images are part of the request; base64 makes them a third larger */
const maxBodyBytes = 40 * 1024 * 1024
/** Every other token of a slow reply is followed by its silence. */
const slowStride = 2
const readingTimeMs = 100

/**
 * The built-in demo model: an OpenAI-compatible server on a free loopback port. Accepts any model name.
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
  if (operation === 'POST /v1/chat/completions') return generate(request, response, state, tokensPerSecond)
  if (operation === 'POST /v1/images/generations') return makeImage(request, response)
  request.resume()
  if (operation === 'GET /requests')
    return sendJson(response, 200, { open: state.open, requests: state.requests, aborted: state.aborted })
  if (operation === 'GET /v1/models')
    return sendJson(response, 200, {
      object: 'list',
      data: [{ id: demoModelName, object: 'model', created: 0, owned_by: 'built-in' }],
    })
  sendError(response, 404, `Invalid URL (${operation})`)
}

function isAuthorized({ headers: { authorization = '' } }: IncomingMessage, { apiKey }: State): boolean {
  const given = Buffer.from(authorization)
  const expected = Buffer.from(`Bearer ${apiKey}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
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
    sendError(response, 400, error.message, error.param)
  }
}

async function generate(
  request: IncomingMessage,
  response: ServerResponse,
  state: State,
  tokensPerSecond: number,
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
    const chat = parseChatRequest(await readJson(request))
    const obeyed = state.gullible && chat.toolChoice !== 'none' ? findInjectedCalls(chat) : []
    const reply: Reply = obeyed.length > 0 ? { kind: 'tools', calls: obeyed } : replyTo(chat)
    await answer(chat, reply, response, { tokensPerSecond, signal: leaving.signal })
  } catch (error) {
    if (leaving.signal.aborted) return
    if (error instanceof InvalidRequest) return sendError(response, 400, error.message, error.param)
    process.stderr.write(`demo model: ${String((error as Error).stack)}\n`)
    sendError(response, 500, 'The demo model failed.')
  } finally {
    state.open -= 1
  }
}

interface Pacing {
  tokensPerSecond: number
  signal: AbortSignal
}

async function answer(
  chat: ChatCompletionRequest,
  reply: Reply,
  response: ServerResponse,
  pacing: Pacing,
): Promise<void> {
  if (reply.kind === 'error') {
    if (reply.status === 429) response.setHeader('retry-after', '20')
    return sendError(response, reply.status, `You asked the demo model to fail with status ${reply.status}.`)
  }
  if (reply.kind === 'hang') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    await once(response, 'close')
    return
  }
  const completion =
    reply.kind === 'tools'
      ? toolCompletion(chat, reply.calls, () => `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`)
      : textCompletion(chat, reply.text, reply.kind === 'text' ? reply.maxTokens : undefined)
  if (chat.stream) await stream(chat, reply, completion, response, pacing)
  else await sendWhole(chat, reply, completion, response, pacing)
}

async function stream(
  chat: ChatCompletionRequest,
  reply: Reply,
  completion: Completion,
  response: ServerResponse,
  { tokensPerSecond, signal }: Pacing,
): Promise<void> {
  const frame = { ...envelope(chat), object: 'chat.completion.chunk' }
  const event = (choices: object[], more: object = {}) =>
    `data: ${JSON.stringify({ ...frame, choices, ...more })}\n\n`
  const choice = (delta: object, finish_reason: string | null = null) => [{ index: 0, delta, finish_reason }]
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.write(event(choice({ role: 'assistant', content: '' })))

  const due = tokenPace(tokensPerSecond, signal)
  const { deltas } = completion
  const most = reply.kind === 'slow' ? slowStride : deltas.length
  for (let sent = 0; sent < deltas.length;) {
    if (reply.kind === 'slow' && sent > 0) await sleep(reply.silenceMs, undefined, { signal })
    const until = Math.min(await due(sent), sent + most, deltas.length)
    const text = deltas.slice(sent, until).map((delta) => event(choice(delta)))
    if (!response.write(text.join(''))) await once(response, 'drain', { signal })
    sent = until
  }
  if (reply.kind === 'cut') {
    // a client drops what it has not read yet when the connection breaks
    await sleep(readingTimeMs, undefined, { signal })
    response.destroy()
    return
  }
  response.write(event(choice({}, completion.finishReason)))
  if (chat.includeUsage) response.write(event([], { usage: completion.usage }))
  response.end('data: [DONE]\n\n')
}

async function sendWhole(
  chat: ChatCompletionRequest,
  reply: Reply,
  { message, deltas, finishReason, usage }: Completion,
  response: ServerResponse,
  { tokensPerSecond, signal }: Pacing,
): Promise<void> {
  const silences = reply.kind === 'slow' ? Math.floor(deltas.length / slowStride) * reply.silenceMs : 0
  await sleep((deltas.length / tokensPerSecond) * 1_000 + silences, undefined, { signal })
  if (reply.kind === 'cut') {
    response.destroy()
    return
  }
  sendJson(response, 200, {
    ...envelope(chat),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishReason, logprobs: null }],
    usage,
  })
}

const envelope = ({ model }: ChatCompletionRequest) => ({
  id: `chatcmpl-${randomUUID()}`,
  created: Math.floor(Date.now() / 1_000),
  model,
})

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

function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  param: string | null = null,
): void {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  sendJson(response, status, { error: { message, type, param, code: null } })
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
