import { expect, it } from 'vitest'
import { parseScheduleResult } from './schedule-calls.ts'

const schedule = { id: 's1', prompt: 'New', rule: { kind: 'daily', time: '08:00' }, time_zone: 'UTC' }
const paused = { ...schedule, paused_because: 'user' }
const parse = (tool: string, parameters: Record<string, unknown>, data: Record<string, unknown>) =>
  parseScheduleResult({ tool, action: '', parameters, result: { success: true, data } })

it.each([
  ['created', 'create_schedule', {}, { schedule }],
  ['existed', 'create_schedule', {}, { schedule, already_existed: true }],
  ['deleted', 'change_schedule', { delete: true }, { schedule, deleted: true }],
  ['changed', 'change_schedule', { prompt: 'New' }, { schedule }],
  ['changed', 'change_schedule', { paused: false }, { schedule }],
  ['paused', 'change_schedule', { paused: true }, { schedule: paused }],
  // it was paused before
  ['changed', 'change_schedule', { prompt: 'New' }, { schedule: paused }],
])('says that a schedule was %s: %s %j', (kind, tool, parameters, data) => {
  expect(parse(tool, parameters, data)?.kind).toBe(kind)
})

it('says when a schedule runs, unless it is paused', () => {
  const parseWhen = (one: object) => parse('change_schedule', { prompt: 'New' }, { schedule: one })?.when
  expect(parseWhen(schedule)).toEqual({ rule: schedule.rule, timeZone: 'UTC' })
  expect(parseWhen(paused)).toBeUndefined()
})
