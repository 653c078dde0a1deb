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

/** The turns of a branch before this one. */
export const cutPath = (path: Path, end: number): Path =>
  path.flatMap(({ first, last }) => (first < end ? [{ first, last: Math.min(last, end - 1) }] : []))

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

/** Shows the branch that ends with the newest turn. */
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

/** The turn that follows this one in its branch, or the first version of that; it may have no messages. */
function findNext({ forks }: Branches, turn: number, newest: number): number | undefined {
  const fork = forks.find(({ after }) => after === turn)
  if (fork) return fork.turn
  return turn < newest && forks.every((other) => other.turn !== turn + 1) ? turn + 1 : undefined
}

/** What follows a turn (0: none), passing over turns without messages, and the last of those. */
function findFollower(
  tree: Branches,
  parent: number,
  newest: number,
  hasMessages: (turn: number) => boolean,
) {
  let end = parent
  const follow = () => (end === 0 ? (newest > 0 ? 1 : undefined) : findNext(tree, end, newest))
  let next = follow()
  while (next !== undefined && !hasMessages(next)) {
    end = next
    next = follow()
  }
  return { next, end }
}

/** The turns that follow an earlier one (0: none): versions of each other. */
export function listFollowers(
  tree: Branches,
  parent: number,
  newest: number,
  hasMessages: (turn: number) => boolean,
): number[] {
  const { next } = findFollower(tree, parent, newest, hasMessages)
  return next === undefined ? [] : listVersions(tree, next)
}

/**
 * Adds the newest turn behind an earlier one, wherever that is: as another version of what follows that already, if something does. What is
 * shown stays.
 * @param parent the turn that it follows; 0: none
 * @param hasMessages whether a turn has any; those without are passed over
 */
export function attachTurn(
  { forks, head }: Branches,
  turn: number,
  parent: number,
  hasMessages: (turn: number) => boolean,
): Branches {
  const tree = { forks, head: head ?? turn - 1 }
  const { next, end } = findFollower(tree, parent, turn - 1, hasMessages)
  if (next !== undefined)
    return { ...tree, ...addFork(tree, { turn, versionOf: findFirstVersion(tree, next) }) }
  return end === turn - 1 ? tree : { ...tree, ...addFork(tree, { turn, after: end }) }
}

/**
 * Takes a turn out of the versions, whose messages are deleted. It keeps its place, where it is passed over. What follows it becomes the
 * version in its place; if nothing does, another version is shown.
 * @param newest number of the conversation's newest turn
 * @param hasMessages whether a turn has any
 */
export function removeTurn(
  tree: Branches = { forks: [] },
  turn: number,
  newest: number,
  hasMessages: (turn: number) => boolean,
): Branches {
  const versions = listVersions(tree, turn)
  const [first = turn, second] = versions
  if (second === undefined) return tree
  let next = findNext(tree, turn, newest)
  while (next !== undefined && !hasMessages(next)) next = findNext(tree, next, newest)
  const heir = turn === first ? (next ?? second) : first
  const forks = tree.forks
    .filter((fork) => turn === first || (fork.turn !== turn && fork.turn !== next))
    .map(({ versionOf, ...fork }) => {
      if (versionOf === undefined) return fork
      if (fork.turn === heir) return { ...fork, after: turn }
      return { ...fork, versionOf: versionOf === first || versionOf === next ? heir : versionOf }
    })
  if (turn !== first && next !== undefined) forks.push({ turn: next, versionOf: first })
  const changed = { ...tree, forks: forks.sort((one, other) => one.turn - other.turn) }
  const sibling = versions.findLast((version) => version !== turn)
  return next === undefined && sibling !== undefined && hasTurn(findPath(tree), turn)
    ? showTurn(changed, sibling, newest)
    : changed
}
