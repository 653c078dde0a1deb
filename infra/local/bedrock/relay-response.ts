import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

const passedResponseHeaders = ['content-type', 'retry-after', 'x-amzn-errortype', 'x-amzn-requestid']

/** Passes another server's response on while it arrives. */
export async function relayResponse(upstream: Response, response: ServerResponse): Promise<void> {
  const headers = passedResponseHeaders.flatMap((name) => {
    const value = upstream.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  response.writeHead(upstream.status, Object.fromEntries(headers))
  // a model may think for a long time before its first byte
  response.flushHeaders()
  if (upstream.body) await pipeline(upstream.body, response)
  else response.end()
}
