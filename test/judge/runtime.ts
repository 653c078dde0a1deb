import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildFunction } from '../../infra/aws/function-build/build-function.ts'
import { routes, type Route } from '../../shared/routes.ts'
import { identityProviders } from '../infra/configurations.ts'
import { synthesise } from '../infra/synthesised.ts'
import { entries, workers, type FunctionId } from '../support/function-entries.ts'
import { parseStreamed } from '../support/lambda-stream.ts'
import { installRuntimeClient, runtimeClient } from './runtime-client.ts'
import type { Report } from './report.ts'
import { startRuntimeApi, type RuntimeResponse } from './runtime-api.ts'

const startMs = 30_000

const scratch = mkdtempSync(join(tmpdir(), 'judge-'))
process.env['INFRA_SCRATCH'] = scratch
// every function: some exist with identity providers or an embedding model only
const app = synthesise({ identityProviders, embeddingModel: 'text-embedding-3-small' })

/**
 * Starts the bundle of each function under Amazon's own runtime client.
 * @param wanted names of functions; all without one
 */
export async function judge(report: Report, wanted: readonly string[]): Promise<void> {
  try {
    const client = installRuntimeClient()
    if (client === undefined)
      return report.skip(
        'runtime',
        `${runtimeClient} could not be installed: it needs cmake, make and g++, on Linux.`,
      )
    for (const name of wanted.filter((one) => !(one in entries)))
      report.fail(name, 'There is no such function.')
    const names = (Object.keys(entries) as FunctionId[]).filter(
      (name) => wanted.length === 0 || wanted.includes(name),
    )
    for (const name of names) {
      const problem = await judgeFunction(name, client).catch((error: unknown) => String(error))
      if (problem === undefined) report.pass(name)
      else report.fail(name, problem)
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** @returns what is wrong, or undefined */
async function judgeFunction(name: FunctionId, client: string): Promise<string | undefined> {
  const folder = join(scratch, name)
  await buildFunction(entries[name], workers[name] ?? [], folder)
  const route = Object.values<Route>(routes).find(
    ({ functionName }) => functionName.toLowerCase() === name.toLowerCase(),
  )
  const variables = readVariables(name)
  const runtime = await startRuntimeApi(route ? toEvent(route) : {})
  const child = spawn(process.execPath, [client], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...environment,
      ...variables,
      PATH: process.env['PATH'],
      AWS_LAMBDA_RUNTIME_API: runtime.address,
      LAMBDA_TASK_ROOT: folder,
      _HANDLER: 'index.handler',
    },
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  try {
    const response = await Promise.race([
      runtime.response,
      once(child, 'exit').then(([code]) => `ended with ${String(code)}: ${errors.slice(-300)}`),
      new Promise<string>((resolve) => {
        setTimeout(() => resolve(`no response in ${startMs / 1_000} s`), startMs).unref()
      }),
    ])
    return typeof response === 'string' ? response : findProblem(response, route)
  } finally {
    child.kill('SIGKILL')
    runtime.close()
  }
}

/** Nothing behind the function can be reached: it only has to start, read the event and respond. */
const environment = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'judge',
  AWS_SECRET_ACCESS_KEY: 'judge',
  AWS_LAMBDA_FUNCTION_NAME: 'judge',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  AWS_LAMBDA_LOG_GROUP_NAME: 'judge',
  AWS_LAMBDA_LOG_STREAM_NAME: 'judge',
}

/** The variables that the template gives the function. */
function readVariables(name: FunctionId): Record<string, string> {
  const stack = entries[name].startsWith('sign-in/') ? 'auth' : 'api'
  const { Environment } = app.named(stack, 'AWS::Lambda::Function', name).Properties
  return (Environment as { Variables: Record<string, string> }).Variables
}

/** A request without a token, as API Gateway passes it on. */
const toEvent = ({ method, path }: Route) => ({
  httpMethod: method,
  resource: path,
  path,
  headers: {},
  multiValueHeaders: {},
  queryStringParameters: null,
  pathParameters: null,
  body: null,
  isBase64Encoded: false,
  requestContext: { requestId: 'judge', requestTimeEpoch: Date.now() },
})

function findProblem({ kind, contentType, body }: RuntimeResponse, route?: Route): string | undefined {
  if (kind === 'init-error') return body.toString()
  // a trigger or a scheduled function gets no usable event: being called is enough
  if (!route) return undefined
  if (kind === 'error') return body.toString()
  const isStream = contentType === 'application/vnd.awslambda.http-integration-response'
  const { statusCode } = isStream
    ? parseStreamed(body)
    : (JSON.parse(body.toString()) as { statusCode: number })
  const expected = route.access === 'user' ? [401] : [200, 400, 401]
  return expected.includes(statusCode) ? undefined : `responded with ${statusCode}`
}
