/** Runs tasks in their order, a limited number at once. */
export interface TaskQueue {
  /** @param task must not reject */
  add: (task: () => Promise<void>) => void
  /** Forgets the tasks that have not begun. */
  clear: () => void
}

/** @param maxRunning how many tasks run at once */
export function createTaskQueue(maxRunning: number): TaskQueue {
  const waiting: (() => Promise<void>)[] = []
  let running = 0
  const startNext = () => {
    const next = running < maxRunning ? waiting.shift() : undefined
    if (!next) return
    running += 1
    void next().finally(() => {
      running -= 1
      startNext()
    })
  }
  return {
    add(task) {
      waiting.push(task)
      startNext()
    },
    clear() {
      waiting.length = 0
    },
  }
}
