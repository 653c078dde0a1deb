import { expect, it, vi } from 'vitest'
import { rule as ruleContract, type Rule } from '#shared/contracts/schedules.ts'
import { findTimeZone, nextTimes } from './schedule-times.ts'

const list = (rule: Rule, zone: string, after: string, count: number) =>
  nextTimes(ruleContract.parse(rule), zone, Date.parse(after), count).map((time) =>
    new Date(time).toISOString().slice(0, 16),
  )

const monthly = (day: number | 'last') => ({ kind: 'monthly', day, time: '08:00' }) as const

it.each<[string, Rule, string, string, string[]]>([
  [
    'each day at the same time of the zone, before and after summer time',
    { kind: 'daily', time: '08:00' },
    'Europe/Berlin',
    '2026-10-24T00:00Z',
    ['2026-10-24T06:00', '2026-10-25T07:00'],
  ],
  [
    'a time that is left out at the change',
    { kind: 'daily', time: '02:30' },
    'Europe/Berlin',
    '2027-03-27T12:00Z',
    ['2027-03-28T01:00', '2027-03-29T00:30'],
  ],
  [
    'a time that is repeated once',
    { kind: 'daily', time: '02:30' },
    'Europe/Berlin',
    '2026-10-24T12:00Z',
    ['2026-10-25T00:30', '2026-10-26T01:30'],
  ],
  [
    'a day that is left out where the next one begins',
    { kind: 'daily', time: '08:00' },
    'Pacific/Apia',
    '2011-12-29T17:00Z',
    ['2011-12-29T18:00', '2011-12-30T10:00', '2011-12-30T18:00'],
  ],
  [
    'the days of a week in their order',
    { kind: 'weekly', days: ['fr', 'mo'], time: '09:15' },
    'America/New_York',
    '2026-11-27T14:15Z',
    ['2026-11-30T14:15', '2026-12-04T14:15'],
  ],
  [
    'the 31st',
    monthly(31),
    'UTC',
    '2027-01-31T07:59Z',
    ['2027-01-31T08:00', '2027-02-28T08:00', '2027-03-31T08:00'],
  ],
  [
    'the 29th in a leap year',
    monthly(29),
    'UTC',
    '2028-02-01T00:00Z',
    ['2028-02-29T08:00', '2028-03-29T08:00'],
  ],
  ['the last day', monthly('last'), 'UTC', '2026-11-30T08:00Z', ['2026-12-31T08:00', '2027-01-31T08:00']],
  // Hexagon/croner#132
  [
    'each day, where midnight is left out and repeated',
    { kind: 'daily', time: '00:00' },
    'America/Santiago',
    '2026-09-05T12:00Z',
    ['2026-09-06T04:00', '2026-09-07T03:00', '2026-09-08T03:00'],
  ],
  // kelektiv/node-cron#881
  [
    'each hour that is repeated, in the south',
    { kind: 'hourly', minute: 30 },
    'Australia/Melbourne',
    '2024-04-06T14:00Z',
    ['2024-04-06T14:30', '2024-04-06T15:30', '2024-04-06T16:30', '2024-04-06T17:30'],
  ],
  [
    'each hour that exists, in spring',
    { kind: 'hourly', minute: 15 },
    'Europe/Berlin',
    '2027-03-28T00:00Z',
    ['2027-03-28T00:15', '2027-03-28T01:15'],
  ],
  [
    'each hour that exists, in autumn',
    { kind: 'hourly', minute: 15 },
    'Europe/Berlin',
    '2026-10-24T23:30Z',
    ['2026-10-25T00:15', '2026-10-25T01:15', '2026-10-25T02:15'],
  ],
  [
    'an hour of which half is left out, at the change',
    { kind: 'hourly', minute: 15 },
    'Australia/Lord_Howe',
    '2026-10-03T14:50Z',
    ['2026-10-03T15:30', '2026-10-03T16:15'],
  ],
  [
    'an hour of which half is repeated, once',
    { kind: 'hourly', minute: 45 },
    'Australia/Lord_Howe',
    '2027-04-03T14:00Z',
    ['2027-04-03T14:45', '2027-04-03T16:15'],
  ],
  [
    'minutes of the zone',
    { kind: 'hourly', minute: 0 },
    'Asia/Kathmandu',
    '2026-11-28T00:00Z',
    ['2026-11-28T00:15', '2026-11-28T01:15'],
  ],
  [
    'a time of the zone',
    { kind: 'once', at: '2026-12-01T08:00' },
    'Asia/Tokyo',
    '2026-11-28T00:00Z',
    ['2026-11-30T23:00'],
  ],
  [
    'an instant',
    { kind: 'once', at: '2026-12-01T08:00:00+01:00' },
    'Asia/Tokyo',
    '2026-11-28T00:00Z',
    ['2026-12-01T07:00'],
  ],
  [
    'the next whole minute of once, at which the dispatcher looks',
    { kind: 'once', at: '2026-12-01T08:00:30.5Z' },
    'UTC',
    '2026-12-01T08:00Z',
    ['2026-12-01T08:01'],
  ],
  ['nothing after once', { kind: 'once', at: '2026-12-01T08:00Z' }, 'UTC', '2026-12-01T08:00Z', []],
])('a rule gives %s', (_, rule, zone, after, expected) => {
  expect(list(rule, zone, after, Math.max(1, expected.length))).toEqual(expected)
})

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['Asia/Calcutta', 'Asia/Calcutta'],
  ['+01:00', undefined],
  ['Europe/Atlantis', undefined],
  ['', undefined],
  ['Europe/Berlin[u-ca=hebrew]', undefined],
  ['2026-01-01T00:00Z[Europe/Berlin]', undefined],
])('the zone %j is %s', (name, zone) => {
  expect(findTimeZone(name)).toBe(zone)
})

it.each([
  { kind: 'once', at: 'tomorrow' },
  { kind: 'once', at: '2026-02-30T08:00' },
  { kind: 'once', at: '2026-02-03' },
  { kind: 'hourly', minute: 60 },
  { kind: 'daily', time: '24:00' },
  { kind: 'daily', time: '8:00' },
  { kind: 'weekly', days: [], time: '08:00' },
  { kind: 'monthly', day: 0, time: '08:00' },
  { kind: 'minutely' },
])('refuses the rule %o', (rule) => {
  expect(ruleContract.safeParse(rule).success).toBe(false)
})

// from reports about other products, each named by its repository and number
it('times are those of the zone, not of the computer, also where the day is another one (CowAgent#3145, gaia#3518)', () => {
  vi.stubEnv('TZ', 'America/New_York')
  expect(list({ kind: 'once', at: '2026-12-01T08:00' }, 'Asia/Tokyo', '2026-11-01T00:00Z', 2)).toEqual([
    '2026-11-30T23:00',
  ])
  // a Monday there is a Sunday in UTC, and in New York
  expect(list({ kind: 'weekly', days: ['mo'], time: '07:00' }, 'Asia/Tokyo', '2026-11-28T00:00Z', 2)).toEqual(
    ['2026-11-29T22:00', '2026-12-06T22:00'],
  )
  vi.unstubAllEnvs()
})
