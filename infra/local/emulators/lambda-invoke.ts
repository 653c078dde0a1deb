import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Context } from 'aws-lambda'
import type { FunctionName } from '../../aws/table-access.ts'
import { runAs } from '../caller.ts'
import type { LocalCredentials } from '../credentials.ts'
import { lambdaContext, maxResponseBytes } from '../lambda.ts'
import { listen, type LocalServer } from '../listen.ts'
import { readBody } from '../read-body.ts'
import { hashPayload, verifyHeaders, type SignatureErrors } from './signature.ts'

/** A function that is invoked by name. */
export interface InvokedFunction {
  /** whose role it has */
  readonly name: FunctionName
  readonly timeoutMs: number
  readonly handler: (event: unknown, context: Context) => Promise<unknown>
}

export interface LambdaOptions {
  /** by the name that callers use */
  functions: Readonly<Record<string, InvokedFunction>>
  credentials: LocalCredentials
  region: string
}

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxRequestBytes = 6_291_456

/** An error of the service itself, in the REST-JSON protocol of its SDK client. */
class LambdaError extends Error {
  readonly status: number
  readonly type: string
  readonly body: Record<string, string>

  /** @param body member names as AWS writes them, which differ between errors */
  constructor(status: number, type: string, body: Record<string, string>) {
    super(type)
    this.status = status
    this.type = type
    this.body = body
  }
}

/**
 * Lambda's Invoke for the SDK on a free port: waits for the function and returns its response or its error. Requests have to be signed
 * with the credentials of this product.
 */
export async function startLambdaEmulator(options: LambdaOptions): Promise<LocalServer> {
  const server = createServer((request, response) => void respond(options, request, response))
  return listen(server)
}

async function respond(
  options: LambdaOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() }
  try {
    const payload = (await readBody(request, maxRequestBytes, tooLarge)).toString('utf8')
    checkCaller(options, request, payload)
    const invoked = findFunction(options, request)
    const { body, failed } = await run(invoked, parseEvent(payload))
    response.writeHead(200, {
      ...headers,
      'x-amz-executed-version': '$LATEST',
      ...(failed && { 'x-amz-function-error': 'Unhandled' }),
    })
    response.end(body)
  } catch (error) {
    if (request.destroyed && !request.complete) return
    const lambdaError =
      error instanceof LambdaError
        ? error
        : new LambdaError(500, 'ServiceException', { Type: 'Service', Message: 'The emulator failed.' })
    if (lambdaError.status >= 500)
      process.stderr.write(`emulator: ${String((error as Error).stack ?? error)}\n`)
    response.writeHead(lambdaError.status, { ...headers, 'x-amzn-errortype': lambdaError.type })
    response.end(JSON.stringify(lambdaError.body))
  }
}

const forbidden = (type: string, message: string) => new LambdaError(403, type, { message })
const unrecognized = () =>
  forbidden('UnrecognizedClientException', 'The security token included in the request is invalid.')
const incomplete = () => forbidden('IncompleteSignatureException', 'The request signature is not complete.')
const refusals: SignatureErrors = {
  missing: () => forbidden('MissingAuthenticationTokenException', 'Missing Authentication Token'),
  incomplete,
  invalidDate: incomplete,
  skewed: (time) => forbidden('InvalidSignatureException', `Signature expired: ${time} is too far from now.`),
  unknownKey: unrecognized,
  wrongScope: () =>
    forbidden(
      'InvalidSignatureException',
      "Credential should be scoped to a valid region and the service 'lambda'.",
    ),
  wrongToken: unrecognized,
  mismatch: () =>
    forbidden(
      'InvalidSignatureException',
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
    ),
}

/** @throws LambdaError for a request that is unsigned, signed with other credentials, or for another service */
function checkCaller(
  { credentials, region }: LambdaOptions,
  { method = '', url = '/', headers }: IncomingMessage,
  payload: string,
): void {
  const [path = '/', search = ''] = url.split('?')
  const request = { method, path, query: new URLSearchParams(search), headers }
  verifyHeaders({ ...credentials, region, service: 'lambda' }, request, hashPayload(payload), refusals)
}

function findFunction({ functions, region }: LambdaOptions, request: IncomingMessage): InvokedFunction {
  const name = decodeURIComponent(
    /^\/2015-03-31\/functions\/([^/?]+)\/invocations(?:\?.*)?$/.exec(request.url ?? '')?.[1] ?? '',
  )
  if (request.method !== 'POST' || name === '')
    throw new LambdaError(404, 'UnknownOperationException', { message: 'Unknown operation.' })
  if ((request.headers['x-amz-invocation-type'] ?? 'RequestResponse') !== 'RequestResponse')
    throw new LambdaError(400, 'InvalidParameterValueException', {
      Type: 'User',
      message: 'This emulator waits for its functions: RequestResponse only.',
    })
  const found = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (!found)
    throw new LambdaError(404, 'ResourceNotFoundException', {
      Type: 'User',
      Message: `Function not found: arn:aws:lambda:${region}:000000000000:function:${name}`,
    })
  return found
}

function parseEvent(payload: string): unknown {
  try {
    return JSON.parse(payload === '' ? '{}' : payload) as unknown
  } catch {
    throw new LambdaError(400, 'InvalidRequestContentException', {
      Type: 'User',
      message: 'Could not parse request body into json: Could not parse payload into json',
    })
  }
}

/** Runs the function to its end or its time-out. An error that it throws becomes the response, marked as a function error. */
async function run(
  { name, timeoutMs, handler }: InvokedFunction,
  event: unknown,
): Promise<{ body: string; failed: boolean }> {
  const context = lambdaContext(name, timeoutMs)
  const failure = (errorType: string, errorMessage: string, trace?: string[]) => ({
    body: JSON.stringify({ errorType, errorMessage, ...(trace && { trace }) }),
    failed: true,
  })
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<ReturnType<typeof failure>>((resolve) => {
    const seconds = (timeoutMs / 1_000).toFixed(2)
    const message = `RequestId: ${context.awsRequestId} Error: Task timed out after ${seconds} seconds`
    timer = setTimeout(() => resolve(failure('Sandbox.Timedout', message)), timeoutMs)
  })
  const work = runAs(name, () => handler(event, context)).then(
    (result) => {
      // the runtime turns values that are not JSON into null
      const body = JSON.stringify(result) ?? 'null'
      return Buffer.byteLength(body) > maxResponseBytes
        ? failure(
            'Function.ResponseSizeTooLarge',
            `Response payload size exceeded maximum allowed payload size (${maxResponseBytes} bytes).`,
          )
        : { body, failed: false }
    },
    (error: unknown) => {
      const { name: type, message, stack = '' } = error as Error
      return failure(type, message, stack.split('\n'))
    },
  )
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

const tooLarge = () =>
  new LambdaError(413, 'RequestEntityTooLargeException', {
    Message: `Request must be smaller than ${maxRequestBytes} bytes for the InvokeFunction operation`,
  })
