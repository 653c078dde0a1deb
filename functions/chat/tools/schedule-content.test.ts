import { expect, it } from 'vitest'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { summarise } from './schedule-content.ts'

const once: Schedule = {
  id: 's1',
  prompt: 'Remind me',
  rule: { kind: 'once', at: '2999-12-01T08:00' },
  time_zone: 'UTC',
  writes: 'ask',
  notify: ['push'],
  paused: false,
  version: 1,
  created_at: '2026-11-01T00:00:00.000Z',
  session_id: 'c1',
  next_times: [],
}

it('a model is told that a single time is one, and that it is over once it is (shisad#59)', () => {
  expect(summarise(once)).toMatchObject({ rule: once.rule, next_runs: ['Sunday 2999-12-01 08:00'] })
  const over = summarise({ ...once, rule: { kind: 'once', at: '2020-12-01T08:00' } })
  expect(over).toMatchObject({ next_runs: [] })
})
