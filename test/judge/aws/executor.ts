import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer, json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { parseStreamed } from '../../support/lambda-stream.ts'

/** A call of a function, as launch.py passes it on. */
interface Invocation {
  name: string
  arn: string
  handler: string
  memoryMb: number
  timeoutSeconds: number
  variables: Record<string, string>
  credentials: Record<string, string>
  /** path of the code's zip file, named by its hash */
  code: string
  requestId: string
  event: unknown
}

interface Outcome {
  body: unknown
  error: boolean
}

/** What the executor saw of a function. */
interface Counts {
  calls: number
  errors: string[]
}

interface ExecutorOptions {
  /** the module of Amazon's runtime client */
  client: string
  /** for code and logs */
  folder: string
  /** replaces or adds variables of every function: where the world outside AWS is */
  variables: () => Record<string, string>
}

/** Idle processes of a function that are kept. */
const maxIdle = 2
/** Processes that initialise at the same time: on AWS each has a processor of its own, and here all have these. */
const maxStarting = 2

/** Runs functions under Amazon's runtime client: a process for each execution environment, with the credentials of its role. */
export async function startExecutor({ client, folder, variables }: ExecutorOptions) {
  const idle = new Map<string, Environment[]>()
  const running = new Set<Environment>()
  const counts = new Map<string, Counts>()

  const lanes: Promise<unknown>[] = Array.from({ length: maxStarting }, () => Promise.resolve())
  let starts = 0
  function startInTurn<Result>(start: () => Promise<Result>): Promise<Result> {
    const lane = starts++ % maxStarting
    const started = (lanes[lane] ?? Promise.resolve()).then(start)
    lanes[lane] = started.catch(() => undefined)
    return started
  }

  async function invoke(invocation: Invocation): Promise<Outcome> {
    const key = JSON.stringify([invocation.arn, invocation.code, invocation.variables])
    const count = counts.get(invocation.name) ?? { calls: 0, errors: [] }
    counts.set(invocation.name, count)
    count.calls += 1
    const pool = idle.get(key) ?? []
    idle.set(key, pool)
    let environment = pool.pop()
    while (environment?.hasEnded()) environment = pool.pop()
    environment ??= await startInTurn(async () => {
      const started = await startEnvironment(invocation, { client, folder, variables: variables() })
      await started.initialised
      return started
    })
    running.add(environment)
    const used = environment
    const outcome = await used.handle(invocation)
    if (outcome.error) count.errors.push(JSON.stringify(outcome.body).slice(0, 300))
    // a handler goes on after its response has ended: until then its environment takes no call, and is not stopped
    void used.idle().then(() => {
      running.delete(used)
      if (!used.hasEnded() && pool.length < maxIdle) pool.push(used)
      else used.stop()
    })
    return outcome
  }

  const server = createServer((request, response) => {
    void (async () => {
      const outcome = await invoke((await json(request)) as Invocation).catch((error: unknown) => ({
        body: { errorType: 'Judge', errorMessage: String(error) },
        error: true,
      }))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(outcome))
    })()
  })
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** by name of the function */
    counts: counts as ReadonlyMap<string, Counts>,
    close() {
      server.closeAllConnections()
      server.close()
      for (const environment of [...running, ...[...idle.values()].flat()]) environment.stop()
    },
  }
}

interface Environment {
  /** when it waits for its first call, or has ended before */
  readonly initialised: Promise<void>
  handle(invocation: Invocation): Promise<Outcome>
  /** Waits until it asks for the next call, has ended, or the time of its last call is over. */
  idle(): Promise<void>
  hasEnded(): boolean
  stop(): void
}

const base = '/2018-06-01/runtime'
/** An init phase has ten seconds of its own. */
const initSeconds = 10

/** A process with its runtime API: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html */
async function startEnvironment(
  { name, arn, handler, memoryMb, variables, credentials, code }: Invocation,
  options: { client: string; folder: string; variables: Record<string, string> },
): Promise<Environment> {
  const folder = await unpack(code)
  const region = arn.split(':')[3] ?? ''
  const calls: Invocation[] = []
  const initialised = Promise.withResolvers<void>()
  let respondNext: (() => void) | undefined
  let answered: ((outcome: Outcome) => void) | undefined
  let idle = Promise.withResolvers<void>()

  function sendNext(response: ServerResponse) {
    const call = calls.shift()
    if (!call) {
      respondNext = () => sendNext(response)
      idle.resolve()
      return
    }
    respondNext = undefined
    response.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': call.requestId,
      'lambda-runtime-deadline-ms': String(Date.now() + call.timeoutSeconds * 1_000),
      'lambda-runtime-invoked-function-arn': call.arn,
      'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
    })
    response.end(JSON.stringify(call.event))
  }

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === `${base}/invocation/next`) {
      initialised.resolve()
      return sendNext(response)
    }
    const body = await buffer(request)
    response.writeHead(202, { 'content-type': 'application/json' }).end('{}')
    answered?.(toOutcome(request, body))
  }
  const server = createServer((request, response) => void respond(request, response))
  // the client keeps its connection between calls, and a closed one would end it
  server.keepAliveTimeout = 0
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const log = createWriteStream(join(options.folder, `${name}.log`), { flags: 'a' })
  await once(log, 'open')
  const child: ChildProcess = spawn(process.execPath, [options.client], {
    cwd: folder,
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env['PATH'],
      HOME: '/tmp',
      TZ: ':UTC',
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      LAMBDA_TASK_ROOT: folder,
      _HANDLER: handler,
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_LOG_GROUP_NAME: name,
      AWS_LAMBDA_LOG_STREAM_NAME: name,
      ...credentials,
      ...variables,
      ...options.variables,
      NODE_OPTIONS: `${variables['NODE_OPTIONS'] ?? ''} ${options.variables['NODE_OPTIONS'] ?? ''}`.trim(),
    },
  })
  const exited = new Promise<Outcome>((resolve) => {
    child.once('exit', (code) => {
      initialised.resolve()
      idle.resolve()
      resolve(fail('Runtime.ExitError', `exit status ${code}`))
    })
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const stop = () => {
    child.kill('SIGKILL')
    server.closeAllConnections()
    server.close()
    log.end()
  }
  return {
    initialised: initialised.promise,
    hasEnded,
    stop,
    idle: () => idle.promise,
    async handle(invocation) {
      if (hasEnded()) return exited
      idle = Promise.withResolvers<void>()
      const outcome = new Promise<Outcome>((resolve) => {
        answered = resolve
      })
      const limit = Promise.withResolvers<Outcome>()
      const seconds = invocation.timeoutSeconds + initSeconds
      const timer = setTimeout(() => {
        limit.resolve(fail('Sandbox.Timedout', `no response in ${seconds} s`))
        stop()
      }, seconds * 1_000)
      void idle.promise.then(() => clearTimeout(timer))
      calls.push(invocation)
      respondNext?.()
      return Promise.race([outcome, exited, limit.promise])
    },
  }
}

const fail = (errorType: string, errorMessage: string): Outcome => ({
  body: { errorType, errorMessage },
  error: true,
})

function toOutcome({ url, headers }: IncomingMessage, body: Buffer): Outcome {
  if (!url?.endsWith('/response')) return { body: parse(body), error: true }
  if (headers['content-type'] !== 'application/vnd.awslambda.http-integration-response')
    return { body: body.length > 0 ? parse(body) : null, error: false }
  const streamed = parseStreamed(body)
  return {
    body: {
      statusCode: streamed.statusCode,
      headers: streamed.headers,
      body: streamed.body.toString(),
      isBase64Encoded: false,
    },
    error: false,
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return { errorType: 'Runtime.Unknown', errorMessage: body.toString().slice(0, 500) }
  }
}

const unpacking = new Map<string, Promise<string>>()

/** Python's own command, which the judge needs anyway. @returns the folder with the code */
function unpack(zip: string): Promise<string> {
  const folder = zip.replace(/\.zip$/, '')
  const known = unpacking.get(zip)
  if (known) return known
  const unpacked = (async () => {
    if (!existsSync(folder)) {
      mkdirSync(`${folder}.part`, { recursive: true })
      await promisify(execFile)('python3', ['-m', 'zipfile', '-e', zip, `${folder}.part`])
      renameSync(`${folder}.part`, folder)
    }
    return folder
  })()
  unpacking.set(zip, unpacked)
  return unpacked
}
