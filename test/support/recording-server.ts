import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../infra/local/listen.ts'

/** A request as the server received it. */
export interface ReceivedRequest {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string | undefined>
  body: string
}

export interface ScriptedResponse {
  status?: number
  headers?: Record<string, string>
  /** an object is sent as JSON */
  body?: object | string
}

type Script = ScriptedResponse | ((request: ReceivedRequest) => ScriptedResponse | Promise<ScriptedResponse>)

/** An HTTP server with scripted responses that records each request. Requests without a script get 404. */
export async function startRecordingServer() {
  const scripts = new Map<string, Script>()
  const requests: ReceivedRequest[] = []

  const listening = await listen(
    createServer((request, response) => {
      void (async () => {
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
        const received: ReceivedRequest = {
          method: request.method ?? '',
          path: pathname,
          query: Object.fromEntries(searchParams),
          headers: request.headers as ReceivedRequest['headers'],
          body: await text(request),
        }
        requests.push(received)
        const script: Script = scripts.get(`${received.method} ${pathname}`) ?? { status: 404, body: {} }
        const {
          status = 200,
          headers = {},
          body = '',
        } = typeof script === 'function' ? await script(received) : script
        const isJson = typeof body === 'object'
        response
          .writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...headers })
          .end(isJson ? JSON.stringify(body) : body)
      })()
    }),
  )
  return {
    url: listening.url,
    host: `127.0.0.1:${listening.port}`,
    /** @param route such as `POST /token` */
    script: (route: string, answer: Script) => void scripts.set(route, answer),
    /** The requests to a path since the last call, in order; without a path all requests. */
    takeRequests(path?: string): ReceivedRequest[] {
      const taken = requests.filter((request) => path === undefined || request.path === path)
      const rest = requests.filter((request) => !taken.includes(request))
      requests.splice(0, Infinity, ...rest)
      return taken
    },
    close: () => listening.close(),
  }
}

export type RecordingServer = Awaited<ReturnType<typeof startRecordingServer>>

/** The fields of a form, in no order. */
export const parseForm = ({ body }: Pick<ReceivedRequest, 'body'>) =>
  Object.fromEntries(new URLSearchParams(body)) as Record<string, string>
