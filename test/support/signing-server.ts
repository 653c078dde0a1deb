import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { vi } from 'vitest'
import { generateCredentials } from '../../infra/local/credentials.ts'
import { BedrockError, sendBedrockError } from './bedrock/bedrock-response.ts'
import { verifyBedrockRequest } from './bedrock/verify-request.ts'
import { listen } from '../../infra/local/listen.ts'

export { generateCredentials }
export const region = 'eu-central-1'
export const signedCredentials = generateCredentials()

/** What a server answers to a signed request; without a type it is no error of AWS. */
export interface ServerError {
  status: number
  type?: string
  message?: string
}

/** A server that verifies Bedrock's signatures and answers `signed`, or with an error. Its clock is right. */
export async function startSigningServer(error?: ServerError) {
  const received: IncomingHttpHeaders[] = []
  async function serve(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request)
    received.push(request.headers)
    vi.useRealTimers()
    try {
      verifyBedrockRequest(request, body, { credentials: signedCredentials, region })
      if (error?.type) throw new BedrockError(error.status, error.type, error.message ?? '')
      if (error) response.writeHead(error.status, { location: 'http://127.0.0.1:1/' }).end()
      else response.end('signed')
    } catch (thrown) {
      sendBedrockError(response, thrown as BedrockError)
    }
  }
  const server = await listen(createServer((request, response) => void serve(request, response)))
  return { origin: server.url, received, close: () => server.close() }
}
