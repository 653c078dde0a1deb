import * as z from 'zod'

const turnNumber = z.number().int().positive()

/**
 * How the turns of a conversation follow each other (ADR 0049). A turn follows the one before it, unless it is listed here. The last turn
 * of what is shown and these exceptions tell which turns a branch has; rows of messages never move.
 */
export const branches = z.object({
  /** in the order of their turns */
  forks: z.array(
    z.object({
      turn: turnNumber,
      /** the turn is another version of this one, which is no version itself */
      versionOf: turnNumber.optional(),
      /** the turn follows this one, which was the end of the branch that was shown */
      after: turnNumber.optional(),
    }),
  ),
  /** the last turn of the branch that is shown; absent: the newest turn */
  head: turnNumber.optional(),
})
export type Branches = z.infer<typeof branches>

/** Each fork takes some 25 bytes of the run's item, which is written each second while a reply is. */
export const maxForks = 300

/** Turns of a branch as ranges, the newest first; a range may name turns that have no messages. */
export type Path = readonly { readonly first: number; readonly last: number }[]

/** Every turn there is. */
export const allTurns: Path = [{ first: 1, last: Infinity }]

/** The turns of the branch that ends with the turn `end`, by default of the branch that is shown. */
export function findPath({ forks, head }: Branches = { forks: [] }, end = head ?? Infinity): Path {
  const path: { first: number; last: number }[] = []
  for (let last = end; last > 0;) {
    const start = forks.findLast(({ turn }) => turn <= last)
    path.push({ first: start?.turn ?? 1, last })
    if (!start) break
    // a version follows what the first version of its turn follows
    const first = start.versionOf ?? start.turn
    last = forks.find(({ turn }) => turn === first)?.after ?? first - 1
  }
  return path
}

/** Whether a branch has the turn. */
export const hasTurn = (path: Path, turn: number): boolean =>
  path.some(({ first, last }) => first <= turn && turn <= last)

const findFirstVersion = ({ forks }: Branches, turn: number) =>
  forks.find((fork) => fork.turn === turn)?.versionOf ?? turn

/** The turns that are versions of this one, itself included, oldest first. */
export function listVersions(tree: Branches | undefined, turn: number): number[] {
  if (!tree) return [turn]
  const first = findFirstVersion(tree, turn)
  return [first, ...tree.forks.filter(({ versionOf }) => versionOf === first).map((fork) => fork.turn)]
}

const addFork = ({ forks }: Branches, fork: Branches['forks'][number]): Branches => ({
  // the newest turn is the last one
  forks: [...forks.filter(({ turn }) => turn !== fork.turn), fork],
})

/** Adds the newest turn as another version of an earlier one, and shows it. */
export function addVersion(tree: Branches = { forks: [] }, turn: number, earlier: number): Branches {
  return addFork(tree, { turn, versionOf: findFirstVersion(tree, earlier) })
}

/** Adds a new turn at the end of the branch that is shown. */
export function addTurn(tree: Branches | undefined, turn: number): Branches | undefined {
  return tree?.head === undefined ? tree : addFork(tree, { turn, after: tree.head })
}

/** Shows the newest turn. */
export const showNewest = (tree: Branches | undefined): Branches | undefined => tree && { forks: tree.forks }

/**
 * Shows a branch that has the turn: the one with the newest end.
 * @param newest number of the conversation's newest turn
 */
export function showTurn({ forks }: Branches, turn: number, newest: number): Branches {
  const ends = [newest, ...forks.map((fork) => fork.turn - 1).toReversed()]
  const head = ends.find((end) => hasTurn(findPath({ forks }, end), turn)) ?? newest
  return head === newest ? { forks } : { forks, head }
}
