import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import { type ApiFunctionName, apiFunctions } from '#shared/routes.ts'
import { withTimeout } from '../../functions/platform/with-timeout.ts'
import { runAs } from './caller.ts'
import { FunctionFailed, FunctionTimedOut } from './gateway-errors.ts'
import { type Prelude, ResponseStream } from './response-stream.ts'

/** Time limits of functions: the setting of those that reply; for others the 29 s after which API Gateway gives up. */
const getTimeoutMs = (functionName: ApiFunctionName, replyMs: number) =>
  apiFunctions[functionName].streaming ? replyMs : 29_000

/**
 * The size limit of a response that is not streamed, as JSON.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html, which says 6 MB; Lambda's error names the bytes
 */
export const maxResponseBytes = 6_291_556

export type BufferedHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<unknown>
export type StreamingHandler = (
  event: APIGatewayProxyEvent,
  stream: ResponseStream,
  context: Context,
) => Promise<unknown>

/** Handlers by function; the route table says which of them stream. */
export type Handlers = Record<ApiFunctionName, BufferedHandler | StreamingHandler>

/**
 * The global that Lambda's runtime has for streaming handlers. It must exist before a module with such a handler is loaded, so
 * this runs first and the handlers are imported dynamically.
 */
export function installLambdaRuntime(): void {
  Object.assign(globalThis, {
    awslambda: {
      streamifyResponse: (handler: StreamingHandler) => handler,
      HttpResponseStream: {
        from(stream: ResponseStream, prelude: Prelude) {
          stream.setPrelude(prelude)
          return stream
        },
      },
    },
  })
}

/** The context of one invocation of a function that may run for `limitMs`. */
export function lambdaContext(functionName: string, limitMs: number): Context {
  const endsAtMs = Date.now() + limitMs
  return {
    awsRequestId: randomUUID(),
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    memoryLimitInMB: '512',
    getRemainingTimeInMillis: () => Math.max(0, endsAtMs - Date.now()),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  }
}

/**
 * Invokes the function of a request and sends its response. Resolves when the handler has ended, which may be long after the
 * client has disconnected.
 * @param replyMs after which a streaming function is stopped
 * @param onResponse called when a streamed response begins
 * @throws FunctionFailed, FunctionTimedOut; a part of the response may have been sent by then
 */
export async function invoke(
  functionName: ApiFunctionName,
  {
    handlers,
    event,
    response,
    replyMs,
    onResponse,
  }: {
    handlers: Handlers
    replyMs: number
    event: APIGatewayProxyEvent
    response: ServerResponse
    onResponse?: (() => void) | undefined
  },
): Promise<void> {
  const limitMs = getTimeoutMs(functionName, replyMs)
  const context = lambdaContext(functionName, limitMs)
  const work = runAs(functionName, () =>
    apiFunctions[functionName].streaming
      ? invokeStreaming(handlers[functionName] as StreamingHandler, event, { response, onResponse }, context)
      : invokeBuffered(handlers[functionName] as BufferedHandler, event, response, context),
  )
  // after the limit nothing awaits the handler, which may still fail
  if (!(await withTimeout(work, limitMs))) throw new FunctionTimedOut(`${functionName} ran for ${limitMs} ms`)
}

async function invokeBuffered(
  handler: BufferedHandler,
  event: APIGatewayProxyEvent,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const result = checkResult(await run(() => handler(event, context)))
  if (response.headersSent) return
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = result
  for (const [name, value] of Object.entries({ ...headers, ...multiValueHeaders }))
    response.setHeader(name, Array.isArray(value) ? value.map(String) : String(value))
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  response.writeHead(statusCode, { 'content-length': bytes.length })
  response.end(bytes)
}

async function invokeStreaming(
  handler: StreamingHandler,
  event: APIGatewayProxyEvent,
  { response, onResponse }: { response: ServerResponse; onResponse: (() => void) | undefined },
  context: Context,
): Promise<void> {
  const stream = new ResponseStream(response, onResponse)
  stream.on('error', () => undefined)
  await run(() => handler(event, stream, context))
  if (!response.headersSent && !response.destroyed)
    throw new FunctionFailed('a stream without a single write')
  stream.end()
}

async function run<T>(handler: () => Promise<T>): Promise<T> {
  try {
    return await handler()
  } catch (error) {
    throw new FunctionFailed('the handler threw', { cause: error })
  }
}

function checkResult(result: unknown): APIGatewayProxyResult {
  const { statusCode, body } = (result ?? {}) as Partial<APIGatewayProxyResult>
  if (typeof statusCode !== 'number' || (body !== undefined && typeof body !== 'string'))
    throw new FunctionFailed('the handler gave no proxy result')
  if (Buffer.byteLength(JSON.stringify(result)) > maxResponseBytes)
    throw new FunctionFailed('the answer is over 6 MB')
  return { ...(result as APIGatewayProxyResult), body: body ?? '' }
}
