import { fork, type ChildProcess, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The calls that a measured process answers; each is one message over the IPC channel. */
export type Calls = Record<string, (value: Serializable | undefined) => unknown>

interface Question {
  id: number
  name: string
  value: Serializable | undefined
}

interface ChildMessage {
  id: number
  value: Serializable
}

/** Runs in the child: reports that it is ready, with data for the parent, then answers calls until it has to exit. */
export function serveParent(ready: Serializable, calls: Calls): void {
  process.on('message', (question: Question) => {
    const value = calls[question.name]?.(question.value) ?? null
    process.send?.({ id: question.id, value } as ChildMessage)
  })
  // exits instead of being killed, so that Node writes the CPU profile
  process.on('disconnect', () => process.exit(0))
  process.send?.({ id: 0, value: ready } as ChildMessage)
}

export interface Child<Ready> {
  readonly ready: Ready
  call<T>(name: string, value?: Serializable): Promise<T>
  end(): Promise<void>
}

export interface ChildOptions {
  args?: readonly string[]
  readonly env?: Record<string, string>
  /** options of Node itself */
  readonly execArgv?: readonly string[]
}

/**
 * Starts a module of this folder in a separate process, without the machine's AWS settings. Its standard output, which has the
 * functions' logs, is dropped.
 * @throws Error when it ends before it is ready
 */
export async function startChild<Ready>(
  module: string,
  { args = [], env = {}, execArgv = [] }: ChildOptions = {},
): Promise<Child<Ready>> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(AWS|OPENAI)_/.test(name))
  const child = fork(join(import.meta.dirname, module), [...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, (value: unknown) => void>()
  let lastId = 0
  const waitForResult = (id: number) => new Promise<unknown>((resolve) => waiting.set(id, resolve))
  child.on('message', ({ id, value }: ChildMessage) => {
    waiting.get(id)?.(value)
    waiting.delete(id)
  })
  const ready = waitForResult(0)
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${module} ended before it was ready`)
  })
  // the process exits later; nothing awaits it then
  ended.catch(() => undefined)
  return {
    ready: (await Promise.race([ready, ended])) as Ready,
    async call<T>(name: string, value?: Serializable) {
      lastId += 1
      const result = waitForResult(lastId)
      child.send({ id: lastId, name, value } satisfies Question)
      return (await result) as T
    },
    end: () => endProcess(child),
  }
}

const patienceMs = 10_000

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  if (child.connected) child.disconnect()
  await exit
  clearTimeout(timer)
}
