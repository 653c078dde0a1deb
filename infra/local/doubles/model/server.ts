import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { wait } from '../../../../functions/platform/clock.ts'
import { listen } from '../../listen.ts'
import { readBody } from '../../read-body.ts'
import { embedText } from './embeddings.ts'
import { isRecord } from './model-request.ts'
import { replyTo } from './reply.ts'
import { toReplyParts } from './reply-parts.ts'
import { type FormattedReply, formatResponsesReply, parseResponsesRequest } from './responses-api.ts'

export interface DemoModel {
  /** for OPENAI_BASE_URL, with `/v1` */
  readonly baseUrl: string
  /** generated at the start; requests without it are refused */
  readonly apiKey: string
  close(): Promise<void>
}

export const demoModelName = 'juno-demo'
export const demoImageModelName = 'juno-demo-image'

/** images are part of the request; base64 makes them a third larger */
const maxBodyBytes = 40 * 1024 * 1024

export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  tokensPerSecond: number
  /** aborted when the client leaves before the end */
  signal: AbortSignal
}

/** By method and path; tests add the other wire formats, and what real servers reject. */
export const operations = new Map<string, (exchange: Exchange) => Promise<void> | void>([
  ['POST /v1/responses', respond],
  ['POST /v1/images/generations', makeImage],
  ['POST /v1/audio/transcriptions', transcribe],
  ['POST /v1/embeddings', embed],
  [
    'GET /v1/models',
    ({ response }) => sendJson(response, 200, { object: 'list', data: [describeModel(demoModelName)] }),
  ],
])

export const describeModel = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'built-in' })

/** The built-in demo model: a server of OpenAI's Responses API on a free loopback port. */
export async function startDemoModel({ tokensPerSecond = 40 } = {}): Promise<DemoModel> {
  const apiKey = `sk-demo-${randomBytes(24).toString('base64url')}`
  const server = await listen(
    createServer((request, response) => {
      const leaving = new AbortController()
      response.on('close', () => {
        if (!response.writableFinished) leaving.abort()
      })
      serve({ request, response, tokensPerSecond, signal: leaving.signal }, apiKey).catch(
        (error: unknown) => {
          if (leaving.signal.aborted) return
          process.stderr.write(`demo model: ${String((error as Error).stack)}\n`)
          if (response.headersSent) response.destroy()
          else sendError(response, 500, 'The demo model failed.')
        },
      )
    }),
  )
  return { baseUrl: `${server.url}/v1`, apiKey, close: () => server.close() }
}

async function serve(exchange: Exchange, apiKey: string): Promise<void> {
  const { request, response } = exchange
  if (!hasKey(request, apiKey)) {
    request.resume()
    return sendError(response, 401, 'Incorrect API key provided.', 'invalid_api_key')
  }
  const operation = `${request.method} ${new URL(request.url ?? '/', 'http://localhost').pathname}`
  const run = operations.get(operation)
  if (run) return run(exchange)
  request.resume()
  sendError(response, 404, `Invalid URL (${operation})`)
}

function hasKey({ headers }: IncomingMessage, apiKey: string): boolean {
  const sent = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '')
  const [actual, expected] = [Buffer.from(String(sent)), Buffer.from(apiKey)]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

async function respond(exchange: Exchange): Promise<void> {
  const { request, response, tokensPerSecond, signal } = exchange
  const asked = parseResponsesRequest(await readJson(request))
  const formatted = formatResponsesReply(asked.model, toReplyParts(asked, replyTo(asked)))
  if (asked.stream) return stream(formatted, exchange)
  await wait((formatted.tokens.length / tokensPerSecond) * 1_000, { signal })
  sendJson(response, 200, formatted.body)
}

/** @throws AbortError when the client leaves */
async function stream(
  { head, tokens, tail }: FormattedReply,
  { response, tokensPerSecond, signal }: Exchange,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.write(head)
  const countDueTokens = tokenPace(tokensPerSecond, signal)
  for (let sent = 0; sent < tokens.length;) {
    const end = await countDueTokens(sent)
    if (!response.write(tokens.slice(sent, end).join(''))) await once(response, 'drain', { signal })
    sent = end
  }
  response.end(tail)
}

/**
 * Paces a reply: `tokensPerSecond` on average, in steps as small as the system's timers allow:
 * 40 a second come one by one and 2,000 a second a few at a time.
 * @returns from each call, after waiting, how many tokens are due by then in all
 * @throws the signal's reason if it aborts
 */
export function tokenPace(tokensPerSecond: number, signal: AbortSignal): (sent: number) => Promise<number> {
  const startedAt = performance.now()
  return async (sent) => {
    const dueAt = startedAt + (sent / tokensPerSecond) * 1_000
    await wait(Math.max(0, dueAt - performance.now()), { signal })
    return Math.max(sent + 1, Math.floor(((performance.now() - startedAt) / 1_000) * tokensPerSecond))
  }
}

/** The image for every prompt: it says across its foot that it is a demo. */
export const demoImageFile = join(import.meta.dirname, 'demo-image.png')

async function makeImage({ request, response }: Exchange): Promise<void> {
  await readJson(request)
  const image = { b64_json: await readFile(demoImageFile, 'base64') }
  sendJson(response, 200, { created: Math.floor(Date.now() / 1_000), data: [image] })
}

/** A transcription says what was recorded: this model hears nothing. */
async function transcribe({ request, response }: Exchange): Promise<void> {
  const { name, size } = (await readForm(request)).get('file') as File
  const kilobytes = Math.ceil(size / 1_024)
  sendJson(response, 200, { text: `The demo model cannot hear. It got ${kilobytes} KB as ${name}.` })
}

async function embed({ request, response }: Exchange): Promise<void> {
  const { model, input } = await readJson(request)
  const texts = (Array.isArray(input) ? input : [input]).map(String)
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0)
  sendJson(response, 200, {
    object: 'list',
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: embedText(text) })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  })
}

const readBytes = (request: IncomingMessage) =>
  readBody(request, maxBodyBytes, () => new Error('the request is too large'))

export async function readForm(request: IncomingMessage): Promise<FormData> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  return new Response(new Uint8Array(await readBytes(request)), { headers }).formData()
}

export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body: unknown = JSON.parse((await readBytes(request)).toString('utf8'))
  return isRecord(body) ? body : {}
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

/** In OpenAI's format: https://platform.openai.com/docs/guides/error-codes */
export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  code: string | null = null,
  param: string | null = null,
): void {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  sendJson(response, status, { error: { message, type, param, code } })
}
