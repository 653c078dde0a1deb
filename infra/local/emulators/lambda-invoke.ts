import type { IncomingMessage } from 'node:http'
import type { Context } from 'aws-lambda'
import { wait } from '../../../functions/platform/clock.ts'
import type { FunctionName } from '../../aws/table-access.ts'
import { withTimeout } from '../../../functions/platform/with-timeout.ts'
import { runAs } from '../caller.ts'
import type { LocalCredentials } from '../credentials.ts'
import { lambdaContext, maxResponseBytes } from '../lambda.ts'
import type { LocalServer } from '../listen.ts'
import { AwsError, serveAws } from './aws-json.ts'

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
const maxEventBytes = 1_048_576
/**
 * After a failure Lambda waits a minute, then two, and gives the event up after the second retry.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
const retryDelaysMs = [60_000, 120_000]

export interface LambdaEmulator extends LocalServer {
  /** functions that run in the background; one that waits for its next attempt does not count */
  countRunning(): number
  /** Begins what waits for its next attempt at once: for tests, in which no minute passes. */
  retryNow(): void
}

/**
 * Lambda's Invoke for the SDK on a free port: waits for the function and returns its response or its error, or runs it in the background
 * for an event. Requests have to be signed with the credentials of this product.
 */
export async function startLambdaEmulator({
  functions,
  credentials,
  region,
}: LambdaOptions): Promise<LambdaEmulator> {
  let running = 0
  const waiting = new Set<() => void>()
  const waitForRetry = async (delayMs: number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    await Promise.race([promise, wait(delayMs, { ref: false })])
    waiting.delete(resolve)
  }
  const runCounted: typeof run = async (found, event) => {
    running += 1
    return run(found, event).finally(() => (running -= 1))
  }
  const server = await serveAws(
    {
      contentType: 'application/json',
      maxBodyBytes: maxRequestBytes,
      tooLargeMessage: `Request must be smaller than ${maxRequestBytes} bytes for the InvokeFunction operation`,
      signer: { ...credentials, region, service: 'lambda' },
    },
    async (request, payload) => {
      const found = findFunction({ functions, region }, request)
      const event = parseEvent(payload)
      if (isEvent(request)) {
        if (Buffer.byteLength(payload) > maxEventBytes)
          throw new AwsError(
            'RequestEntityTooLargeException',
            `Request must be smaller than ${maxEventBytes} bytes for the InvokeFunction operation`,
            { status: 413 },
          )
        void runInBackground(() => runCounted(found, event), { name: found.name, waitForRetry })
        return { status: 202, body: '' }
      }
      const { body, failed } = await run(found, event)
      const headers = {
        'x-amz-executed-version': '$LATEST',
        ...(failed && { 'x-amz-function-error': 'Unhandled' }),
      }
      return { body, headers }
    },
  )
  return {
    ...server,
    countRunning: () => running,
    retryNow() {
      for (const begin of waiting) begin()
    },
  }
}

function findFunction(
  { functions, region }: Pick<LambdaOptions, 'functions' | 'region'>,
  request: IncomingMessage,
): InvokedFunction {
  const name = decodeURIComponent(
    /^\/2015-03-31\/functions\/([^/?]+)\/invocations(?:\?.*)?$/.exec(request.url ?? '')?.[1] ?? '',
  )
  if (request.method !== 'POST' || name === '')
    throw new AwsError('UnknownOperationException', 'Unknown operation.', { status: 404 })
  if (!isEvent(request) && invocationType(request) !== 'RequestResponse')
    throw new AwsError(
      'InvalidParameterValueException',
      'This emulator knows RequestResponse and Event only.',
    )
  const found = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (found) return found
  throw new AwsError(
    'ResourceNotFoundException',
    `Function not found: arn:aws:lambda:${region}:000000000000:function:${name}`,
    { status: 404 },
  )
}

const invocationType = (request: IncomingMessage) =>
  request.headers['x-amz-invocation-type'] ?? 'RequestResponse'
const isEvent = (request: IncomingMessage) => invocationType(request) === 'Event'

/** Runs the function, again after a failure, and tells the terminal when it is given up. */
async function runInBackground(
  attempt: () => ReturnType<typeof run>,
  { name, waitForRetry }: { name: FunctionName; waitForRetry: (delayMs: number) => Promise<void> },
): Promise<void> {
  for (const delayMs of [...retryDelaysMs, undefined]) {
    const { failed, body } = await attempt()
    if (!failed) return
    if (delayMs === undefined) process.stderr.write(`${name} failed: ${body.slice(0, 500)}\n`)
    else await waitForRetry(delayMs)
  }
}

function parseEvent(payload: string): unknown {
  try {
    return JSON.parse(payload === '' ? '{}' : payload) as unknown
  } catch {
    throw new AwsError(
      'InvalidRequestContentException',
      'Could not parse request body into json: Could not parse payload into json',
    )
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
  const ended = await withTimeout(work, timeoutMs)
  if (ended) return ended.result
  const seconds = (timeoutMs / 1_000).toFixed(2)
  return failure(
    'Sandbox.Timedout',
    `RequestId: ${context.awsRequestId} Error: Task timed out after ${seconds} seconds`,
  )
}
