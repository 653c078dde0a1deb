import type { ServerResponse } from 'node:http'
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
