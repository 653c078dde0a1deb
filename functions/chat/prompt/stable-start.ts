/** How many turns are left out together, so that the beginning of the prompt stays the same for some turns: servers cache it. */
const groupSizes = [8, 4, 2, 1]

interface Item {
  turn: number
  /** size of what is sent, in any unit */
  size: number
  /** whether the prompt may begin with it */
  canBegin: boolean
}

/**
 * Finds where the sent part of a conversation begins: at the first turn of a group, so that the beginning stays the same as the conversation
 * grows, until it no longer fits. At least half of what fits is sent, even if the beginning then changes more often.
 * @param fitting what fits, oldest first; something before it is left out
 * @param turnBefore the last turn that does not fit; by default the one before the first that does
 * @returns an index
 */
export function findStableStart(
  fitting: readonly Item[],
  turnBefore: number = (fitting[0]?.turn ?? 0) - 1,
): number {
  const half = fitting.reduce((sum, { size }) => sum + size, 0) / 2
  for (const groupSize of groupSizes) {
    const first = fitting.findIndex(({ turn, canBegin }, index) => {
      const before = fitting[index - 1]?.turn ?? turnBefore
      return canBegin && Math.floor(turn / groupSize) > Math.floor(before / groupSize)
    })
    if (first !== -1 && fitting.slice(first).reduce((sum, { size }) => sum + size, 0) >= half) return first
  }
  return 0
}
