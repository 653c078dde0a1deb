/**
 * Limits how many pieces of work run at the same time, separately for each key.
 * @param maxConcurrent limit per key; more work waits in order
 */
export function limitConcurrency(maxConcurrent: number) {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()

  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < maxConcurrent) queue.running += 1
    else await new Promise<void>((resolve) => queue.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      // the next one takes over the slot
      if (next) next()
      else {
        queue.running -= 1
        if (queue.running === 0) queues.delete(key)
      }
    }
  }
}
