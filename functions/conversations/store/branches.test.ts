import { describe, expect, it } from 'vitest'
import {
  addTurn,
  addVersion,
  allTurns,
  findPath,
  hasTurn,
  listVersions,
  showNewest,
  showTurn,
  type Branches,
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
