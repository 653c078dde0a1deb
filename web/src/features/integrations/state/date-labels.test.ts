import { expect, it } from 'vitest'
import { shortDate } from '../../../lib/dates.ts'
import { connectedLabel, lastSyncLabel, updatedLabel } from './date-labels.ts'

const now = new Date('2026-11-20T12:00:00Z')

it.each([
  [null, 'Never'],
  ['', 'Never'],
  ['no date', 'Never'],
  ['2026-11-20T12:00:00Z', 'Just now'],
  ['2026-11-20T11:00:01Z', 'Just now'],
  ['2026-11-20T11:00:00Z', '1h ago'],
  ['2026-11-19T12:00:01Z', '23h ago'],
  ['2026-11-19T12:00:00Z', '1d ago'],
  ['2026-11-01T12:00:00Z', '19d ago'],
  ['2026-11-20T13:00:00Z', 'Just now'],
])('INT-09 DEC-079 a sync at %s reads %s', (at, label) => {
  expect(lastSyncLabel(at, now)).toBe(label)
})

it.each([
  ['2026-11-03T12:00:00Z', `Connected ${shortDate(new Date('2026-11-03T12:00:00Z'))}`],
  [null, 'Connected recently'],
  ['gone', 'Connected recently'],
])('TOP-14 DEC-079 connected at %s reads %s', (at, label) => {
  expect(connectedLabel(at)).toBe(label)
})

it.each([
  ['2026-11-03T12:00:00Z', `Updated ${shortDate(new Date('2026-11-03T12:00:00Z'))}`],
  [undefined, 'Recently updated'],
  ['gone', 'Recently updated'],
])('INT-77 a date of %s reads %s', (at, label) => {
  expect(updatedLabel(at)).toBe(label)
})
