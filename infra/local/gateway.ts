import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorResponse } from '../../functions/platform/http/error-response.ts'
import { BodyTooLarge, RouteNotFound } from '../../functions/platform/errors.ts'
import { defaultReplySeconds } from '#shared/limits.ts'
import { createAdmission } from './admission.ts'
import { proxyEvent } from './proxy-event.ts'
import { MethodNotAllowed } from './gateway-errors.ts'
import { type Handlers, invoke } from './lambda.ts'
import { readBody } from './read-body.ts'
import { matchRoute } from './route-match.ts'

/** API Gateway's limit. */
const maxBodyBytes = 10 * 1024 * 1024
/** A request leaves when its response begins: a reply may be written for minutes. */
const maxStartingRequests = 16
const maxWaitingRequests = 1_000

export interface Gateway {
  /** answers a request under /api or /functions; never throws */
  respond(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>
  /** invocations whose handler has not ended yet */
  countRunning(): number
}

/**
 * Stands in for API Gateway: routes, limits, and its own errors in the product's error shape.
 * @param onFailure called for every crash and time-out
 * @param replySeconds after which a reply ends
 */
export function createGateway(
  handlers: Handlers,
  onFailure: (error: unknown) => void,
  replySeconds = defaultReplySeconds,
): Gateway {
  let running = 0
  const admission = createAdmission(maxStartingRequests, maxWaitingRequests)
  return {
    countRunning: () => running,
    async respond(request, response, url) {
      running += 1
      try {
        await forward({ handlers, admission, replyMs: replySeconds * 1_000 }, request, response, url)
      } catch (error) {
        if (request.destroyed && !request.complete) return
        respondWithError(response, error)
        if (isFailure(error)) onFailure(error)
      } finally {
        running -= 1
      }
    },
  }
}

const isFailure = (error: unknown) =>
  !(error instanceof Error && 'status' in error && Number(error.status) < 500)

async function forward(
  {
    handlers,
    admission,
    replyMs,
  }: { handlers: Handlers; admission: ReturnType<typeof createAdmission>; replyMs: number },
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
) {
  const method = request.method ?? 'GET'
  const match = matchRoute(method, url.pathname)
  if (!match || 'allowedMethods' in match) {
    request.resume()
    if (!match) throw new RouteNotFound(`${method} ${url.pathname}`)
    response.setHeader('allow', match.allowedMethods.join(', '))
    throw new MethodNotAllowed(`${method} ${url.pathname}`)
  }
  const body = await readBody(request, maxBodyBytes, (size) => new BodyTooLarge(`${size} bytes`))
  const leave = await admission.enter()
  try {
    const event = proxyEvent(request, { match: match.found, url, body, now: Date.now() })
    await invoke(match.found.functionName, { handlers, event, response, replyMs, onResponse: leave })
  } finally {
    leave()
  }
}

/** Writes an error in the product's shape; if a part of a response was sent already, closes the connection instead. */
export function respondWithError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const { statusCode, headers, body } = errorResponse(error, crypto.randomUUID())
  // The rest of an unread body would be parsed as the next request.
  if (!response.req.complete) response.setHeader('connection', 'close')
  response.writeHead(statusCode, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
