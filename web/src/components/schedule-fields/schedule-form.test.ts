import { expect, it, vi } from 'vitest'
import type { Rule, Schedule } from '#shared/contracts/schedules.ts'
import { findProblems } from './find-problems.ts'
import {
  createScheduleForm,
  toAddition,
  toChange,
  toRule,
  toScheduleForm,
  type ScheduleForm,
} from './schedule-form.ts'
import { listTimeZones } from './time-zones.ts'

const rules: readonly Rule[] = [
  { kind: 'once', at: '2026-12-01T08:00' },
  { kind: 'hourly', minute: 7 },
  { kind: 'daily', time: '23:59' },
  { kind: 'weekly', days: ['th', 'mo'], time: '08:00' },
  { kind: 'monthly', day: 31, time: '00:00' },
  { kind: 'monthly', day: 'last', time: '16:30' },
]
const stored = (fields: Partial<Schedule> = {}): Schedule => ({
  id: 's1',
  prompt: 'Read my mail',
  rule: { kind: 'daily', time: '08:00' },
  time_zone: 'Europe/Vienna',
  writes: 'ask',
  notify: ['push'],
  version: 3,
  paused: false,
  created_at: '2026-11-01T00:00:00.000Z',
  session_id: 'c1',
  next_times: [],
  ...fields,
})

it.each(rules)('the editor begins with the stored rule, and saving it changes nothing: %o', (rule) => {
  const schedule = stored({ rule, writes: ['gmail_send_email'], project_id: 'p1', model: 'm', effort: 'low' })
  const form = toScheduleForm(schedule)
  expect(toRule(form)).toEqual(rule)
  expect(toChange(form, rule, toScheduleForm(schedule))).toBeUndefined()
})

it('a change names only what was changed: the rule keeps its next time, and a pause stays', () => {
  const form = toScheduleForm(stored({ paused_because: 'failures' }))
  const rule = toRule(form) as Rule
  expect(toChange({ ...form, prompt: 'Read my post' }, rule, form)).toEqual({ prompt: 'Read my post' })
  expect(toChange({ ...form, prompt: ' Read my mail ' }, rule, form)).toBeUndefined()
  expect(toChange({ ...form, notify: [] }, rule, form)).toEqual({ notify: [] })
  const assistant = { ...form, scope: 'assistant:a1' }
  expect(toChange(assistant, rule, form)).toEqual({ project_id: null, assistant_id: 'a1' })
  expect(toChange({ ...form, writes: [] }, rule, { ...form, writes: ['x'] })).toEqual({ writes: 'ask' })
})

it('an only time with an offset is edited by the clock of its zone, also on the other side of a change of the clock', () => {
  const inWinter = toScheduleForm(stored({ rule: { kind: 'once', at: '2026-12-01T07:00:00Z' } }))
  expect([inWinter.date, inWinter.time]).toEqual(['2026-12-01', '08:00'])
  const inSummer = toScheduleForm(stored({ rule: { kind: 'once', at: '2026-07-01T06:00:00Z' } }))
  expect([inSummer.date, inSummer.time]).toEqual(['2026-07-01', '08:00'])
  const inSeconds = toScheduleForm(stored({ rule: { kind: 'once', at: '2026-12-01T22:59:30Z' } }))
  expect([inSeconds.date, inSeconds.time]).toEqual(['2026-12-02', '00:00'])
  const localSeconds = toScheduleForm(stored({ rule: { kind: 'once', at: '2026-12-01T23:59:00.001' } }))
  expect([localSeconds.date, localSeconds.time]).toEqual(['2026-12-02', '00:00'])
  const midnight = toScheduleForm(stored({ rule: { kind: 'once', at: '2026-07-01T22:00:00Z' } }))
  expect([midnight.date, midnight.time]).toEqual(['2026-07-02', '00:00'])
  // what is not touched stays an instant
  expect(toChange(inWinter, toRule(inWinter) as Rule, inWinter)).toBeUndefined()
  // in another zone it is another instant
  const moved = { ...inWinter, timeZone: 'Asia/Tokyo' }
  expect(toChange(moved, toRule(moved) as Rule, inWinter)).toEqual({
    time_zone: 'Asia/Tokyo',
    rule: { kind: 'once', at: '2026-12-01T08:00' },
  })
})

it('what is missing makes no rule', () => {
  const form = createScheduleForm()
  expect(toRule({ ...form, days: [] })).toBeUndefined()
  expect(toRule({ ...form, kind: 'once', date: '' })).toBeUndefined()
  expect(toRule({ ...form, kind: 'daily', time: '' })).toBeUndefined()
})

it('a new one is an addition with an id of its own, and the browser’s zone', () => {
  vi.stubEnv('TZ', 'Asia/Calcutta')
  const form = { ...createScheduleForm(), prompt: 'Read my mail' }
  expect(toAddition(form, toRule(form) as Rule)).toEqual({
    id: form.id,
    prompt: 'Read my mail',
    rule: { kind: 'weekly', days: ['mo'], time: '08:00' },
    time_zone: form.timeZone,
    model: null,
    effort: null,
    project_id: null,
    assistant_id: null,
    writes: 'ask',
    notify: ['push'],
  })
  expect(createScheduleForm().id).not.toBe(form.id)
})

it('zones: the browser’s comes first, whatever it is called, and a chosen one that the browser does not know stays', () => {
  vi.stubEnv('TZ', 'Asia/Calcutta')
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones = listTimeZones('Mars/Olympus_Mons').map(({ value }) => value)
  expect(zones[0]).toBe(own)
  expect(zones).toEqual(expect.arrayContaining(['UTC', 'Europe/Vienna', 'Mars/Olympus_Mons']))
  expect(new Set(zones).size).toBe(zones.length)
  // by the names of today, also where the browser, or an earlier schedule, has the ones before
  const labels = listTimeZones('Europe/Kiev').map(({ label }) => label)
  expect(labels).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv']))
  expect(labels).not.toContain('Europe/Kiev')
  expect(new Set(labels).size).toBe(labels.length)
  expect(listTimeZones('UTC').find(({ value }) => value === 'America/New_York')?.label).toBe(
    'America/New York',
  )
})

it.each<Partial<ScheduleForm>>([
  { kind: 'once', date: '' },
  { kind: 'once', date: '12026-12-01' },
  { kind: 'once', date: '2026-12-01', time: '' },
  { kind: 'daily', time: '' },
  { kind: 'daily', time: '08:00:30' },
  { kind: 'weekly', days: [] },
])('a form without a rule says what is missing: %o', (change) => {
  const form = { ...createScheduleForm(), prompt: 'Read my mail', ...change }
  expect(toRule(form)).toBeUndefined()
  const problems = Object.values(findProblems(form, { isPast: false }))
  expect(problems.filter((problem) => problem !== undefined)).toHaveLength(1)
})

it('a time that this release cannot read leaves the day to be chosen', () => {
  const { kind, date, time } = toScheduleForm(stored({ rule: { kind: 'once', at: 'next full moon' } }))
  expect({ kind, date, time }).toEqual({ kind: 'once', date: '', time: '' })
})
