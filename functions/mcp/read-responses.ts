import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/client'
import { createParser } from 'eventsource-parser'
import { parseJson } from '#shared/parse-json.ts'
import { parseExactJson } from '../platform/exact-json.ts'
import { OutboundFailed, ResponseTooLarge } from '../platform/net/outbound-http.ts'
import { isRecord } from './is-record.ts'
import { wrapAnswer } from './tool-result.ts'

/** A server answered a request with something that is no message of the protocol. */
export class UnexpectedAnswer extends Error {
  readonly status: number
  /** media type without parameters; empty if there is none */
  readonly type: string
  /** the start of what it sent: untrusted */
  readonly text: string

  constructor(
    { status, type, text }: { status: number; type: string; text: string },
    options?: ErrorOptions,
  ) {
    super('the answer is no message of the protocol', options)
    this.status = status
    this.type = type
    this.text = text.slice(0, maxKeptCharacters)
  }
}
const maxKeptCharacters = 2_000

interface Request {
  id: number | string
  method: string
  /** of the revision 2026-07-28, which may answer a call with a request for more or with a task */
  isModern: boolean
}

/** Code of the error that stands for the answer where a stream ends without a readable one. It is none of JSON-RPC's own. */
export const brokenAnswerCode = -31_990
/** Why it ends: the error's message. */
export type BrokenAnswer = 'lost' | 'too large' | 'unreadable'

const handshakeMethods = new Set(['server/discover', 'initialize'])
const internalError = -32_603

/** @returns the media type without parameters; empty if there is none */
export const getMediaType = (response: Response) =>
  (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

function parseRequests(body: string | undefined): Request[] {
  if (body === undefined) return []
  const message: unknown = JSON.parse(body)
  return [message].flat().flatMap((one) => {
    if (!isRecord(one) || typeof one['method'] !== 'string') return []
    const { id, method, params } = one
    const meta = isRecord(params) ? params['_meta'] : undefined
    const isModern = isRecord(meta) && PROTOCOL_VERSION_META_KEY in meta
    return typeof id === 'string' || typeof id === 'number' ? [{ id, method, isModern }] : []
  })
}

const dropNulls = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))

/** What `initialize` and `server/discover` return, as the client accepts it: null and absent are one, as is `[]` for an empty object in PHP. */
function tidyHandshake(result: Record<string, unknown>): Record<string, unknown> {
  const { serverInfo, capabilities } = result
  const tidyObject = (value: unknown) => (isRecord(value) ? dropNulls(value) : {})
  const info = tidyObject(serverInfo)
  return {
    ...result,
    capabilities: Object.fromEntries(
      Object.entries(tidyObject(capabilities)).map(([name, value]) => [
        name,
        Array.isArray(value) && value.length === 0 ? {} : value === true ? {} : value,
      ]),
    ),
    serverInfo: {
      ...info,
      name: typeof info['name'] === 'string' ? info['name'] : '',
      version: typeof info['version'] === 'string' ? info['version'] : '',
    },
  }
}

function toClientResult(request: Request | undefined, result: unknown, text: string): unknown {
  const { method, isModern = false } = request ?? {}
  const isRequestForMore =
    isModern && isRecord(result) && ['input_required', 'task'].includes(String(result['resultType']))
  if (method?.startsWith('tasks/') || (method === 'tools/call' && !isRequestForMore)) return wrapAnswer(text)
  if (!isRecord(result)) return {}
  const tidied = dropNulls(result)
  return method !== undefined && handshakeMethods.has(method) ? tidyHandshake(tidied) : tidied
}

function toClientError(error: unknown): object {
  const { code, message, data } = isRecord(error)
    ? error
    : { code: undefined, message: error, data: undefined }
  return {
    code: Number.isInteger(code) ? code : internalError,
    message: typeof message === 'string' ? message : JSON.stringify(error),
    ...(data !== undefined && data !== null && { data }),
  }
}

/**
 * Makes answers of servers readable for the SDK's client, which rejects a whole answer for one odd field, also after the call was made:
 * results of calls are wrapped, and a missing id, `null` in optional fields and unusual media types are forgiven.
 * @param answersOnStream of the older transport: what a POST is answered says nothing
 * @returns `read` for each response of one connection, `giveUp` for each stream that could not be continued
 */
export function responseReader({ answersOnStream }: { answersOnStream: boolean }) {
  const requests = new Map<string, Request>()
  /** unfinished answers that the client can ask for again, by the id of the last event */
  const unfinished = new Map<string, { request: Request; failures: number }>()

  /** @returns the message for the client; undefined if it is none. @param text the message as it was sent */
  function toClientMessage(message: unknown, only: Request | undefined, text: string): object | undefined {
    if (!isRecord(message)) return undefined
    const { result, error, id: givenId, ...rest } = message
    const hasId = typeof givenId === 'string' || typeof givenId === 'number'
    if (typeof message['method'] === 'string')
      return { ...dropNulls(rest), jsonrpc: '2.0', ...(hasId && { id: givenId }) }
    const request = hasId ? requests.get(String(givenId)) : only
    const id = request?.id ?? givenId
    const hasError = error !== undefined && error !== null
    if (!hasError && !('result' in message)) return undefined
    if (request) requests.delete(String(request.id))
    return hasError
      ? { jsonrpc: '2.0', id: id ?? null, error: toClientError(error) }
      : { jsonrpc: '2.0', id: id ?? null, result: toClientResult(request, result, text) }
  }

  function readJson(text: string, only: Request | undefined): string | undefined {
    const parsed = parseJson(text)
    if (parsed === undefined) return undefined
    if (Array.isArray(parsed)) return readBatch(text, only)
    const message = toClientMessage(parsed, only, text)
    try {
      return JSON.stringify(message)
    } catch {
      // nested beyond the engine's stack, which the client's own parser is not
      return text
    }
  }

  /** Of the revision 2025-03-26. */
  function readBatch(text: string, only: Request | undefined): string | undefined {
    const batch = parseExactJson(text)
    if (!Array.isArray(batch)) return undefined
    const messages = batch.flatMap((one) => toClientMessage(one, only, JSON.stringify(one)) ?? [])
    return messages.length === 0 ? undefined : JSON.stringify(messages)
  }

  /** A stream of events with readable messages. One that ends without the answer to a request ends with an error for it. */
  function readEvents(
    body: ReadableStream<Uint8Array>,
    only: Request | undefined,
    resumedAfter?: string,
  ): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    const encoder = new TextEncoder()
    let isAnswered = only === undefined
    let lastId = resumedAfter
    let hasUnreadable = false
    let output = ''
    const moveTo = (id: string | undefined) => {
      if (lastId !== undefined) unfinished.delete(lastId)
      lastId = id
      if (id !== undefined && only !== undefined && !isAnswered)
        unfinished.set(id, { request: only, failures: 0 })
    }
    const parser = createParser({
      onEvent({ id, event, data }) {
        const isMessage = event === undefined || event === 'message'
        const message = isMessage ? readJson(data, only) : data
        if (message === undefined && data.trim() !== '') hasUnreadable = true
        if (only !== undefined && !requests.has(String(only.id))) isAnswered = true
        if (isAnswered) moveTo(undefined)
        if (id !== undefined && id !== '') moveTo(id)
        output += [
          ...(id === undefined ? [] : [`id: ${id}`]),
          ...(event === undefined ? [] : [`event: ${event}`]),
          ...(message ?? '').split('\n').map((line) => `data: ${line}`),
          '\n',
        ].join('\n')
      },
      onRetry: (ms) => {
        output += `retry: ${ms}\n\n`
      },
      onComment: () => {
        output += ':\n\n'
      },
    })
    const endWithError = (message: BrokenAnswer) => {
      if (only === undefined || isAnswered) return
      const error = { jsonrpc: '2.0', id: only.id, error: { code: brokenAnswerCode, message } }
      output += `data: ${JSON.stringify(error)}\n\n`
    }
    const takeOutput = () => {
      const bytes = encoder.encode(output)
      output = ''
      return bytes
    }
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          while (output === '') {
            const { done, value } = await reader.read()
            if (done) {
              // the last event may lack its empty line
              parser.feed('\n\n')
              if (lastId === undefined) endWithError(hasUnreadable ? 'unreadable' : 'lost')
              if (output !== '') controller.enqueue(takeOutput())
              return controller.close()
            }
            parser.feed(decoder.decode(value, { stream: true }))
          }
          controller.enqueue(takeOutput())
        } catch (error) {
          // the client asks for the rest of a stream whose events have ids
          if (lastId !== undefined || isAnswered || only === undefined) return controller.error(error)
          endWithError(error instanceof ResponseTooLarge ? 'too large' : 'lost')
          controller.enqueue(takeOutput())
          controller.close()
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }

  const respond = (
    body: string | ReadableStream<Uint8Array>,
    type: string,
    { status, headers }: Response,
  ) => {
    const changed = new Headers(headers)
    changed.set('content-type', type)
    for (const name of ['content-length', 'content-encoding']) changed.delete(name)
    return new Response(body, { status, headers: changed })
  }

  /**
   * @param body of the request, as the client sent it
   * @throws UnexpectedAnswer, OutboundFailed
   */
  async function read(
    body: string | undefined,
    response: Response,
    lastEventId?: string | null,
  ): Promise<Response> {
    const asked = parseRequests(body)
    for (const request of asked) requests.set(String(request.id), request)
    if (!response.ok) return response
    const resumed = unfinished.get(lastEventId ?? '')
    const only = asked.length === 1 ? asked[0] : resumed?.request
    const type = getMediaType(response)
    if (type === 'text/event-stream' && response.body)
      return respond(readEvents(response.body, only, resumed && (lastEventId ?? undefined)), type, response)
    if (asked.length === 0) return response
    const { status } = response
    if (answersOnStream) return response
    if (status === 202 && !asked.some(({ method }) => handshakeMethods.has(method))) return response
    const text = await readText(response)
    const json = readJson(text, only)
    if (json !== undefined) return respond(json, 'application/json', response)
    if (/^\s*(?:event|data|id|retry):/.test(text)) {
      const events = new Blob([text]).stream()
      return respond(readEvents(events, only), 'text/event-stream', response)
    }
    throw new UnexpectedAnswer({ status, type, text })
  }

  /**
   * Ends the wait for an answer whose rest cannot be had: the client gives up after two attempts, and would wait for its timeout.
   * @param isFinal the client does not try again
   * @returns a stream with an error for the request; undefined if there is none, or the client tries again
   */
  function giveUp(lastEventId: string | null, isFinal: boolean): Response | undefined {
    const resumed = unfinished.get(lastEventId ?? '')
    if (!resumed) return undefined
    resumed.failures += 1
    if (!isFinal && resumed.failures < maxResumptions) return undefined
    unfinished.delete(lastEventId ?? '')
    const message: BrokenAnswer = 'lost'
    const error = { jsonrpc: '2.0', id: resumed.request.id, error: { code: brokenAnswerCode, message } }
    return new Response(`data: ${JSON.stringify(error)}\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    })
  }

  return { read, giveUp }
}

/** How often the client asks for the rest of a stream that broke off. */
export const maxResumptions = 2

async function readText(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    if (error instanceof OutboundFailed) throw error
    throw new OutboundFailed('the answer broke off', { cause: error })
  }
}
