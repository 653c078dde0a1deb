/**
 * Limits how much work of one kind is done at the same moment, for each key on its own.
 * @param atOnce pieces of work for one key; more wait in their order
 */
export function limitConcurrency(atOnce: number) {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()

  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < atOnce) queue.running += 1
    else await new Promise<void>((resolve) => queue.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      // whoever is next takes the place over
      if (next) next()
      else {
        queue.running -= 1
        if (queue.running === 0) queues.delete(key)
      }
    }
  }
}
