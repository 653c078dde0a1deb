import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { randomUUID } from 'node:crypto'

/**
 * An error of AWS's own layer. Its name is in a header, its message in the body; missing permissions have it as `Message`, with a capital.
 * Forms as seen in aws-samples/amazon-bedrock-client-for-mac#1 (header) and BerriAI/litellm#39166 (`Message`).
 */
export class BedrockError extends Error {
  readonly status: number
  readonly type: string
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, type: string, message: string, retryAfterSeconds?: number) {
    super(message)
    this.status = status
    this.type = type
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function sendBedrockError(response: ServerResponse, error: BedrockError): void {
  const { status, type, message, retryAfterSeconds } = error
  const isDenied = message.includes('is not authorized to perform')
  const body = JSON.stringify(isDenied ? { Message: message } : { message })
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/`,
      'x-amzn-requestid': randomUUID(),
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    })
    .end(body)
}

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
