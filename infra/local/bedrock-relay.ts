import { defaultProvider } from '@aws-sdk/credential-provider-node'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { bedrockFetch, type BedrockFetchOptions } from '../../functions/models/bedrock/bedrock-fetch.ts'
import type { LocalCredentials } from './credentials.ts'
import { hashPayload, type SignatureErrors, type Signer, verifyHeaders } from './emulators/signature.ts'
import { listen, type LocalServer } from './listen.ts'

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
  const signer: Signer = { ...own.credentials, region: own.region, service: 'bedrock' }
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost')
    const { method = 'GET', headers } = request
    const signed = { method, path: encodePath(pathname), query, headers }
    verifyHeaders(signer, signed, hashPayload(body), refusals)
    const leaving = new AbortController()
    response.on('close', () => leaving.abort())
    const upstreamResponse = await send(`${upstream.origin}${request.url}`, {
      method,
      headers: pick(passedRequestHeaders, (name) => headers[name]),
      body: body.toString(),
      signal: leaving.signal,
    })
    await relayResponse(upstreamResponse, response)
  }
  return listen(
    createServer((request, response) => {
      serve(request, response).catch((error: Error) => {
        if (response.headersSent) response.destroy()
        else
          response
            .writeHead(error.name === 'CredentialsProviderError' ? 403 : 503, {
              'content-type': 'application/json',
              'x-amzn-errortype': error.name,
            })
            .end(JSON.stringify({ message: error.message }))
      })
    }),
  )
}

/** Another process of this computer must not use the developer's credentials. */
const refuse = () =>
  Object.assign(new Error('The local product did not sign this request.'), {
    name: 'CredentialsProviderError',
  })
const refusals: SignatureErrors = {
  missing: refuse,
  incomplete: refuse,
  invalidDate: refuse,
  skewed: refuse,
  unknownKey: refuse,
  wrongScope: refuse,
  wrongToken: refuse,
  mismatch: refuse,
}

/**
 * Each segment is encoded once more than in the address:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

const pick = (names: readonly string[], find: (name: string) => unknown): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = find(name)
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

const passedResponseHeaders = ['content-type', 'retry-after', 'x-amzn-errortype', 'x-amzn-requestid']

/** Passes another server's response on while it arrives. */
export async function relayResponse(upstream: Response, response: ServerResponse): Promise<void> {
  response.writeHead(
    upstream.status,
    pick(passedResponseHeaders, (name) => upstream.headers.get(name)),
  )
  // a model may think for a long time before its first byte
  response.flushHeaders()
  if (upstream.body) await pipeline(upstream.body, response)
  else response.end()
}
