import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { listen } from '../../infra/local/listen.ts'
import { createReceiver, decryptPush, verifyVapid } from '../../infra/local/push-crypto.ts'

export { decryptPush }

/** A message as the push service got it. */
export interface ReceivedPush {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** A push service of RFC 8030 on the loopback interface, with browsers whose keys the test has. */
export async function startPushService() {
  const received: ReceivedPush[] = []
  const answers = new Map<string, { status: number; headers?: Record<string, string> }[]>()
  const server = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const path = request.url ?? ''
        received.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
        const { status, headers = {} } = answers.get(path)?.shift() ?? { status: 201 }
        response.writeHead(status, headers).end()
      })
    }),
  )
  const { host } = new URL(server.url)
  return {
    /** for OUTBOUND_ALLOW */
    host,
    received,
    /** A browser that has subscribed. @param statuses of its first answers; then 201 */
    newBrowser(...statuses: { status: number; headers?: Record<string, string> }[]) {
      const { receiver, keys } = createReceiver()
      const path = `/push/${randomBytes(8).toString('hex')}`
      answers.set(path, statuses)
      return {
        subscription: { endpoint: `${server.url}${path}`, keys },
        /** The messages to this browser, opened, with their verified claims. */
        open: (publicKey: string) =>
          received
            .filter((one) => one.path === path)
            .map(({ headers, body }) => ({
              headers,
              claims: verifyVapid(String(headers['authorization']), publicKey),
              message: JSON.parse(decryptPush(body, receiver)) as Record<string, unknown>,
            })),
        count: () => received.filter((one) => one.path === path).length,
      }
    },
    close: () => server.close(),
  }
}
