import { expect, it } from 'vitest'
import { readRule } from './read-rule.ts'

const time = '08:00'
const weekly = (days: unknown) => readRule({ kind: 'weekly', days, time })

it.each<[string, unknown[], string[]]>([
  ['short names', ['mo', 'We', 'FR.'], ['mo', 'we', 'fr']],
  ['other short names', ['tues', 'thurs', 'sat'], ['tu', 'th', 'sa']],
  ['full names, also of every one', ['Sunday', 'Mondays'], ['mo', 'su']],
  ['a group', ['weekend'], ['sa', 'su']],
  ['one day of a group', ['weekday'], ['mo', 'tu', 'we', 'th', 'fr']],
  ['a range', ['Mon-Fri'], ['mo', 'tu', 'we', 'th', 'fr']],
  ['a range across the end of the week', ['saturday – monday'], ['mo', 'sa', 'su']],
])('reads %s of days', (_, days, expected) => {
  expect(weekly(days)).toEqual({ kind: 'weekly', days: expected, time })
})

it.each([
  ['morning'],
  ['week'],
  ['month'],
  ['monday and friday'],
  ['first'],
  ['monday', 'holiday'],
  ['mo-we-fr'],
])('does not take a word that only begins like a day for one: %s', (...days) => {
  expect(weekly(days)).toBeUndefined()
  // every day would be more than was asked for
  expect(readRule({ kind: 'daily', days, time })).toBeUndefined()
})

it('a daily rule without days, or with all of them, is daily', () => {
  for (const days of [undefined, null, [], ['all'], ['monday-sunday']])
    expect(readRule({ kind: 'daily', days, time })).toEqual({ kind: 'daily', time })
})
