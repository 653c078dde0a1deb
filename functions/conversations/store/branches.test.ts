import { describe, expect, it } from 'vitest'
import {
  addTurn,
  addVersion,
  allTurns,
  findPath,
  hasTurn,
  listVersions,
  removeTurn,
  showNewest,
  showTurn,
  type Branches,
  type Path,
} from './branches.ts'

/** The turns of a branch, up to the newest one. */
const turnsOn = (tree: Branches | undefined, newest: number) =>
  Array.from({ length: newest }, (_, index) => index + 1).filter((turn) => hasTurn(findPath(tree), turn))

/** Three turns; the second is edited (4), continued (5) and edited again (6). */
const editedBranches = addVersion(addVersion(undefined, 4, 2), 6, 4)

describe('a conversation without versions', () => {
  it('shows all its turns', () => {
    expect(findPath(undefined)).toEqual(allTurns)
    expect(listVersions(undefined, 3)).toEqual([3])
    expect(addTurn(undefined, 4)).toBeUndefined()
    expect(showNewest(undefined)).toBeUndefined()
  })
})

describe('a turn that was regenerated', () => {
  it('is shown with the turns before its first version', () => {
    expect(turnsOn(addVersion(undefined, 4, 2), 4)).toEqual([1, 4])
    expect(turnsOn(addVersion(undefined, 4, 2), 5)).toEqual([1, 4, 5])
    expect(turnsOn(editedBranches, 6)).toEqual([1, 6])
    expect(turnsOn(addVersion(undefined, 2, 1), 2)).toEqual([2])
  })

  it('is a version of the first one, whichever version it was made from', () => {
    expect(editedBranches.forks).toEqual([
      { turn: 4, versionOf: 2 },
      { turn: 6, versionOf: 2 },
    ])
    for (const turn of [2, 4, 6]) expect(listVersions(editedBranches, turn)).toEqual([2, 4, 6])
    for (const turn of [1, 3, 5]) expect(listVersions(editedBranches, turn)).toEqual([turn])
  })

  it.each([
    [1, [1, 6]],
    [2, [1, 2, 3]],
    [3, [1, 2, 3]],
    [4, [1, 4, 5]],
    [5, [1, 4, 5]],
    [6, [1, 6]],
  ])('to show turn %i, the branch through it with the newest last turn is chosen', (turn, shownTurns) => {
    expect(turnsOn(showTurn(editedBranches, turn, 6), 6)).toEqual(shownTurns)
  })

  it('no head is stored when the newest turn is shown', () => {
    expect(showTurn(showTurn(editedBranches, 2, 6), 6, 6)).toEqual(editedBranches)
    expect(showNewest(showTurn(editedBranches, 2, 6))).toEqual(editedBranches)
  })
})

describe('a conversation that continues after an earlier version', () => {
  const secondShown = showTurn(editedBranches, 2, 6)
  const continuedBranches = addTurn(secondShown, 7)

  it('follows the branch that was shown', () => {
    expect(continuedBranches).toEqual({ forks: [...editedBranches.forks, { turn: 7, after: 3 }] })
    expect(turnsOn(continuedBranches, 7)).toEqual([1, 2, 3, 7])
    expect(turnsOn(continuedBranches, 8)).toEqual([1, 2, 3, 7, 8])
  })

  it('has no versions of its new turn until that is regenerated, and keeps the earlier turns', () => {
    expect(listVersions(continuedBranches, 7)).toEqual([7])
    const regeneratedBranches = addVersion(continuedBranches, 9, 7)
    expect(listVersions(regeneratedBranches, 9)).toEqual([7, 9])
    expect(turnsOn(regeneratedBranches, 9)).toEqual([1, 2, 3, 9])
    expect(turnsOn(showTurn(regeneratedBranches, 8, 9), 9)).toEqual([1, 2, 3, 7, 8])
    expect(turnsOn(showTurn(regeneratedBranches, 5, 9), 9)).toEqual([1, 4, 5])
  })

  it('shows the newest branch that continues from the first version', () => {
    const otherBranches = addTurn(showTurn(continuedBranches ?? editedBranches, 6, 7), 8)
    expect(turnsOn(otherBranches, 8)).toEqual([1, 6, 8])
    expect(turnsOn(showTurn(otherBranches ?? editedBranches, 2, 8), 8)).toEqual([1, 2, 3, 7])
  })

  it('a turn that is a version of another one does not also follow it', () => {
    expect(addVersion(continuedBranches, 7, 3).forks.filter(({ turn }) => turn === 7)).toEqual([
      { turn: 7, versionOf: 3 },
    ])
  })
})

it('a version stays in its own branch', () => {
  // the second turn edited (4), a turn after it (5), that edited (6), and the second edited again (7)
  const nestedBranches = addVersion(addVersion(addVersion(undefined, 4, 2), 6, 5), 7, 2)
  expect(turnsOn(nestedBranches, 7)).toEqual([1, 7])
  expect(turnsOn(showTurn(nestedBranches, 6, 7), 7)).toEqual([1, 4, 6])
  expect(turnsOn(showTurn(nestedBranches, 5, 7), 7)).toEqual([1, 4, 5])
  // the newest last turn after the second version
  expect(turnsOn(showTurn(nestedBranches, 4, 7), 7)).toEqual([1, 4, 6])
})

it('removed turns leave the other versions and what follows them where they were', () => {
  // the same random numbers each time
  let seed = 1
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 40; round += 1) {
    /** the turn before each, and whether it was removed */
    const turns: { parent: number; isRemoved?: boolean }[] = [{ parent: 0 }]
    const isLive = (turn: number) => turns[turn] !== undefined && !turns[turn].isRemoved
    const parentOf = (turn: number): number => {
      const parent = turns[turn]?.parent ?? 0
      return parent === 0 || isLive(parent) ? parent : parentOf(parent)
    }
    const ancestors = (turn: number): number[] => (turn === 0 ? [] : [...ancestors(parentOf(turn)), turn])
    const live = () => [...turns.keys()].filter((turn) => turn > 0 && isLive(turn))
    const listShown = (path: Path) => live().filter((turn) => hasTurn(path, turn))
    let tree: Branches | undefined
    const add = (parent: number) => turns.push({ parent }) - 1
    add(0)
    for (let step = 0; step < 30; step += 1) {
      const shown = listShown(findPath(tree))
      const newest = turns.length - 1
      const chosen = live()[random(live().length)]
      switch (random(4)) {
        case 0:
          tree = addTurn(tree, add(shown.at(-1) ?? 0))
          break
        case 1: {
          const edited = shown[random(shown.length)]
          if (edited !== undefined) tree = addVersion(tree, add(parentOf(edited)), edited)
          break
        }
        case 2:
          if (chosen !== undefined && tree) tree = showTurn(tree, chosen, newest)
          break
        default:
          if (chosen === undefined) break
          tree = removeTurn(tree, chosen, newest, isLive)
          ;(turns[chosen] as { isRemoved?: boolean }).isRemoved = true
      }
      for (const turn of live()) {
        const siblings = live().filter((other) => parentOf(other) === parentOf(turn))
        expect(listVersions(tree, turn).toSorted((one, other) => one - other)).toEqual(siblings)
        const path = findPath(showTurn(tree ?? { forks: [] }, turn, turns.length - 1))
        expect(listShown(path).filter((other) => other <= turn)).toEqual(ancestors(turn))
      }
      const end = listShown(findPath(tree)).at(-1)
      expect(end === undefined ? [] : ancestors(end)).toEqual(listShown(findPath(tree)))
    }
  }
})

describe('a turn that is removed', () => {
  const all = () => true
  const remove = (tree: Branches | undefined, turn: number, newest: number, empty: number[] = []) =>
    removeTurn(tree, turn, newest, (other) => !empty.includes(other))

  it('changes nothing if it has no other version', () => {
    expect(remove(undefined, 1, 3)).toEqual({ forks: [] })
    expect(remove(editedBranches, 1, 6)).toBe(editedBranches)
  })

  it.each<[what: string, turn: number, empty: number[], after: Branches]>([
    [
      'what follows the first version becomes the first',
      2,
      [],
      {
        forks: [
          { turn: 4, versionOf: 3 },
          { turn: 6, versionOf: 3 },
        ],
      },
    ],
    [
      'the next version is the first if nothing follows it',
      2,
      [3],
      {
        forks: [
          { turn: 4, after: 2 },
          { turn: 6, versionOf: 4 },
        ],
      },
    ],
    [
      'what follows a later version becomes that',
      4,
      [],
      {
        forks: [
          { turn: 5, versionOf: 2 },
          { turn: 6, versionOf: 2 },
        ],
      },
    ],
    ['a later version that nothing follows is gone', 4, [5], { forks: [{ turn: 6, versionOf: 2 }] }],
    ['the newest one is gone, and the one before it is shown', 6, [], { forks: [{ turn: 4, versionOf: 2 }] }],
  ])('%s', (_, turn, empty, after) => {
    expect(remove(editedBranches, turn, 6, empty)).toEqual(after)
  })

  it('leaves the branch that is shown, if it is not in that', () => {
    const shown = { ...editedBranches, head: 3 }
    expect(removeTurn(shown, 6, 6, all)).toEqual({ forks: [{ turn: 4, versionOf: 2 }], head: 3 })
  })
})
