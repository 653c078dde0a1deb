import { expect, it } from 'vitest'
import { readRule } from './read-rule.ts'

const weekly = (...days: string[]) => ({ kind: 'weekly', days, time: '08:00' })

it.each<[what: string, written: unknown, rule: unknown]>([
  ['as it is stored', { kind: 'daily', time: '08:00' }, { kind: 'daily', time: '08:00' }],
  ['as a text of JSON', '{"kind":"hourly","minute":15}', { kind: 'hourly', minute: 15 }],
  [
    'with null for what is absent',
    { kind: 'weekly', days: ['mo'], time: '08:00', at: null, minute: null, day: null },
    weekly('mo'),
  ],
  ['names of days', { kind: 'weekly', days: ['Thursday', 'MON', 'fr'], time: '8' }, weekly('mo', 'th', 'fr')],
  ['a group of days', { kind: 'weekly', days: ['weekend'], time: '8:00' }, weekly('sa', 'su')],
  ['daily on some days', { kind: 'daily', days: ['tu', 'we'], time: '08:00:00' }, weekly('tu', 'we')],
  ['daily on all days', { kind: 'daily', days: ['all'], time: '8:05' }, { kind: 'daily', time: '08:05' }],
  ['twelve at night', { kind: 'daily', time: '12 am' }, { kind: 'daily', time: '00:00' }],
  ['noon', { kind: 'daily', time: '12pm' }, { kind: 'daily', time: '12:00' }],
  ['the evening', { kind: 'daily', time: '8:30 p.m.' }, { kind: 'daily', time: '20:30' }],
  [
    'the last day',
    { kind: 'monthly', day: -1, time: '09:00' },
    { kind: 'monthly', day: 'last', time: '09:00' },
  ],
  [
    'a day as a text',
    { kind: 'monthly', day: '31', time: '09:00' },
    { kind: 'monthly', day: 31, time: '09:00' },
  ],
  ['a blank for T', { kind: 'once', at: '2026-12-01 08:00' }, { kind: 'once', at: '2026-12-01T08:00' }],
  [
    'a date beside a time',
    { kind: 'once', at: '2026-12-01', time: '8' },
    { kind: 'once', at: '2026-12-01T08:00' },
  ],
])('a rule is read %s', (_, written, rule) => {
  expect(readRule(written)).toEqual(rule)
})

it.each<[what: string, written: unknown]>([
  ['nothing', undefined],
  ['no object', 'every Monday'],
  ['another kind', { kind: 'yearly', time: '08:00' }],
  ['no time', { kind: 'daily' }],
  ['an hour that no day has', { kind: 'daily', time: '25:00' }],
  ['no day', { kind: 'weekly', time: '08:00' }],
  ['a day that is none', { kind: 'weekly', days: ['mo', 'holiday'], time: '08:00' }],
  ['a date without a time', { kind: 'once', at: '2026-12-01' }],
  ['a day that no month has', { kind: 'monthly', day: '32', time: '08:00' }],
])('%s is not guessed', (_, written) => {
  expect(readRule(written)).toBeUndefined()
})

const time = '08:00'
const readWeekly = (days: unknown) => readRule({ kind: 'weekly', days, time })

it.each<[string, unknown[], string[]]>([
  ['short names', ['mo', 'We', 'FR.'], ['mo', 'we', 'fr']],
  ['other short names', ['tues', 'thurs', 'sat'], ['tu', 'th', 'sa']],
  ['full names, also of every one', ['Sunday', 'Mondays'], ['mo', 'su']],
  ['a group', ['weekend'], ['sa', 'su']],
  ['one day of a group', ['weekday'], ['mo', 'tu', 'we', 'th', 'fr']],
  ['a range', ['Mon-Fri'], ['mo', 'tu', 'we', 'th', 'fr']],
  ['a range across the end of the week', ['saturday – monday'], ['mo', 'sa', 'su']],
])('reads %s of days', (_, days, expected) => {
  expect(readWeekly(days)).toEqual({ kind: 'weekly', days: expected, time })
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
  expect(readWeekly(days)).toBeUndefined()
  // every day would be more than was asked for
  expect(readRule({ kind: 'daily', days, time })).toBeUndefined()
})

it('a daily rule without days, or with all of them, is daily', () => {
  for (const days of [undefined, null, [], ['all'], ['monday-sunday']])
    expect(readRule({ kind: 'daily', days, time })).toEqual({ kind: 'daily', time })
})
