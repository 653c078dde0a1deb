import { expect, it } from 'vitest'
import { formatDate } from '../../../lib/text/dates.ts'
import { formatConnected, formatLastSync, formatCatalogueUpdate } from './date-labels.ts'

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
])('INT-09 DEC-079 shows a sync at %s as %s', (at, label) => {
  expect(formatLastSync(at, now)).toBe(label)
})

it.each([
  ['2026-11-03T12:00:00Z', `Connected ${formatDate(new Date('2026-11-03T12:00:00Z'))}`],
  [null, 'Connected recently'],
  ['gone', 'Connected recently'],
])('TOP-14 DEC-079 shows a connection made at %s as %s', (at, label) => {
  expect(formatConnected(at)).toBe(label)
})

it.each([
  ['2026-11-03T12:00:00Z', `Updated ${formatDate(new Date('2026-11-03T12:00:00Z'))}`],
  [undefined, 'Recently updated'],
  ['gone', 'Recently updated'],
])('INT-77 shows an update at %s as %s', (at, label) => {
  expect(formatCatalogueUpdate(at)).toBe(label)
})
