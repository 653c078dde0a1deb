import { Agent, createServer, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen, type LocalServer } from '../../infra/local/listen.ts'

/** A request to the table as seen by its caller, in ms of `monotonicNowMs`. */
export interface TableRequest {
  operation: string
  startedAtMs: number
  endedAtMs: number
}

/** The same clock in all processes of the machine; `performance.now()` starts anew in each. */
export const monotonicNowMs = () => Number(process.hrtime.bigint() / 1_000n) / 1_000

/**
 * A proxy that adds latency, like the network between a function and DynamoDB. It forwards requests unchanged, including the signed
 * host, and delays each response.
 */
export async function startDynamodbProxy(target: string): Promise<
  LocalServer & {
    /** sets the latency of requests from now on */
    setLatency(ms: number): void
    /** the requests since the last call */
    takeRequests(): TableRequest[]
  }
> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: Infinity })
  const { hostname, port } = new URL(target)
  let latencyMs = 0
  let requests: TableRequest[] = []
  const server = createServer((incoming, response) => {
    const startedAtMs = monotonicNowMs()
    const headers = incoming.headers
    const operation = String(headers['x-amz-target'] ?? '').split('.')[1] ?? ''
    const upstreamRequest = request({
      hostname,
      port,
      agent,
      method: incoming.method,
      path: incoming.url,
      headers,
    })
    upstreamRequest.on('error', () => response.destroy())
    upstreamRequest.on('response', (upstreamResponse) => {
      void (async () => {
        const remainingMs = latencyMs - (monotonicNowMs() - startedAtMs)
        if (remainingMs > 0) await sleep(remainingMs)
        response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers)
        upstreamResponse.pipe(response)
        response.on('close', () => requests.push({ operation, startedAtMs, endedAtMs: monotonicNowMs() }))
      })()
    })
    incoming.pipe(upstreamRequest)
  })
  const local = await listen(server)
  return {
    ...local,
    setLatency(ms) {
      latencyMs = ms
    },
    takeRequests() {
      const taken = requests
      requests = []
      return taken
    },
  }
}
