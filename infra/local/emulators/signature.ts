import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { LocalCredentials } from '../credentials.ts'

/**
 * Signature Version 4 as a service checks it.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */

/** The accepted credentials, region and service. */
export interface Signer extends LocalCredentials {
  readonly region: string
  /** the name in the credential's scope: `dynamodb`, `s3` */
  readonly service: string
  /** 15 minutes without it */
  readonly clockSkewMs?: number
}

export interface SignedRequest {
  method: string
  /** as on the wire, percent-encoded */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
}

/** The service's own errors. */
export interface SignatureErrors {
  /** the request is not signed */
  missing(): Error
  incomplete(): Error
  invalidDate(): Error
  /** signed too long ago, or too far in the future */
  skewed(time: string): Error
  unknownKey(): Error
  /** for another day, region or service */
  wrongScope(): Error
  wrongToken(): Error
  mismatch(): Error
}

export const algorithm = 'AWS4-HMAC-SHA256'
const defaultClockSkewMs = 900_000

const sha256 = (text: string | Buffer) => hash('sha256', text)
const hmac = (key: string | Buffer | KeyObject, text: string) =>
  createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

export const hashPayload = sha256

export const isSame = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** Signs a text for a day, as `20261120`. */
export function sign(own: Signer, day: string, text: string): string {
  return hmac(deriveKey(own, day), text).toString('hex')
}

/**
 * The last signing key: nearly every request of a day needs the same one, and deriving it costs more than signing. As a key object,
 * because Node takes five times as long to sign with a buffer.
 */
const lastKeys = new WeakMap<Signer, { day: string; key: KeyObject }>()

function deriveKey(own: Signer, day: string): KeyObject {
  const last = lastKeys.get(own)
  if (last?.day === day) return last.key
  const { secretAccessKey, region, service } = own
  const key = createSecretKey(
    hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), service), 'aws4_request'),
  )
  lastKeys.set(own, { day, key })
  return key
}

/** `20261120T093000Z` in milliseconds; NaN for anything else. */
export const parseTime = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** @throws an error for an unknown credential, or one for another day, region or service */
export function checkCredential(
  own: Signer,
  credential: string,
  day: string,
  refusals: SignatureErrors,
): void {
  const [keyId, ...scope] = credential.split('/')
  if (keyId !== own.accessKeyId) throw refusals.unknownKey()
  if (scope.join('/') !== `${day}/${own.region}/${own.service}/aws4_request`) throw refusals.wrongScope()
}

/** Checks the session token of a signed request. @throws the refusal for a wrong one */
export function checkToken(
  { sessionToken }: Signer,
  token: string | undefined,
  refusals: SignatureErrors,
): void {
  if (token !== sessionToken) throw refusals.wrongToken()
}

/** The signature that a request with these parts must have. */
export function calculateSignature(
  own: Signer,
  request: SignedRequest,
  { time, signedHeaders, payloadHash }: { time: string; signedHeaders: string; payloadHash: string },
): string {
  const query = [...request.query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const headers = signedHeaders.split(';').map((name) => {
    const value = request.headers[name]
    return `${name}:${(Array.isArray(value) ? value.join(',') : (value ?? '')).trim().replace(/ +/g, ' ')}\n`
  })
  const canonical = [request.method, request.path, query, headers.join(''), signedHeaders, payloadHash].join(
    '\n',
  )
  const day = time.slice(0, 8)
  const scope = `${day}/${own.region}/${own.service}/aws4_request`
  return sign(own, day, [algorithm, time, scope, sha256(canonical)].join('\n'))
}

/**
 * Checks a request that is signed in its headers, as the SDK signs.
 * @param payloadHash hash of the body
 * @throws one of the service's errors
 */
export function verifyHeaders(
  own: Signer,
  request: SignedRequest,
  payloadHash: string,
  refusals: SignatureErrors,
): void {
  const { headers } = request
  const { authorization = '' } = headers
  if (!authorization.startsWith('AWS4-')) throw refusals.missing()
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? []
  if (!credential || !signedHeaders?.split(';').includes('host') || !signature) throw refusals.incomplete()
  const time = String(headers['x-amz-date'] ?? '')
  const atMs = parseTime(time)
  if (Number.isNaN(atMs)) throw refusals.invalidDate()
  if (Math.abs(Date.now() - atMs) > (own.clockSkewMs ?? defaultClockSkewMs)) throw refusals.skewed(time)
  checkCredential(own, credential, time.slice(0, 8), refusals)
  checkToken(own, headers['x-amz-security-token'] as string | undefined, refusals)
  const expected = calculateSignature(own, request, { time, signedHeaders, payloadHash })
  if (!isSame(expected, signature)) throw refusals.mismatch()
}
