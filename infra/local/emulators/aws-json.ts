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

/** A member that is a string, or undefined. */
export function optionalText(input: AwsInput, member: string): string | undefined {
  const value = input[member]
  return typeof value === 'string' ? value : undefined
}

export interface AwsJsonService {
  contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1'
  maxBodyBytes: number
  /** whose requests are answered */
  signer: Signer
  /**
   * @param operation the part of `x-amz-target` behind the dot
   * @param caller the calling function, if any
   * @throws AwsError for everything the service refuses; anything else is answered as InternalServerError
   */
  handle(operation: string, input: AwsInput, caller: string | undefined): Promise<object>
  /** further headers of every response */
  headers?(): Record<string, string>
}

/** Serves one AWS service in the JSON protocol of its SDK client, on any free port of the loopback. */
export async function serveAwsJson(service: AwsJsonService): Promise<LocalServer> {
  const server = createServer((request, response) => {
    void respond(service, request, response)
  })
  return listen(server)
}

const tooLarge = () =>
  new AwsError('RequestEntityTooLargeException', 'The body is too large.', { status: 413 })

async function respond(service: AwsJsonService, request: IncomingMessage, response: ServerResponse) {
  let status = 200
  let body: object
  try {
    const bytes = await readBody(request, service.maxBodyBytes, tooLarge)
    body = request.method === 'POST' ? await handle(service, request, bytes) : {}
  } catch (error) {
    // The client disconnected before its request was complete.
    if (request.destroyed && !request.complete) return
    const awsError =
      error instanceof AwsError
        ? error
        : new AwsError('InternalServerError', 'The emulator failed.', { status: 500, cause: error })
    if (awsError.status >= 500) process.stderr.write(`emulator: ${String((error as Error).stack ?? error)}\n`)
    status = awsError.status
    body = { __type: awsError.type, message: awsError.message, ...awsError.members }
    response.setHeader('x-amzn-errortype', awsError.type)
  }
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': service.contentType,
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': randomUUID(),
    // the SDK corrects its clock by this header; Node's own lags behind when a test moves the clock
    date: new Date().toUTCString(),
    ...service.headers?.(),
  })
  response.end(text)
}

function handle(service: AwsJsonService, request: IncomingMessage, bytes: Buffer): Promise<object> {
  verifySignature(service.signer, request, bytes)
  const caller = request.headers[callerHeader]?.toString()
  return service.handle(parseOperation(request), parse(bytes.toString('utf8')), caller)
}

/**
 * Authenticates a request to a service with a JSON protocol.
 * @throws AwsError the service's own error
 */
export function verifySignature(
  signer: Signer,
  { method = '', url = '/', headers }: IncomingMessage,
  body: Buffer,
) {
  const [path = '/', search = ''] = url.split('?')
  const request = { method, path, query: new URLSearchParams(search), headers }
  verifyHeaders(signer, request, hashPayload(body), refusals)
}

/** All these services share one front end; dynalite's index.js documents its responses, as observed on AWS. */
const frontError = (type: string, message: string) =>
  new AwsError(`com.amazon.coral.service#${type}`, message)
const unrecognized = () =>
  frontError('UnrecognizedClientException', 'The security token included in the request is invalid.')
const mismatch = () =>
  frontError(
    'InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
  )
const refusals: SignatureErrors = {
  missing: () => frontError('MissingAuthenticationTokenException', 'Request is missing Authentication Token'),
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
  mismatch,
}

const parseOperation = (request: IncomingMessage) =>
  String(request.headers['x-amz-target'] ?? '').split('.')[1] ?? ''

function parse(text: string): AwsInput {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as AwsInput
  } catch (error) {
    throw new AwsError('SerializationException', 'The body is not JSON.', { cause: error })
  }
  throw new AwsError('SerializationException', 'The body is not a JSON object.')
}
