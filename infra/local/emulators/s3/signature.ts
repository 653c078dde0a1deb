import {
  algorithm,
  calculateSignature,
  checkCredential,
  checkToken,
  isSame,
  parseTime,
  sign,
  verifyHeaders,
  type SignatureErrors,
  type SignedRequest,
  type Signer,
} from '../signature.ts'
import { accessDenied, S3Error } from './s3-error.ts'

/** S3's signatures: in headers, in the query, and over a POST policy. */

const maxPresignSeconds = 604_800

const mismatch = () => new S3Error('SignatureDoesNotMatch')

const refusals: SignatureErrors = {
  missing: () => accessDenied('Access Denied'),
  incomplete: () => accessDenied('Access Denied'),
  invalidDate: () => accessDenied('AWS authentication requires a valid Date or x-amz-date header'),
  skewed: () => new S3Error('RequestTimeTooSkewed'),
  unknownKey: () => new S3Error('InvalidAccessKeyId'),
  wrongScope: mismatch,
  wrongToken: () => new S3Error('InvalidToken'),
  mismatch,
}

/**
 * Authenticates a request. A presigned URL is signed in its query, a request of the SDK in its headers.
 * @throws S3Error S3's own error: expired, wrong signature, unknown key, not signed
 */
export function verifyRequest(own: Signer, request: SignedRequest): void {
  const { query, headers } = request
  if (!query.has('X-Amz-Signature')) {
    const payloadHash = String(headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD')
    return verifyHeaders(own, request, payloadHash, refusals)
  }
  const get = (name: string) => query.get(name) ?? ''
  const time = get('X-Amz-Date')
  const atMs = parseTime(time)
  if (Number.isNaN(atMs)) throw refusals.invalidDate()
  const seconds = Number(get('X-Amz-Expires'))
  if (get('X-Amz-Algorithm') !== algorithm || !(seconds >= 1 && seconds <= maxPresignSeconds))
    throw new S3Error('AuthorizationQueryParametersError')
  const endMs = atMs + seconds * 1_000
  if (Date.now() > endMs)
    throw accessDenied('Request has expired', {
      'X-Amz-Expires': String(seconds),
      Expires: new Date(endMs).toISOString(),
      ServerTime: new Date().toISOString(),
    })
  checkCredential(own, get('X-Amz-Credential'), time.slice(0, 8), refusals)
  checkToken(own, query.get('X-Amz-Security-Token') ?? undefined, refusals)
  const signedHeaders = get('X-Amz-SignedHeaders')
  const expected = calculateSignature(own, request, { time, signedHeaders, payloadHash: 'UNSIGNED-PAYLOAD' })
  if (!isSame(expected, get('X-Amz-Signature'))) throw mismatch()
}

/** Checks the signature over a POST policy. @param fields names in lower case */
export function verifyPolicy(own: Signer, fields: ReadonlyMap<string, string>): void {
  for (const name of ['policy', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-signature'])
    if (!fields.has(name)) {
      const shown = name.replace(/(^|-)([a-z])/g, (part) => part.toUpperCase())
      throw new S3Error(
        'InvalidArgument',
        { ArgumentName: shown, ArgumentValue: '' },
        `Bucket POST must contain a field named '${name === 'policy' ? name : shown}'.  If it is specified, please check the order of the fields.`,
      )
    }
  const day = (fields.get('x-amz-date') ?? '').slice(0, 8)
  checkCredential(own, fields.get('x-amz-credential') ?? '', day, refusals)
  checkToken(own, fields.get('x-amz-security-token'), refusals)
  const expected = sign(own, day, fields.get('policy') ?? '')
  if (!isSame(expected, fields.get('x-amz-signature') ?? '')) throw mismatch()
}
