import { fork } from 'node:child_process'
import type { ChildStart } from './parent-process.ts'

/** Why a child process ended without its result: `stopped` and `late` are no fault of what it was given. */
export class ChildFailure extends Error {
  readonly reason: 'memory' | 'time' | 'late' | 'crash' | 'stopped'

  constructor(reason: ChildFailure['reason'], detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** Output of V8 when it has no memory for an object, and of the watching thread. */
const memoryWords = /heap out of memory|Allocation failed|OOM|memory$/i

/**
 * Runs a module in a process of its own, so that whatever its input does to it ends nothing else: V8 and WebAssembly end their process
 * when they cannot allocate. The process ends before this resolves.
 * @param module its top level calls `runForParent`
 * @param limits `timeMs` of the processor, `maxMs` by the clock
 * @param consume gets each message; returns whether it was the last, as the first is without it
 * @returns the last message
 * @throws ChildFailure
 */
export async function runChildProcess<Message>(
  module: URL,
  input: unknown,
  { timeMs, maxMs, heapMb, memoryMb }: { timeMs: number; maxMs: number; heapMb: number; memoryMb: number },
  consume: (message: Message) => boolean = () => true,
): Promise<Message> {
  // where Lambda's Node finds its libraries; nothing else of the environment is for the process
  const { LD_LIBRARY_PATH } = process.env
  const child = fork(module, [], {
    env: LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH },
    // what the server's process loads before its program is not for its children
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  // parts of the document may be in it: it is matched, and not logged
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk.toString('latin1')).slice(-4_000)))
  const finished = Promise.withResolvers<Message>()
  const ended = Promise.withResolvers<ChildFailure>()
  child.on('message', (message) => {
    if (consume(message as Message)) finished.resolve(message as Message)
  })
  child.once('error', (error) => ended.resolve(new ChildFailure('stopped', error.message)))
  child.once('close', (code: number | null, signal: NodeJS.Signals | null) =>
    ended.resolve(toFailure(code, signal, output)),
  )
  const timer = setTimeout(() => {
    output = 'late'
    child.kill('SIGKILL')
  }, maxMs)
  // one that has ended already is told by `close`
  child.send({ input, timeMs, memoryMb } satisfies ChildStart, () => undefined)
  try {
    const result = await Promise.race([finished.promise, ended.promise])
    if (result instanceof ChildFailure) throw result
    return result
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
    await ended.promise
  }
}

/** Signals that a terminal or the system sends to a whole group of processes when the server is stopped. */
const stopSignals = new Set<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP'])

function toFailure(code: number | null, signal: NodeJS.Signals | null, output: string): ChildFailure {
  const detail = `the process ended with ${signal ?? `code ${code}`}`
  if (signal && stopSignals.has(signal)) return new ChildFailure('stopped', detail)
  if (output === 'late') return new ChildFailure('late', detail)
  if (output.endsWith('time')) return new ChildFailure('time', detail)
  // a system without memory kills the largest process
  if (signal === 'SIGKILL' || memoryWords.test(output)) return new ChildFailure('memory', detail)
  return new ChildFailure('crash', detail)
}
