import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { listen } from '../../listen.ts'
import { type ReplyParts, toReplyParts, type Reply } from './reply-parts.ts'
import { type FormattedReply, type Pacing, sendJson, sendWholeReply, streamReply } from './reply-writer.ts'
import { isRecord, type ModelRequest, InvalidRequest } from './model-request.ts'
import { demoModels } from './demo-models.ts'
import { replyTo } from './reply.ts'
import { formatResponsesReply } from './responses-reply.ts'
import { parseResponsesRequest } from './responses-request.ts'

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

/** An API of the server: reads requests, and writes replies in its form. */
export interface ModelApi {
  /** @throws InvalidRequest */
  read: (body: unknown) => { request: ModelRequest; format: (parts: ReplyParts) => FormattedReply }
  /** an error in the form of the API; OpenAI's without it */
  formatError?: (status: number, message: string) => object
}

/** By method and path; tests add the other APIs, and what real servers reject. */
export const modelApis = new Map<string, ModelApi>([
  [
    'POST /v1/responses',
    {
      read(body) {
        const request = parseResponsesRequest(body)
        return { request, format: (parts) => formatResponsesReply(request, parts) }
      },
    },
  ],
])

/**
 * The built-in demo model: a server of OpenAI's Responses API on a free loopback port, with the models of `demo-models.ts`.
 * `GET /requests` returns `{open, requests, aborted}` to a caller in another process.
 */
export async function startDemoModel({
  tokensPerSecond = 40,
  reply = replyTo,
}: { tokensPerSecond?: number; reply?: (request: ModelRequest) => Reply } = {}): Promise<DemoModel> {
  const apiKey = `sk-demo-${randomBytes(24).toString('base64url')}`
  const state = { open: 0, requests: 0, aborted: 0, reply, apiKey }
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
  readonly reply: (request: ModelRequest) => Reply
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
  const api = modelApis.get(operation)
  if (api) return generate(api, { request, response, state, tokensPerSecond })
  if (operation === 'POST /v1/images/generations') return makeImage(request, response)
  if (operation === 'POST /v1/audio/transcriptions') return transcribe(request, response)
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

/** The image for every prompt: it says across its foot that it is a demo. */
export const demoImageFile = join(import.meta.dirname, 'demo-image.png')

/** Image responses. */
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
      data: [{ b64_json: await readFile(demoImageFile, 'base64') }],
    })
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
    sendInvalid(response, error)
  }
}

const audioExtensions = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']

/** A transcription says what was recorded: this model hears nothing. */
async function transcribe(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = await new Response(new Uint8Array(await readBytes(request)), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  })
    .formData()
    .catch(() => undefined)
  const file = form?.get('file')
  if (!(file instanceof File) || typeof form?.get('model') !== 'string')
    return sendInvalid(response, new InvalidRequest('You must provide a file and a model.', 'file'))
  const extension = file.name.slice(file.name.lastIndexOf('.') + 1)
  if (!audioExtensions.includes(extension))
    return sendInvalid(
      response,
      new InvalidRequest(
        `Unrecognized file format. Supported formats: ${audioExtensions.join(', ')}`,
        'file',
      ),
    )
  const format = form.get('response_format')
  if (format !== null && format !== 'json')
    return sendInvalid(response, new InvalidRequest('This model answers with json only.', 'response_format'))
  const kilobytes = Math.ceil(file.size / 1_024)
  sendJson(response, 200, { text: `The demo model cannot hear. It got ${kilobytes} KB as ${file.name}.` })
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  state: State
  tokensPerSecond: number
}

async function generate(
  { read, formatError }: ModelApi,
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
    const { request: asked, format } = read(await readJson(request))
    const reply = state.reply(asked)
    if (reply.kind === 'error') return fail(response, reply.status, formatError)
    if (reply.kind === 'hang') return await waitForDisconnect(response)
    const pacing: Pacing = { tokensPerSecond, signal: leaving.signal }
    const formatted = format(toReplyParts(asked, reply))
    if (asked.stream) await streamReply(formatted, reply, response, pacing)
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

type FormatError = ModelApi['formatError']

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

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBodyBytes) chunks.push(chunk)
  }
  if (size > maxBodyBytes) throw new InvalidRequest('The request is too large.', 'body')
  return Buffer.concat(chunks)
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request)
  try {
    return JSON.parse(bytes.toString('utf8'))
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
