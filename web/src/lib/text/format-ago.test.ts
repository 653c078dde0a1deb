import { expect, it } from 'vitest'
import { formatAgo } from './format-ago.ts'

// half an hour after midnight, in the reader's time zone
const now = new Date('2026-11-18T00:30:00')

it.each([
  // by a clock that is wrong
  ['2026-11-18T00:35:00', 'just now'],
  ['2026-11-18T00:29:01', 'just now'],
  ['2026-11-18T00:29:00', '1 minute ago'],
  ['2026-11-17T23:30:30', '59 minutes ago'],
  ['2026-11-17T23:30:00', '1 hour ago'],
  ['2026-11-17T00:31:00', '23 hours ago'],
  ['2026-11-17T00:30:00', 'yesterday'],
  // 25 hours, and yet not yesterday
  ['2026-11-16T23:30:00', '2 days ago'],
])('%s was %s', (at, ago) => {
  expect(formatAgo(new Date(at), now)).toBe(ago)
})
