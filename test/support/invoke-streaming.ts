import type { Context } from 'aws-lambda'
import type { Writable } from 'node:stream'
import type { RouteName } from '#shared/routes.ts'
import { type Call, buildProxyEvent, testContext } from './invoke.ts'
import { lambdaRuntime, LambdaStream, parseStreamed } from './lambda-stream.ts'

/** Installs the global of Lambda's runtime; call it before a module with a streaming handler is loaded. */
export const installLambdaGlobal = () => Object.assign(globalThis, { awslambda: lambdaRuntime })

/** Calls a streaming handler and returns its response once the stream has ended. */
export async function invokeStreaming<Name extends RouteName>(
  handler: unknown,
  name: Name,
  call: Call<Name> = {},
  context: Context = testContext,
) {
  const stream = new LambdaStream()
  await (handler as (event: unknown, into: Writable, context: Context) => Promise<unknown>)(
    buildProxyEvent(name, call),
    stream,
    context,
  )
  const { statusCode, headers, body: bytes } = parseStreamed(stream.bytes())
  const body = headers['content-type']?.startsWith('application/json')
    ? (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>)
    : {}
  return { statusCode, headers, bytes, body }
}
