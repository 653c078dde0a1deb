import { EventSourceParserStream } from 'eventsource-parser/stream'
import { type ChatEvent, streamEnd } from '#shared/chat-events.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { RouteQuery, RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { type PathParams, type RouteName, routePath, routes } from '#shared/routes.ts'

/** Parts of a call, as far as the route has them. */
export interface CallParts<Name extends RouteName> {
  params?: PathParams<Name>
  query?: RouteQuery<Name>
  body?: RouteRequest<Name>
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** A response of the API with any status. */
export interface CallResponse {
  status: number
  headers: Headers
  /** parsed when it is JSON, the text otherwise */
  body: unknown
}

/** One event of a streamed reply; the last one of a finished reply is `[DONE]`. */
export interface StreamedEvent {
  id: string | undefined
  event: ChatEvent | typeof streamEnd
}

/** The same for any route: an `unknown` body lets tests send invalid input. */
export interface RawParts {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

export interface StreamOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
}

/** A user's calls with a token, which may be refreshed or from another sign-in. */
export function caller(origin: string, accessToken: string) {
  const request = (name: RouteName, { params = {}, query, body, headers, signal }: RawParts) =>
    fetch(`${origin}${routePath(name, params as PathParams<RouteName>)}${formatQuery(query)}`, {
      method: routes[name].method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })

  async function send(name: RouteName, parts: RawParts = {}): Promise<CallResponse> {
    const response = await request(name, parts)
    return { status: response.status, headers: response.headers, body: parseBody(await response.text()) }
  }

  async function* stream(name: RouteName, parts: RawParts): AsyncGenerator<StreamedEvent> {
    const response = await request(name, {
      ...parts,
      headers: { accept: 'text/event-stream', ...parts.headers },
    })
    if (response.status !== 200 || !response.body)
      throw toCallError(name, response.status, await response.text())
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    for await (const { id, data } of events)
      yield { id, event: data === streamEnd ? streamEnd : (JSON.parse(data) as ChatEvent) }
  }

  return {
    send,
    async call<Name extends RouteName>(
      name: Name,
      parts: CallParts<Name> = {},
    ): Promise<RouteResponse<Name>> {
      const { status, body } = await send(name, parts as RawParts)
      if (status < 200 || status > 299) throw toCallError(name, status, JSON.stringify(body))
      return body as RouteResponse<Name>
    },
    stream: (body: ChatRequest, options: StreamOptions = {}) => stream('chat.send', { body, ...options }),
    events: (
      sessionId: string,
      { lastEventId, headers, ...options }: StreamOptions & { lastEventId?: string } = {},
    ) =>
      stream('runs.events', {
        params: { sessionId },
        headers: { ...(lastEventId !== undefined && { 'last-event-id': lastEventId }), ...headers },
        ...options,
      }),
  }
}

const toCallError = (name: RouteName, status: number, body: string) =>
  new Error(`${name} answered ${status}: ${body}`)
const formatQuery = (query: Record<string, string> | undefined) =>
  query ? `?${new URLSearchParams(query)}` : ''

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
