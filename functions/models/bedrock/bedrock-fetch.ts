import { Sha256 } from '@smithy/core/checksum'
import { SignatureV4 } from '@smithy/signature-v4'
import { translateBedrockError } from './bedrock-errors.ts'

type Credentials = ConstructorParameters<typeof SignatureV4>[0]['credentials']

export interface BedrockFetchOptions {
  /** requests to any other are refused */
  origin: string
  region: string
  credentials: Credentials
}

/** Headers that are not sent: the signature takes the place of a key, and fetch sets the others. */
const unsignedHeaders = ['authorization', 'x-api-key', 'connection', 'content-length', 'host']

/**
 * fetch that signs each attempt with Signature Version 4 for Bedrock and translates errors into the form of the models' own APIs.
 * Nothing is sent to another origin, and redirects are not followed.
 * @throws Error for another origin, or a body that is not text; the credential provider's error when there are no credentials
 */
export function bedrockFetch({ origin, region, credentials }: BedrockFetchOptions): typeof fetch {
  const signer = new SignatureV4({ service: 'bedrock', region, credentials, sha256: Sha256 })
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin) throw new Error(`Bedrock requests go to ${origin} only`)
    const { body = '', method = 'GET' } = init
    if (typeof body !== 'string') throw new Error('a Bedrock request has a body of text')
    const headers = new Headers(init.headers)
    for (const name of unsignedHeaders) headers.delete(name)
    const signed = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...Object.fromEntries(headers), host: url.host },
      body,
    })
    const { host: _, ...sentHeaders } = signed.headers
    const response = await fetch(url, {
      ...init,
      headers: sentHeaders,
      redirect: 'manual',
    })
    return response.ok ? response : translateBedrockError(response)
  }
}
