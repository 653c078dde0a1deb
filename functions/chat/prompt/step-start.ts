/** Turns that are left out together, so that the beginning of the prompt stays the same for some turns: servers cache it. */
const turnSteps = [8, 4, 2, 1]

interface Item {
  turn: number
  /** size of what is sent, in any unit */
  size: number
  /** whether the prompt may begin with it */
  canBegin: boolean
}

/**
 * Where the part of a conversation begins that is sent: as late as it must, at the beginning of a group of turns. As the conversation grows,
 * the beginning stays until it no longer fits. At least half of what fits is sent, whatever that does to the cache.
 * @param fitting what fits, oldest first; something before it is left out
 * @param turnBefore of what was left out last; by default the turn before the first one
 * @returns an index
 */
export function findStepStart(
  fitting: readonly Item[],
  turnBefore: number = (fitting[0]?.turn ?? 0) - 1,
): number {
  const half = fitting.reduce((sum, { size }) => sum + size, 0) / 2
  for (const step of turnSteps) {
    const first = fitting.findIndex(({ turn, canBegin }, index) => {
      const before = fitting[index - 1]?.turn ?? turnBefore
      return canBegin && Math.floor(turn / step) > Math.floor(before / step)
    })
    if (first !== -1 && fitting.slice(first).reduce((sum, { size }) => sum + size, 0) >= half) return first
  }
  return 0
}
