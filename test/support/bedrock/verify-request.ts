import type { IncomingMessage } from 'node:http'
import type { LocalCredentials } from '../../../infra/local/credentials.ts'
import {
  hashPayload,
  type SignatureErrors,
  type Signer,
  verifyHeaders,
} from '../../../infra/local/emulators/signature.ts'
import { BedrockError } from './bedrock-response.ts'

/** What AWS allows for all services but S3: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html */
const clockSkewMs = 300_000

/**
 * The errors of a signature, as all services of this kind write them.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html
 */
const errors = (region: string): SignatureErrors => ({
  missing: () => new BedrockError(403, 'MissingAuthenticationTokenException', 'Missing Authentication Token'),
  incomplete: () =>
    new BedrockError(
      400,
      'IncompleteSignatureException',
      "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter.",
    ),
  invalidDate: () =>
    new BedrockError(
      400,
      'IncompleteSignatureException',
      "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.",
    ),
  skewed: (time) =>
    new BedrockError(
      403,
      'InvalidSignatureException',
      `Signature expired: ${time} is now earlier than ${new Date().toISOString()} (- 5 min.)`,
    ),
  unknownKey: () =>
    new BedrockError(
      403,
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    ),
  wrongScope: () =>
    new BedrockError(
      403,
      'InvalidSignatureException',
      `Credential should be scoped to a valid region (${region}) and to correct service: 'bedrock'.`,
    ),
  wrongToken: () =>
    new BedrockError(403, 'ExpiredTokenException', 'The security token included in the request is expired'),
  mismatch: () =>
    new BedrockError(
      403,
      'InvalidSignatureException',
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
    ),
})

/** Each segment is encoded once more than in the address: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

const signers = new WeakMap<LocalCredentials, Signer>()

/**
 * Checks the signature of a request to Bedrock's runtime endpoint: credentials, region, service, time and every signed part.
 * @throws BedrockError as the service answers
 */
export function verifyBedrockRequest(
  request: IncomingMessage,
  body: Buffer,
  { credentials, region }: { credentials: LocalCredentials; region: string },
): void {
  const own = signers.get(credentials) ?? { ...credentials, region, service: 'bedrock', clockSkewMs }
  signers.set(credentials, own)
  const refusals = errors(region)
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const payloadHash = hashPayload(body)
  verifyHeaders(
    own,
    {
      method: request.method ?? '',
      path: encodePath(pathname),
      query: searchParams,
      headers: request.headers,
    },
    payloadHash,
    refusals,
  )
  // each header of AWS has to be signed, and a hash has to be that of the body
  const signed = /SignedHeaders=([^,]+)/.exec(request.headers.authorization ?? '')?.[1]?.split(';') ?? []
  const unsigned = Object.keys(request.headers).some(
    (name) => name.startsWith('x-amz-') && !signed.includes(name),
  )
  const hash = request.headers['x-amz-content-sha256']
  if (unsigned || (hash !== undefined && hash !== payloadHash)) throw refusals.mismatch()
}
