import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeAttachments } from '../../../infra/local/doubles/model/attachments.ts'
import { type Reply, toReplyParts } from '../../../infra/local/doubles/model/reply-parts.ts'
import { replyTo } from '../../../infra/local/doubles/model/reply.ts'
import { commandReply } from '../../../infra/local/doubles/model/texts.ts'
import type { FormattedReply } from '../../../infra/local/doubles/model/responses-api.ts'
import {
  demoImageFile,
  describeModel,
  type Exchange,
  operations,
  readForm,
  readJson,
  sendError,
  sendJson,
  startDemoModel as startModel,
  tokenPace,
} from '../../../infra/local/doubles/model/server.ts'
import { formatChatReply } from './chat-reply.ts'
import { parseChatRequest } from './chat-request.ts'
import { faultReply, type TestReply } from './fault-commands.ts'
import { formatMessagesReply, messagesError } from './messages-reply.ts'
import { parseMessagesRequest } from './messages-request.ts'
import { formatReasonedReply, parseReasoningRequest } from './responses-reasoning.ts'
import { checkResponsesRequest } from './responses-rules.ts'
import {
  demoModels,
  InvalidRequest,
  reasoningTokens,
  type StrictParts,
  type StrictRequest,
} from './strict-request.ts'

/*
 * The demo model as strict as real servers, with the other two wire formats, further models, and faults on request. It is loaded before
 * the product, so that each product of the tests has it. `GET /requests` returns `{open, requests, aborted}`.
 */

/** An API of the server: reads requests, and writes replies in its form. */
interface Api<Request extends StrictRequest> {
  /** @throws InvalidRequest */
  read: (body: Record<string, unknown>) => Request
  format: (request: Request, parts: StrictParts) => FormattedReply
  /** an error in the form of the API; OpenAI's without it */
  formatError?: (status: number, message: string) => object
}

/** Of each server, by its port. */
const servers = new Map<
  number | undefined,
  { open: number; requests: number; aborted: number; reply: (request: StrictRequest) => TestReply }
>()

const findCommand = (message: string): string | undefined => {
  const fault = faultReply(message)
  return fault && 'text' in fault ? fault.text : commandReply(message)
}

/** The demo model's reply, or the fault that the last message asks for. */
export function ownReply(request: StrictRequest): TestReply {
  const last = request.messages.at(-1)
  const fault = last?.role === 'user' ? faultReply(removeAttachments(last.text)) : undefined
  return fault ?? replyTo(request, findCommand)
}

function stateOf({ request }: Exchange) {
  const port = request.socket.localPort
  const state = servers.get(port) ?? { open: 0, requests: 0, aborted: 0, reply: ownReply }
  servers.set(port, state)
  return state
}

function addApi<Request extends StrictRequest>(path: string, api: Api<Request>): void {
  operations.set(`POST ${path}`, async (exchange) => {
    const state = stateOf(exchange)
    state.open += 1
    state.requests += 1
    exchange.response.on('close', () => {
      if (!exchange.response.writableFinished) state.aborted += 1
    })
    try {
      await generate(api, exchange, state.reply)
    } finally {
      state.open -= 1
    }
  })
}

addApi('/v1/chat/completions', { read: parseChatRequest, format: formatChatReply })
addApi('/v1/responses', {
  read(body) {
    checkResponsesRequest(body)
    return parseReasoningRequest(body)
  },
  format: formatReasonedReply,
})
addApi('/v1/messages', {
  read: parseMessagesRequest,
  format: formatMessagesReply,
  formatError: messagesError,
})

operations.set('GET /requests', (exchange) => {
  const { open, requests, aborted } = stateOf(exchange)
  sendJson(exchange.response, 200, { open, requests, aborted })
})
operations.set('GET /v1/models', ({ response }) => {
  const data = demoModels
    .filter(({ isRetired }) => !isRetired)
    .map(({ id, shutdownDate = null }) => ({ ...describeModel(id), shutdown_date: shutdownDate }))
  sendJson(response, 200, { object: 'list', data })
})

const sendInvalid = (
  { response }: Exchange,
  { status, message, param, code }: InvalidRequest,
  formatError?: Api<StrictRequest>['formatError'],
) =>
  formatError
    ? sendJson(response, status, formatError(status, message))
    : sendError(response, status, message, code, param)

async function generate<Request extends StrictRequest>(
  { read, format, formatError }: Api<Request>,
  exchange: Exchange,
  decide: (request: Request) => TestReply,
): Promise<void> {
  const { response } = exchange
  try {
    const body = await readJson(exchange.request).catch((error: unknown) => {
      throw new InvalidRequest('We could not parse the JSON body of your request.', 'body', {
        status: error instanceof SyntaxError ? 400 : 413,
      })
    })
    const request = read(body)
    const reply = decide(request)
    if (reply.kind === 'error') {
      if (reply.status === 429) response.setHeader('retry-after', '20')
      const message = `You asked the demo model to fail with status ${reply.status}.`
      if (formatError) return sendJson(response, reply.status, formatError(reply.status, message))
      return sendError(response, reply.status, message)
    }
    if (reply.kind === 'hang') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      await once(response, 'close')
      return
    }
    const formatted = format(request, toStrictParts(request, reply))
    if (request.stream) await stream(formatted, reply, exchange)
    else await sendWhole(formatted, reply, exchange)
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
    sendInvalid(exchange, error, formatError)
  }
}

function toStrictParts(
  request: StrictRequest,
  reply: Exclude<TestReply, { kind: 'error' | 'hang' }>,
): StrictParts {
  const said: Reply = 'text' in reply ? { ...reply, kind: 'text' } : reply
  const limit = 'maxTokens' in reply ? (reply.maxTokens ?? Infinity) : Infinity
  const parts = toReplyParts(request, said, Math.min(request.maxTokens ?? Infinity, limit))
  const reasoning = reasoningTokens(request)
  return { ...parts, reasoning, outputTokens: parts.outputTokens + reasoning.length }
}

/** Every other token of a slow reply is followed by its silence. */
const slowStride = 2
const readingTimeMs = 500

/** @throws AbortError when the client leaves */
async function stream(
  { head, tokens, tail }: FormattedReply,
  reply: TestReply,
  { response, tokensPerSecond, signal }: Exchange,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.write(head)
  const countDueTokens = tokenPace(tokensPerSecond, signal)
  const maxTokensPerWrite = reply.kind === 'slow' ? slowStride : tokens.length
  for (let sent = 0; sent < tokens.length;) {
    if (reply.kind === 'slow' && sent > 0) await sleep(reply.silenceMs, undefined, { signal })
    const end = Math.min(await countDueTokens(sent), sent + maxTokensPerWrite, tokens.length)
    if (!response.write(tokens.slice(sent, end).join(''))) await once(response, 'drain', { signal })
    sent = end
  }
  if (reply.kind === 'cut') {
    // a client drops what it has not read yet when the connection breaks
    await sleep(readingTimeMs, undefined, { signal })
    response.destroy()
    return
  }
  response.end(tail)
}

/** @throws AbortError when the client leaves */
async function sendWhole(
  { tokens, body }: FormattedReply,
  reply: TestReply,
  { response, tokensPerSecond, signal }: Exchange,
): Promise<void> {
  const silences = reply.kind === 'slow' ? Math.floor(tokens.length / slowStride) * reply.silenceMs : 0
  await sleep((tokens.length / tokensPerSecond) * 1_000 + silences, undefined, { signal })
  if (reply.kind === 'cut') response.destroy()
  else sendJson(response, 200, body)
}

/** @param run throws InvalidRequest for what OpenAI refuses */
function addOperation(operation: string, run: (exchange: Exchange) => Promise<void>): void {
  operations.set(operation, (exchange) =>
    run(exchange).catch((error: unknown) => {
      if (!(error instanceof InvalidRequest)) throw error
      sendInvalid(exchange, error)
    }),
  )
}

addOperation('POST /v1/images/generations', async ({ request, response }) => {
  const { prompt } = await readJson(request)
  if (typeof prompt !== 'string' || prompt.trim() === '')
    throw new InvalidRequest('You must provide a prompt.', 'prompt')
  const failure = /^\/fail (\d{3})/.exec(prompt)?.[1]
  if (failure) return sendError(response, Number(failure), 'You asked the demo model to fail.')
  const image = { b64_json: await readFile(demoImageFile, 'base64') }
  sendJson(response, 200, { created: Math.floor(Date.now() / 1_000), data: [image] })
})

const audioExtensions = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']

addOperation('POST /v1/audio/transcriptions', async ({ request, response }) => {
  const form = await readForm(request).catch(() => undefined)
  const file = form?.get('file')
  if (!(file instanceof File) || typeof form?.get('model') !== 'string')
    throw new InvalidRequest('You must provide a file and a model.', 'file')
  if (!audioExtensions.includes(file.name.slice(file.name.lastIndexOf('.') + 1)))
    throw new InvalidRequest(
      `Unrecognized file format. Supported formats: ${audioExtensions.join(', ')}`,
      'file',
    )
  const format = form.get('response_format')
  if (format !== null && format !== 'json')
    throw new InvalidRequest('This model answers with json only.', 'response_format')
  const kilobytes = Math.ceil(file.size / 1_024)
  sendJson(response, 200, { text: `The demo model cannot hear. It got ${kilobytes} KB as ${file.name}.` })
})

export interface DemoModel {
  readonly baseUrl: string
  readonly apiKey: string
  /** replies that are being generated right now */
  openRequests(): number
  /** since the start: all requests of replies, and those whose client disconnected before the end */
  counts(): { requests: number; aborted: number }
  close(): Promise<void>
}

/** The model as products of tests have it. @param options `reply` replaces its logic */
export async function startDemoModel({
  tokensPerSecond = 40,
  reply = ownReply,
}: { tokensPerSecond?: number; reply?: (request: StrictRequest) => TestReply } = {}): Promise<DemoModel> {
  const model = await startModel({ tokensPerSecond })
  const state = { open: 0, requests: 0, aborted: 0, reply }
  servers.set(Number(new URL(model.baseUrl).port), state)
  return {
    ...model,
    openRequests: () => state.open,
    counts: () => ({ requests: state.requests, aborted: state.aborted }),
  }
}

export { demoModelName } from '../../../infra/local/doubles/model/server.ts'
