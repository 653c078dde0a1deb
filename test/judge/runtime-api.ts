import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What the runtime client sent back for an event. */
export interface RuntimeResponse {
  /** `error`: the handler threw; `init-error`: the module could not be loaded */
  readonly kind: 'response' | 'error' | 'init-error'
  readonly contentType: string
  readonly body: Buffer
}

const base = '/2018-06-01/runtime'

/**
 * Lambda's side of the runtime API, for one event.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export async function startRuntimeApi(event: unknown) {
  const answered = Promise.withResolvers<RuntimeResponse>()
  let isTaken = false
  const server = createServer((request, response) => {
    void respond(request, response)
  })
  async function respond(request: IncomingMessage, response: ServerResponse) {
    if (request.url === `${base}/invocation/next`) {
      // the second request waits for an event that never comes
      if (isTaken) return
      isTaken = true
      response.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': 'judge',
        'lambda-runtime-deadline-ms': String(Date.now() + 20_000),
        'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-west-1:111122223333:function:judge',
        'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
      })
      response.end(JSON.stringify(event))
      return
    }
    const body = await buffer(request)
    response.writeHead(202, { 'content-type': 'application/json' }).end('{}')
    const [, kind] = /\/(response|error)$/.exec(request.url ?? '') ?? []
    answered.resolve({
      kind: request.url === `${base}/init/error` ? 'init-error' : kind === 'response' ? 'response' : 'error',
      contentType: String(request.headers['content-type']),
      body,
    })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    response: answered.promise,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
