import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Endpoints } from '../../infra/local/endpoints.ts'
import { childEnvironment, productPreloads } from './child-environment.ts'
import { readEndpoints } from './endpoints.ts'
import type { Mail } from '../../infra/local/mailbox.ts'
import { signUpUser, type StackUser } from './stack-user.ts'
import { testLimitMs } from './time-limits.ts'

const projectRoot = join(import.meta.dirname, '../..')
const sourceArguments = [
  ...productPreloads.flatMap((file) => ['--import', pathToFileURL(join(projectRoot, file)).href]),
  'infra/local/start.ts',
]
/** time limit of a start and of a stop: shorter than the test's, so that its error says more */
const limitMs = testLimitMs / 2
/** how long Node may take to write its report */
const reportWaitMs = 5_000

export interface StackOptions {
  /** overrides the defaults: a free port, a new folder, a fast demo model, no calls to the internet */
  env?: Record<string, string>
  /** uses and keeps this folder instead of a temporary one */
  dataDir?: string
  /** runs the sources instead of their bundle */
  fromSources?: boolean
}

/** The whole product in a separate process. */
export interface LocalStack {
  /** the same after a restart */
  readonly origin: string
  readonly dataDir: string
  /** the output since the first start */
  output(): string
  endpoints(): Promise<Endpoints>
  /** the demo model's requests: open, all, and aborted by the client */
  modelRequests(): Promise<{ open: number; requests: number; aborted: number }>
  /** DynamoDB's write units since the last start */
  writeUnits(): Promise<number>
  /** mails to an address, newest first */
  mail(to: string): Promise<Mail[]>
  /** signs up, confirms with the mailed code and signs in */
  newUser(person?: { name?: string; email?: string }): Promise<StackUser>
  /** sends a signal and waits for the end; returns the exit code, null after a kill */
  kill(signal?: NodeJS.Signals): Promise<number | null>
  /** starts again on the same port and folder; stops a running stack first */
  restart(env?: Record<string, string>): Promise<void>
  /** stops the stack and removes its folder */
  stop(): Promise<void>
}

/** @throws Error with the output when the stack does not become ready */
export async function startStack(options: StackOptions = {}): Promise<LocalStack> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'juno-stack-')))
  let printed = ''
  const print = (text: string) => {
    printed += text
  }
  const bundle = options.fromSources ? undefined : process.env['PRODUCT_BUNDLE']
  const launch = (env: Record<string, string>) =>
    startProcess(bundle, { ...options.env, ...env, LOCAL_DATA_DIR: dataDir }, print)
  let { child, origin } = await launch({})

  const endpoints = () => readEndpoints(dataDir)
  const mail = async (to: string) => {
    const response = await fetch(`${origin}/local/mail.json?${new URLSearchParams({ to })}`)
    return (await response.json()) as Mail[]
  }
  const kill = (signal: NodeJS.Signals = 'SIGKILL') => end(child, signal)
  const { port } = new URL(origin)

  return {
    origin,
    dataDir,
    output: () => printed,
    endpoints,
    mail,
    kill,
    async modelRequests() {
      const { model, modelKey } = await endpoints()
      if (!model) throw new Error('the stack runs on another model')
      const headers = { authorization: `Bearer ${modelKey}` }
      const response = await fetch(new URL('/requests', model), { headers })
      return (await response.json()) as { open: number; requests: number; aborted: number }
    },
    async writeUnits() {
      const response = await fetch((await endpoints()).dynamodb)
      return Number(response.headers.get('x-juno-write-units'))
    },
    newUser: async ({ name = 'Ann Example', email = `${randomUUID()}@example.com` } = {}) =>
      signUpUser({ origin, cognito: (await endpoints()).cognito, mail }, { name, email }),
    async restart(env = {}) {
      await kill('SIGTERM')
      ;({ child, origin } = await launch({ ...env, PORT: port }))
    },
    async stop() {
      await kill('SIGTERM')
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const defaults = {
  PORT: '0',
  DEMO_TOKENS_PER_SECOND: '2000',
  // tests of replies count the requests to the model
  CONVERSATION_TITLES: 'off',
  // the first user of a test is like every other
  FIRST_ADMINISTRATOR: 'off',
  // nothing listens there: tests send no requests to the internet
  GITHUB_API_URL: 'http://127.0.0.1:1',
  MCP_REGISTRY_URL: 'http://127.0.0.1:1',
}

/** @param bundle folder of the bundled product; without one the sources run */
async function startProcess(
  bundle: string | undefined,
  env: Record<string, string>,
  print: (text: string) => void,
) {
  const program = bundle === undefined ? sourceArguments : [join(bundle, 'product.mjs')]
  const report = join(tmpdir(), `juno-start-${randomUUID()}.json`)
  const reportOptions = [
    '--report-on-signal',
    `--report-directory=${dirname(report)}`,
    `--report-filename=${basename(report)}`,
  ]
  const child = spawn(process.execPath, [...reportOptions, ...program, '--no-build'], {
    cwd: projectRoot,
    env: {
      ...childEnvironment,
      // the modules of the bundle are compiled in its own folder
      ...(bundle !== undefined && { NODE_COMPILE_CACHE: join(bundle, 'compiled') }),
      HOME: process.env['HOME'],
      REUSED_RSA_KEYS: process.env['REUSED_RSA_KEYS'],
      ...defaults,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killWithParent = () => child.kill('SIGKILL')
  process.once('exit', killWithParent)
  child.once('exit', () => process.off('exit', killWithParent))
  let startOutput = ''
  const collect = (text: string) => {
    startOutput += text
    print(text)
  }
  child.stderr.setEncoding('utf8').on('data', collect)
  const origin = await new Promise<string>((resolve, reject) => {
    let isOverdue = false
    const timer = setTimeout(() => {
      isOverdue = true
      void explainWait(child, report).then((waiting) => {
        child.kill('SIGKILL')
        reject(new Error(`The stack was not ready after ${limitMs} ms:\n${startOutput}${waiting}`))
      })
    }, limitMs)
    createInterface({ input: child.stdout }).on('line', (line) => {
      collect(`${line}\n`)
      const ready = /^Ready (\S+)$/.exec(line)?.[1]
      // a product that becomes ready during its report is killed all the same
      if (!ready || isOverdue) return
      clearTimeout(timer)
      resolve(ready)
    })
    // 'close' comes after the last output, which has the reason
    child.once('close', (code) => {
      clearTimeout(timer)
      reject(new Error(`The stack ended with code ${code}:\n${startOutput}`))
    })
  })
  return { child, origin }
}

/** @returns what a product that does not become ready waits for, by the report that Node writes on this signal */
async function explainWait(child: ChildProcess, file: string): Promise<string> {
  child.kill('SIGUSR2')
  await delay(reportWaitMs)
  try {
    const { javascriptStack, libuv } = JSON.parse(await readFile(file, 'utf8')) as NodeReport
    const handles = libuv
      .filter(({ is_active: isActive }) => isActive)
      .map((handle) => JSON.stringify(handle))
    return [...(javascriptStack.stack ?? []), ...handles].join('\n')
  } catch (error) {
    return `Node wrote no report: ${String(error)}`
  } finally {
    await rm(file, { force: true })
  }
}

/** The part of Node's diagnostic report that is read. */
interface NodeReport {
  /** without a stack if no JavaScript runs */
  javascriptStack: { stack?: string[] }
  libuv: { is_active?: boolean }[]
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(limitMs) })
    child.kill(signal)
    await exited
  }
  return child.exitCode
}
