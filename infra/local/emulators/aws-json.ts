import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { callerHeader } from '../caller.ts'
import { listen, type LocalServer } from '../listen.ts'
import { readBody } from '../read-body.ts'
import { hashPayload, verifyHeaders, type SignatureErrors, type Signer } from './signature.ts'

/** An error of an AWS service, in its JSON protocol: the SDK turns the type into `error.name`. */
export class AwsError extends Error {
  readonly type: string
  readonly status: number
  /** further members of the error, such as DynamoDB's `Item` */
  readonly members: Record<string, unknown>

  constructor(type: string, message: string, { status = 400, members = {}, cause }: AwsErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.type = type
    this.status = status
    this.members = members
  }
}

interface AwsErrorOptions {
  status?: number
  members?: Record<string, unknown>
  cause?: unknown
}

/** A parsed request body; each operation checks the members that it reads. */
export type AwsInput = Record<string, unknown>

export function optionalText(input: AwsInput, member: string): string | undefined {
  const value = input[member]
  return typeof value === 'string' ? value : undefined
}

interface AwsService {
  /** `application/json`: a service with a REST protocol, which refuses signatures with 403 */
  contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1' | 'application/json'
  maxBodyBytes: number
  tooLargeMessage?: string
  /** whose requests are answered */
  signer: Signer
  /** further headers of every response */
  headers?(): Record<string, string>
}

/** @throws AwsError for everything the service refuses; anything else is answered as InternalServerError */
type Respond = (
  request: IncomingMessage,
  body: string,
) => Promise<{ body: string; status?: number; headers?: Record<string, string> }>

/** Serves one AWS service whose client signs its requests and speaks JSON, on any free port of the loopback. */
export async function serveAws(service: AwsService, respond: Respond): Promise<LocalServer> {
  const server = createServer((request, response) => {
    void serve(service, respond, request, response)
  })
  return listen(server)
}

/**
 * Serves an AWS service in the JSON protocol of its SDK client.
 * @param handle gets the part of `x-amz-target` behind the dot, and the calling function, if any
 */
export const serveAwsJson = (
  service: AwsService & {
    handle(operation: string, input: AwsInput, caller: string | undefined): Promise<object>
  },
): Promise<LocalServer> =>
  serveAws(service, async ({ method, headers }, body) => {
    if (method !== 'POST') return { body: '{}' }
    const operation = String(headers['x-amz-target'] ?? '').split('.')[1] ?? ''
    const output = await service.handle(operation, parse(body), headers[callerHeader]?.toString())
    return { body: JSON.stringify(output) }
  })

async function serve(
  service: AwsService,
  respond: Respond,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { contentType, maxBodyBytes, tooLargeMessage = 'The body is too large.', signer } = service
  const tooLarge = () => new AwsError('RequestEntityTooLargeException', tooLargeMessage, { status: 413 })
  let status = 200
  let answer: Awaited<ReturnType<Respond>>
  try {
    const bytes = await readBody(request, maxBodyBytes, tooLarge)
    verifySignature(signer, request, bytes, contentType === 'application/json' ? 403 : 400)
    answer = await respond(request, bytes.toString('utf8'))
  } catch (error) {
    // The client disconnected before its request was complete.
    if (request.destroyed && !request.complete) return
    const { type, message, members, ...awsError } =
      error instanceof AwsError
        ? error
        : new AwsError('InternalServerError', 'The emulator failed.', { status: 500, cause: error })
    status = awsError.status
    if (status >= 500) process.stderr.write(`emulator: ${String((error as Error).stack ?? error)}\n`)
    const headers = { 'x-amzn-errortype': type.split('#').at(-1) ?? '' }
    answer = { body: JSON.stringify({ __type: type, message, ...members }), headers }
  }
  response.writeHead(answer.status ?? status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(answer.body),
    'x-amzn-requestid': randomUUID(),
    // the SDK corrects its clock by this header; Node's own lags behind when a test moves the clock
    date: new Date().toUTCString(),
    ...service.headers?.(),
    ...answer.headers,
  })
  response.end(answer.body)
}

/**
 * Authenticates a request to a service with a JSON protocol.
 * @throws AwsError the service's own error
 */
export function verifySignature(
  signer: Signer,
  { method = '', url = '/', headers }: IncomingMessage,
  body: Buffer,
  refusedStatus = 400,
) {
  const [path = '/', search = ''] = url.split('?')
  const request = { method, path, query: new URLSearchParams(search), headers }
  verifyHeaders(signer, request, hashPayload(body), refuseWith(refusedStatus))
}

/** All these services share one front end; dynalite's index.js documents its responses, as observed on AWS. */
function refuseWith(status: number): SignatureErrors {
  const frontError = (type: string, message: string) =>
    new AwsError(`com.amazon.coral.service#${type}`, message, { status })
  const unrecognized = () =>
    frontError('UnrecognizedClientException', 'The security token included in the request is invalid.')
  return {
    missing: () =>
      frontError('MissingAuthenticationTokenException', 'Request is missing Authentication Token'),
    incomplete: () =>
      frontError(
        'IncompleteSignatureException',
        "Authorization header requires 'Credential', 'Signature' and 'SignedHeaders' parameters.",
      ),
    invalidDate: () => frontError('IncompleteSignatureException', "Date must be in ISO-8601 'basic format'."),
    skewed: (time) =>
      frontError('InvalidSignatureException', `Signature expired: ${time} is too far from now.`),
    unknownKey: unrecognized,
    wrongScope: () =>
      frontError('InvalidSignatureException', 'Credential should be scoped to a valid region and service.'),
    wrongToken: unrecognized,
    mismatch: () =>
      frontError(
        'InvalidSignatureException',
        'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
      ),
  }
}

/** @throws AwsError */
export function parse(text: string): AwsInput {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as AwsInput
  } catch (error) {
    throw new AwsError('SerializationException', 'The body is not JSON.', { cause: error })
  }
  throw new AwsError('SerializationException', 'The body is not a JSON object.')
}
