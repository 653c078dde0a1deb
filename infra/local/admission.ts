import { ServerBusy } from './gateway-errors.ts'

/**
 * Lets a bounded number of requests work at the same time; others wait in order. All functions and emulators share one processor here:
 * admitted at once, hundreds of requests would slow each other down until every limit of time runs out.
 * @param maxActive requests that work
 * @param maxWaiting further ones that wait
 */
export function createAdmission(maxActive: number, maxWaiting: number) {
  let active = 0
  const waiting: (() => void)[] = []
  return {
    /** @returns a function that lets the next request in; repeated calls have no effect. @throws ServerBusy */
    async enter(): Promise<() => void> {
      if (active < maxActive) active += 1
      else if (waiting.length >= maxWaiting) throw new ServerBusy(`${waiting.length} requests wait`)
      // the one that leaves hands its place over
      else await new Promise<void>((resolve) => waiting.push(resolve))
      let hasLeft = false
      return () => {
        if (hasLeft) return
        hasLeft = true
        const next = waiting.shift()
        if (next) next()
        else active -= 1
      }
    },
  }
}
