import type OpenAI from 'openai'
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai/core/error'
import { Stream } from 'openai/core/streaming'
import { setTimeout as sleep } from 'node:timers/promises'
import { faults, ModelFault } from './model-faults.ts'

/**
 * Requests to an OpenAI-compatible server, by the openai package's types, its reader of streams and its errors. Its client is not
 * used: with every service of OpenAI inside, it would be a third of the chat function, and compiled at each cold start.
 */
export interface ModelServer {
  /** with `/v1`; undefined is OpenAI itself */
  baseUrl: string | undefined
  /** gives the API key when it is needed; an empty one means that the server wants none */
  readKey: () => Promise<string>
}

interface Post {
  path: string
  body: object
  signal: AbortSignal
  /** told of every sign of life */
  onBytes?: () => void
}

const openAi = 'https://api.openai.com/v1'
/** A longer wait that the model asks for is the user's to decide, not ours to sit through. */
const longestRetryWaitSeconds = 2
const retryWaitMs = 500
/** One event, in one line: more than any answer needs, and few enough to hold. */
const maxLineBytes = 48 * 1024 * 1024
const maxErrorBytes = 256 * 1024
const timeouts = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']

const isTransient = (status: number) => [408, 409, 429].includes(status) || status >= 500

/** How long to wait before the second try; undefined when there is to be none. */
function retryWait({ status, headers }: Response): number | undefined {
  const wanted = headers.get('x-should-retry')
  if (wanted === 'false' || (wanted !== 'true' && !isTransient(status))) return undefined
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  if (seconds > longestRetryWaitSeconds) return undefined
  return seconds >= 0 ? seconds * 1_000 : retryWaitMs
}

function connectionError(cause: unknown): APIConnectionError {
  const { code } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException
  if (code !== undefined && timeouts.includes(code))
    return Object.assign(new APIConnectionTimeoutError(), { cause })
  return new APIConnectionError({ cause: cause as Error })
}

/** The body's bytes as they come. @throws what `check` throws */
async function* checked(
  body: AsyncIterable<Uint8Array> | null,
  check: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of body ?? []) {
    check(bytes)
    yield bytes
  }
}

async function textOf(response: Response, maxBytes: number): Promise<string> {
  let size = 0
  const parts: Uint8Array[] = []
  const count = ({ length }: Uint8Array) => {
    size += length
    if (size > maxBytes) throw new ModelFault(faults.unreadable, `an answer of more than ${maxBytes} bytes`)
  }
  for await (const part of checked(response.body, count)) parts.push(part)
  return Buffer.concat(parts).toString()
}

async function statusError(response: Response): Promise<APIError> {
  const text = await textOf(response, maxErrorBytes).catch(() => '')
  let body: object | undefined
  try {
    body = JSON.parse(text) as object
  } catch {
    // a page, or nothing: the text is all there is to tell
  }
  return APIError.generate(response.status, body, body ? undefined : text, response.headers)
}

/** Sends a request, once more where that may help. @throws APIError, or the reason of the aborted signal */
async function post(server: ModelServer, { path, body, signal, onBytes }: Post): Promise<Response> {
  const url = `${(server.baseUrl ?? openAi).replace(/\/+$/, '')}${path}`
  const key = (await server.readKey()) || 'none'
  for (let isSecond = false; ; isSecond = true) {
    let waitMs: number | undefined = retryWaitMs
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          authorization: `Bearer ${key}`,
        },
        body: JSON.stringify(body),
        signal,
      })
      onBytes?.()
      if (response.ok) return response
      waitMs = retryWait(response)
      if (isSecond || waitMs === undefined) throw await statusError(response)
      await response.body?.cancel()
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof APIError) throw error
      if (isSecond) throw connectionError(error)
    }
    await sleep(waitMs, undefined, { signal })
  }
}

/** @throws APIError, ModelFault, SyntaxError, or the reason of the aborted signal */
export async function postForJson(server: ModelServer, asked: Post, maxBytes: number): Promise<unknown> {
  const response = await post(server, asked)
  return JSON.parse(await textOf(response, maxBytes)) as unknown
}

/** @throws APIError, ModelFault or SyntaxError, also while it is read; or the reason of the aborted signal */
export async function postForStream<Item>(server: ModelServer, asked: Post): Promise<AsyncIterable<Item>> {
  // the reader ends the request by it when what it reads is of no use
  const reader = new AbortController()
  const response = await post(server, { ...asked, signal: AbortSignal.any([asked.signal, reader.signal]) })
  let lineBytes = 0
  const body = checked(response.body, (bytes) => {
    asked.onBytes?.()
    const end = bytes.lastIndexOf(0x0a)
    lineBytes = end === -1 ? lineBytes + bytes.length : bytes.length - end - 1
    if (lineBytes > maxLineBytes) throw new ModelFault(faults.unreadable, 'a line without an end')
  })
  // it takes anything with a body to iterate over; without a client it would write to the console
  const [readable, client] = [{ body, headers: response.headers } as unknown as Response, {} as OpenAI]
  return Stream.fromSSEResponse<Item>(readable, reader, client)
}
