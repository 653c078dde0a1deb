import { trimSlashes } from '#shared/trim-characters.ts'
import { wait } from '../platform/clock.ts'
import { rememberSecret } from '../platform/secrets/sent-secrets.ts'
import { modelErrors, ModelError } from './model-errors.ts'
import { findNamedParts } from './named-parts.ts'
import { connectionError, isWorthRetrying, rejectionError } from './request-errors.ts'
import { readWait, readWaitHeaders } from './reported-wait.ts'
import { readRejection } from './server-rejection.ts'

/** Where a model is, and how it is asked. */
export interface ModelServerAccess {
  /** OpenAI's own without it */
  baseUrl: string | undefined
  /** gives the API key when it is needed; an empty one means that the server wants none */
  readKey: () => Promise<string>
  /** sends the requests; `fetch` without it */
  fetch?: typeof fetch
}

export interface PostRequest {
  /** of the API, below the server's address: `/responses` */
  path: string
  /** sent as JSON if it is no form and no text */
  body: object | string
  /** further headers, which may have the key */
  headers?: (key: string) => Record<string, string>
  signal: AbortSignal
  /** called with each piece of an answer, that of an error included, and with none when it begins; what it throws ends the request */
  onBytes: (bytes: Uint8Array) => void
}

export const openAiBaseUrl = 'https://api.openai.com/v1'
const retryWaitMs = 500
/** If a server asks for a longer wait, the request fails at once: whoever has sent it may wait, and say so. */
export const maxRetryWaitSeconds = 2
/** Of an error's body: more is a page. */
const maxErrorBytes = 64 * 1024
/** What may succeed in a moment, if the words of the error do not say otherwise. */
const mayRetry = (status: number) => status >= 500 || [408, 409, 429].includes(status)

/** Half a pair, which a text may have been cut at, is no JSON to servers: https://github.com/anthropics/claude-code/issues/60394. */
function toJson(body: object): string {
  const json = JSON.stringify(body)
  if (!/\\ud[89a-f]/.test(json)) return json
  return JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )
}

const isPage = ({ headers }: Response) => /^text\/html\b/i.test(headers.get('content-type') ?? '')
/** A page without a type, or with a wrong one: no API begins with `<`. */
const beginsPage = (bytes: Uint8Array) => /^\s*<[!a-z?]/i.test(Buffer.from(bytes.subarray(0, 100)).toString())
/** Proxies and other web servers send pages. */
const pageError = ({ status }: Response) =>
  new ModelError(modelErrors.notModelServer, `the model answered ${status} with a page`)

/** The beginning of an error's body as text. */
async function readErrorBody({ body }: Response, onBytes: PostRequest['onBytes']): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  // leaving the loop cancels the rest
  for await (const part of body ?? []) {
    onBytes(part)
    parts.push(part)
    size += part.length
    if (size >= maxErrorBytes) break
  }
  return Buffer.concat(parts).subarray(0, maxErrorBytes).toString()
}

async function* readBody(response: Response, onBytes: PostRequest['onBytes']): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const bytes of response.body ?? []) {
    if (isFirst && beginsPage(bytes)) throw pageError(response)
    isFirst = false
    onBytes(bytes)
    yield bytes
  }
}

/**
 * Waits before a request is sent again, if its error inside a stream says that this may help, as those with a status do.
 * @throws the error if it does not, or the signal's reason
 */
export async function waitToRepeat(error: unknown, signal: AbortSignal): Promise<void> {
  const { rejection, retryAfterSeconds = 0 } = error instanceof ModelError ? error : {}
  if (!rejection || !isWorthRetrying(rejection) || retryAfterSeconds > maxRetryWaitSeconds) throw error
  await wait(retryAfterSeconds ? retryAfterSeconds * 1_000 : retryWaitMs, { signal })
}

/**
 * Sends one request to a model's server, and once more after a short wait if that may help.
 * @returns the body of the answer, piece by piece
 * @throws ModelError for an error, with the server's `rejection`, and for a page in place of an answer; or the signal's reason
 */
export async function post(
  { baseUrl = openAiBaseUrl, readKey, fetch: send = fetch }: ModelServerAccess,
  { path, body, headers, signal, onBytes }: PostRequest,
): Promise<AsyncIterable<Uint8Array>> {
  const key = (await readKey()) || 'none'
  rememberSecret(key)
  const isForm = body instanceof FormData
  const init: RequestInit = {
    method: 'POST',
    headers: {
      'user-agent': 'juno-assistant',
      authorization: `Bearer ${key}`,
      ...(!isForm && { 'content-type': 'application/json' }),
      ...headers?.(key),
    },
    body: isForm || typeof body === 'string' ? body : toJson(body),
    signal,
  }
  for (let isLast = false; ; isLast = true) {
    const response = await send(trimSlashes(baseUrl) + path, init).catch((error: unknown) => {
      signal.throwIfAborted()
      if (isLast || error instanceof ModelError) throw connectionError(error)
    })
    let waitSeconds: number | undefined
    if (response) {
      onBytes(new Uint8Array())
      const { ok, status, headers: answered } = response
      if (ok && isPage(response)) {
        await response.body?.cancel()
        throw pageError(response)
      }
      if (ok) return readBody(response, onBytes)
      const retryAfter = readWaitHeaders(answered)
      const rejection = readRejection(await readErrorBody(response, onBytes), { status, retryAfter })
      waitSeconds = readWait(rejection)
      const isFinal =
        isLast ||
        !mayRetry(status) ||
        answered.get('x-should-retry') === 'false' ||
        (waitSeconds ?? 0) > maxRetryWaitSeconds ||
        !isWorthRetrying(rejection)
      if (isFinal) {
        const named = findNamedParts(`${rejection.param} ${rejection.message}`, body)
        throw rejectionError({ ...rejection, ...(named.length > 0 && { named }) }, false)
      }
    }
    await wait(waitSeconds ? waitSeconds * 1_000 : retryWaitMs, { signal })
  }
}
