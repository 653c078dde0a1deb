import { expect, it } from 'vitest'
import { formatDayGroup, formatHour, formatTime, formatUpdated } from './dates.ts'

const now = new Date('2026-11-20T10:00:00')

it.each([
  ['2026-11-20T00:00:00', '00:00', 'Today'],
  ['2026-11-20T09:05:00', '09:05', 'Today'],
  ['2026-11-20T10:00:30', '10:00', 'Today'],
  ['2026-11-19T23:59:59', '1 day ago', 'Yesterday'],
  ['2026-11-17T12:00:00', '3 days ago', 'Previous 7 days'],
  ['2026-11-13T12:00:00', '7 days ago', 'Previous 7 days'],
  ['2026-11-12T12:00:00', '8 days ago', 'November'],
  ['2026-10-22T12:00:00', '29 days ago', 'October'],
  ['2026-10-21T12:00:00', '1 month ago', 'October'],
  ['2025-11-21T12:00:00', '12 months ago', 'November 2025'],
  ['2024-11-20T12:00:00', '2 years ago', 'November 2024'],
])('HIST-05 formats %s as %s, in the group %s', (at, label, group) => {
  expect(formatUpdated(new Date(at), now)).toBe(label)
  expect(formatDayGroup(new Date(at), now)).toBe(group)
})

it('a time follows the clock of the locale, of 12 hours here, except in the list of conversations', () => {
  const evening = new Date('2026-11-20T20:05:00')
  expect(formatTime(evening)).toMatch(/^8:05\sPM$/)
  expect(formatUpdated(evening, evening)).toBe('20:05')
})

it('an hour is from its beginning to its end', () => {
  expect(formatHour(new Date('2026-11-20T20:00:00'))).toMatch(/^Nov 20, 2026, 8:00\s–\s9:00\sPM$/)
})
