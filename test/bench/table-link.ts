import { Agent, createServer, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen, type LocalServer } from '../../infra/local/listen.ts'

/** A request to the table as seen by its caller, in ms on the clock that all processes share. */
export interface TableRequest {
  operation: string
  startedAtMs: number
  endedAtMs: number
}

export const sharedNowMs = () => Number(process.hrtime.bigint() / 1_000n) / 1_000

/**
 * A proxy that adds latency, like the network between a function and DynamoDB. It forwards requests unchanged, including the signed
 * host, and delays each response.
 */
export async function openTableLink(target: string): Promise<
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
    const startedAtMs = sharedNowMs()
    const headers = incoming.headers
    const operation = String(headers['x-amz-target'] ?? '').split('.')[1] ?? ''
    const outgoing = request({ hostname, port, agent, method: incoming.method, path: incoming.url, headers })
    outgoing.on('error', () => response.destroy())
    outgoing.on('response', (answer) => {
      void (async () => {
        const leftMs = latencyMs - (sharedNowMs() - startedAtMs)
        if (leftMs > 0) await sleep(leftMs)
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        response.on('close', () => requests.push({ operation, startedAtMs, endedAtMs: sharedNowMs() }))
      })()
    })
    incoming.pipe(outgoing)
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
