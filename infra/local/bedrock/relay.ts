import { defaultProvider } from '@aws-sdk/credential-provider-node'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  bedrockFetch,
  type BedrockFetchOptions,
} from '../../../functions/chat/model/bedrock/bedrock-fetch.ts'
import type { LocalCredentials } from '../credentials.ts'
import { BedrockError, sendBedrockError, relayResponse } from './bedrock-response.ts'
import { verifyBedrockRequest } from './verify-request.ts'
import { listen, type LocalServer } from '../listen.ts'

/** Functions get the emulators' region, so the developer's own is read before they start. */
export const bedrockRegion = (): string => developerRegion

const developerRegion = process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1'

/** The developer's credentials, as they are now: later the environment holds those of the emulators. */
function readCredentials(): BedrockFetchOptions['credentials'] {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_PROFILE: profile = 'default',
  } = process.env
  if (accessKeyId && secretAccessKey)
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
  return defaultProvider({ profile })
}

/**
 * Bedrock as the developer's AWS configuration reaches it.
 * @param endpoint AWS_ENDPOINT_URL_BEDROCK_RUNTIME; undefined is AWS itself
 */
export const developerBedrock = (
  endpoint = `https://bedrock-runtime.${developerRegion}.amazonaws.com`,
): BedrockFetchOptions => ({
  origin: new URL(endpoint).origin,
  region: developerRegion,
  credentials: readCredentials(),
})

/** The headers that the models' APIs need besides the signature. */
const passedRequestHeaders = ['content-type', 'accept', 'anthropic-version']

/**
 * Stands between the local functions and Amazon Bedrock: functions sign with the emulators' credentials, which it verifies, and it signs
 * anew with the developer's own, which functions never see.
 */
export async function startBedrockRelay(
  own: { credentials: LocalCredentials; region: string },
  upstream: BedrockFetchOptions,
): Promise<LocalServer> {
  const send = bedrockFetch(upstream)
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    verifyBedrockRequest(request, body, own)
    const leaving = new AbortController()
    response.on('close', () => leaving.abort())
    const headers = passedRequestHeaders.flatMap((name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    })
    const upstreamResponse = await send(`${upstream.origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(headers),
      body: body.toString(),
      signal: leaving.signal,
    })
    await relayResponse(upstreamResponse, response)
  }
  return listen(
    createServer((request, response) => {
      serve(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy()
        else if (error instanceof BedrockError) sendBedrockError(response, error)
        else {
          const { name, message } = error as Error
          const status = name === 'CredentialsProviderError' ? 403 : 503
          sendBedrockError(response, new BedrockError(status, name, message))
        }
      })
    }),
  )
}
