import { parseJson } from '#shared/parse-json.ts'
import { parseRetryAfter } from '#shared/retry-after.ts'
import { isWorthRetrying, modelErrors, ModelError, rejectionError } from './model-errors.ts'
import { findNamedImages } from './named-images.ts'
import { readRejection } from './server-rejection.ts'

/** If a server asks for a longer wait, the request fails at once, and the user decides when to try again. */
const maxRetryWaitSeconds = 2
/** Of an error's body: more is a page. */
const maxErrorBytes = 64 * 1024

/** The beginning of a body as text. */
async function readStart(
  { body }: Response,
  maxBytes: number,
  onBytes: (bytes: Uint8Array) => void,
): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  // leaving the loop cancels the rest
  for await (const part of body ?? []) {
    onBytes(part)
    parts.push(part)
    size += part.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(parts).subarray(0, maxBytes).toString()
}

/**
 * An error of any server in the form that all client libraries read: they drop the words of a body that has another one. They try again
 * only what may succeed, after a short wait.
 */
async function translateError(
  response: Response,
  onBytes: (bytes: Uint8Array) => void,
  requestBody: unknown,
): Promise<Response> {
  const text = await readStart(response, maxErrorBytes, onBytes)
  const { status } = response
  const retryAfter = response.headers.get('retry-after')
  const rejection = readRejection(text, { status, retryAfter })
  const { message, code, type, param, isJson } = rejection
  const headers = new Headers(response.headers)
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
  headers.set('content-type', 'application/json')
  if (!isWorthRetrying(rejection) || (parseRetryAfter(retryAfter) ?? 0) > maxRetryWaitSeconds)
    headers.set('x-should-retry', 'false')
  const images = findNamedImages(`${param} ${message}`, requestBody)
  const error = { message, code, type, param, is_json: isJson, ...(images.length > 0 && { images }) }
  return new Response(JSON.stringify({ type: 'error', error }), { status, headers })
}

const pageError = ({ status }: Response) =>
  new ModelError(modelErrors.notModelServer, `the model answered ${status} with a page`)

/** A page without a type, or with a wrong one: no API begins with `<`. */
const beginsPage = (start: string) => /^\s*<[!a-z?]/i.test(start)

/** Longer answers are long for a reason. */
const maxCheckedBytes = 4_096

/** Fields of the answers of all APIs, one of which each of them has: texts, calls, images, transcriptions, lists. */
const answerFields = ['choices', 'output', 'content', 'data', 'text', 'type', 'object']

/**
 * What is wrong with a whole answer that is neither a stream of events nor JSON in the form of an API.
 * @returns undefined if it may be one, or is empty
 */
function findAnswerFault(text: string): ModelError | undefined {
  if (/^\s*((data|event|id|retry|error)?:|$)/.test(text)) return undefined
  // some servers send an object to a line
  const parsed = parseJson(text) ?? parseJson(text.split('\n', 1)[0] ?? '')
  const fields = typeof parsed === 'object' && parsed !== null ? parsed : {}
  if ('error' in fields && fields.error)
    return rejectionError(readRejection(parsed, { status: undefined }), false)
  return answerFields.some((name) => name in fields)
    ? undefined
    : new ModelError(modelErrors.notModelServer, 'the answer has the form of no API')
}

/** Passes a body on, and reports its bytes. It fails for a page, and for an answer that cannot be one of a model. */
function checkedBody(response: Response, onBytes: (bytes: Uint8Array) => void) {
  const start: Uint8Array[] = []
  let size = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (size === 0 && beginsPage(Buffer.from(chunk.subarray(0, 100)).toString())) throw pageError(response)
      size += chunk.length
      if (size <= maxCheckedBytes) start.push(chunk)
      onBytes(chunk)
      controller.enqueue(chunk)
    },
    flush() {
      const fault = size > maxCheckedBytes ? undefined : findAnswerFault(Buffer.concat(start).toString())
      if (fault) throw fault
    },
  })
}

const isPage = ({ headers }: Response) => /^text\/html\b/i.test(headers.get('content-type') ?? '')

/**
 * fetch that reports all bytes as they arrive, and puts errors into one form.
 * @throws ModelError for a page in place of an answer, as proxies and other web servers send it; also the body for what is no answer
 */
export function instrumentedFetch(
  onBytes: (bytes: Uint8Array) => void,
  send: typeof fetch = fetch,
): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    onBytes(new Uint8Array())
    if (!response.ok) return translateError(response, onBytes, init?.body)
    if (isPage(response)) {
      await response.body?.cancel()
      throw pageError(response)
    }
    const { status, statusText, headers } = response
    const body = response.body?.pipeThrough(checkedBody(response, onBytes))
    return new Response(body ?? null, { status, statusText, headers })
  }
}

const tailBytes = 32

/**
 * Detects that a stream ends with `data: [DONE]`, however its bytes are split. The client library does not tell, and some servers give no
 * other sign that their answer is complete.
 */
export function doneDetector() {
  let tail = ''
  return {
    /** called with each chunk */
    onBytes: (bytes: Uint8Array) => {
      tail = (tail + Buffer.from(bytes.subarray(-tailBytes)).toString('latin1')).slice(-tailBytes)
    },
    isDone: () => /(^|\n)data: ?\[DONE\]\s*$/.test(tail),
  }
}
