import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { accessDenied, S3Error } from './s3-error.ts'

/** Signature Version 4, as far as the SDK and presigned requests use it: by header, by query, and over a POST policy. */

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string
  region: string
}

export interface SignedRequest {
  method: string
  /** as on the wire, percent-encoded */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const algorithm = 'AWS4-HMAC-SHA256'
const longestPresignSeconds = 604_800
const clockSkewMs = 900_000

function signingKey({ secretAccessKey, region }: Credentials, day: string): Buffer {
  return hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), 's3'), 'aws4_request')
}

const same = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

const mismatch = () =>
  new S3Error(
    403,
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  )

/** `20261120T093000Z` in milliseconds. @throws S3Error for anything else */
function parseTime(text: string): number {
  const time = text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const ms = Date.parse(time)
  if (Number.isNaN(ms)) throw accessDenied('AWS authentication requires a valid Date or x-amz-date header')
  return ms
}

/** @throws S3Error when the credential is none of ours, or not for this day and place */
function checkCredential(own: Credentials, credential: string, day: string): void {
  const [keyId, ...scope] = credential.split('/')
  if (keyId !== own.accessKeyId)
    throw new S3Error(
      403,
      'InvalidAccessKeyId',
      'The AWS Access Key Id you provided does not exist in our records.',
    )
  if (scope.join('/') !== `${day}/${own.region}/s3/aws4_request`) throw mismatch()
}

function checkToken({ sessionToken }: Credentials, given: string | undefined): void {
  if (given !== sessionToken)
    throw new S3Error(400, 'InvalidToken', 'The provided token is malformed or otherwise invalid.')
}

function signatureOf(
  own: Credentials,
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
  const text = [
    algorithm,
    time,
    `${day}/${own.region}/s3/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  return hmac(signingKey(own, day), text).toString('hex')
}

/**
 * Checks who asks. A presigned request carries all in its query, one of the SDK in its headers.
 * @throws S3Error as S3 refuses: expired, wrong signature, unknown key, nothing signed at all
 */
export function verifyRequest(own: Credentials, request: SignedRequest): void {
  const { query, headers } = request
  if (query.has('X-Amz-Signature')) {
    const get = (name: string) => query.get(name) ?? ''
    const time = get('X-Amz-Date')
    const atMs = parseTime(time)
    const seconds = Number(get('X-Amz-Expires'))
    if (get('X-Amz-Algorithm') !== algorithm || !(seconds >= 1 && seconds <= longestPresignSeconds))
      throw new S3Error(
        400,
        'AuthorizationQueryParametersError',
        'X-Amz-Expires must be between 1 and 604800',
      )
    const endMs = atMs + seconds * 1_000
    if (Date.now() > endMs)
      throw accessDenied('Request has expired', {
        'X-Amz-Expires': String(seconds),
        Expires: new Date(endMs).toISOString(),
        ServerTime: new Date().toISOString(),
      })
    checkCredential(own, get('X-Amz-Credential'), time.slice(0, 8))
    checkToken(own, query.get('X-Amz-Security-Token') ?? undefined)
    const signedHeaders = get('X-Amz-SignedHeaders')
    const expected = signatureOf(own, request, { time, signedHeaders, payloadHash: 'UNSIGNED-PAYLOAD' })
    if (!same(expected, get('X-Amz-Signature'))) throw mismatch()
    return
  }
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  const [, credential, signedHeaders, signature] = found ?? []
  if (!credential || !signedHeaders || !signature) throw accessDenied('Access Denied')
  const time = String(headers['x-amz-date'] ?? '')
  if (Math.abs(Date.now() - parseTime(time)) > clockSkewMs)
    throw new S3Error(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    )
  checkCredential(own, credential, time.slice(0, 8))
  checkToken(own, headers['x-amz-security-token'] as string | undefined)
  const payloadHash = String(headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD')
  const expected = signatureOf(own, request, { time, signedHeaders, payloadHash })
  if (!same(expected, signature)) throw mismatch()
}

/** Checks the signature over a POST policy. @param fields names in lower case */
export function verifyPolicy(own: Credentials, fields: ReadonlyMap<string, string>): void {
  for (const name of ['policy', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-signature'])
    if (!fields.has(name)) {
      const shown = name.replace(/(^|-)([a-z])/g, (part) => part.toUpperCase())
      throw new S3Error(
        400,
        'InvalidArgument',
        `Bucket POST must contain a field named '${name === 'policy' ? name : shown}'.  If it is specified, please check the order of the fields.`,
        { ArgumentName: shown, ArgumentValue: '' },
      )
    }
  const day = (fields.get('x-amz-date') ?? '').slice(0, 8)
  checkCredential(own, fields.get('x-amz-credential') ?? '', day)
  checkToken(own, fields.get('x-amz-security-token'))
  const expected = hmac(signingKey(own, day), fields.get('policy') ?? '').toString('hex')
  if (!same(expected, fields.get('x-amz-signature') ?? '')) throw mismatch()
}
