import { expect, it } from 'vitest'
import { findStableStart } from './stable-start.ts'

/** The turns from one number to another, each with a message of the user and a reply. */
const turns = (first: number, last: number, size = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => [
    { turn: first + index, size, canBegin: true },
    { turn: first + index, size, canBegin: false },
  ]).flat()

it.each([
  // a prompt begins at a multiple of eight turns, of four, of two, or as late as necessary
  [9, 30, 16],
  [16, 31, 16],
  [17, 31, 24],
  [17, 29, 20],
  [9, 13, 10],
  [5, 5, 5],
])('of the turns %i to %i a prompt begins with %i', (first, last, begin) => {
  const fitting = turns(first, last)
  expect(fitting[findStableStart(fitting)]).toMatchObject({ turn: begin, canBegin: true })
})

it('skips a group whose first turn has no message that may start a prompt, and keeps everything if none has', () => {
  const reply = { turn: 8, size: 1, canBegin: false }
  expect(findStableStart([reply, ...turns(9, 12)])).toBe(3)
  expect(findStableStart([reply])).toBe(0)
  expect(findStableStart([])).toBe(0)
})

it('keeps at least half of what fits', () => {
  const [small, large] = [turns(15, 15, 3), turns(16, 16, 3)]
  expect(findStableStart([...small, ...large])).toBe(2)
  expect(findStableStart([...turns(15, 15, 4), ...large], 13)).toBe(0)
})

it('does not move while the last turn left out belongs to the previous group', () => {
  const fitting = turns(17, 20)
  expect(findStableStart(fitting, 15)).toBe(0)
  expect(findStableStart(fitting, 16)).toBe(2)
})
