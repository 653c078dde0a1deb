import { watchProcess } from './watch-process.ts'

export interface ChildStart {
  input: unknown
  timeMs: number
  memoryMb: number
}

const MB = 1024 * 1024

/** Sends a message to the parent, and waits until it is written: what follows may block this process, or end it. */
function post(message: unknown): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  process.send?.(message, (error: Error | null) => (error ? reject(error) : resolve()))
  return promise
}

export async function runForParent<Input>(
  task: (input: Input, post: (message: unknown) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<ChildStart>()
  process.once('message', (message) => resolve(message as ChildStart))
  const { input, timeMs, memoryMb } = await promise
  await watchProcess({ timeMs, maxRss: process.memoryUsage.rss() + memoryMb * MB })
  await task(input as Input, post)
  process.disconnect()
}
