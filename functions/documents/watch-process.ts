import { Worker } from 'node:worker_threads'
import type { ProcessLimits } from './watch-thread.ts'

/**
 * Has this process killed when it exceeds a limit, or when its parent has ended. The last word of its standard error is why: `time`,
 * `memory` or `parent`.
 */
export async function watchProcess(limits: ProcessLimits): Promise<void> {
  const watcher = new Worker(new URL('./watch-thread.ts', import.meta.url), {
    workerData: limits,
    env: {},
    execArgv: [],
  })
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  watcher.once('message', resolve).once('error', reject)
  await promise
  // it does not keep a process alive that has done its work
  watcher.unref()
}
