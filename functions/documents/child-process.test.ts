import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ChildFailure, runChildProcess } from './child-process.ts'

const module = new URL('../../test/support/failing-child.ts', import.meta.url)

async function run(
  way: string,
  limits: { timeMs?: number; maxMs?: number; heapMb?: number; memoryMb?: number } = {},
) {
  const messages: unknown[] = []
  const result: unknown = await runChildProcess(
    module,
    way,
    { timeMs: 60_000, maxMs: 60_000, heapMb: 64, memoryMb: 400, ...limits },
    (message) => {
      messages.push(message)
      return false
    },
  ).catch((error: unknown) => error)
  return { messages, reason: result instanceof ChildFailure ? result.reason : result }
}

describe('a process that fails tells why, and what it posted before', () => {
  it.each<[way: string, reason: ChildFailure['reason']]>([
    ['abort', 'crash'],
    ['array', 'memory'],
    ['exception', 'crash'],
    ['exit', 'crash'],
    ['buffers', 'memory'],
    ['stopped', 'stopped'],
  ])('%s: %s', async (way, reason) => {
    expect(await run(way)).toEqual({ messages: ['started'], reason })
  })

  it('a loop: time', async () => {
    expect(await run('loop', { timeMs: 1_000 })).toMatchObject({ reason: 'time' })
  })

  it('waiting, which is no work: late', async () => {
    expect(await run('waits', { timeMs: 1_000, maxMs: 2_000 })).toMatchObject({ reason: 'late' })
  })

  it('bytes outside of the heap: memory', async () => {
    expect(await run('buffers', { memoryMb: 50 })).toMatchObject({ reason: 'memory' })
  })
})

it('a process ends when its parent is killed', async () => {
  const script = `
    const { fork } = await import('node:child_process')
    const child = fork(new URL(${JSON.stringify(module.href)}), { serialization: 'advanced', execArgv: [] })
    child.send({ input: 'loop', timeMs: 60_000, memoryMb: 400 })
    child.once('message', () => {
      process.stdout.write(String(child.pid))
      process.stdout.end?.()
    })`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script])
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer]
  parent.kill('SIGKILL')
  await expect.poll(() => isRunning(Number(pid.toString()))).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
