import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { afterEach, expect, it, vi } from 'vitest'
import { memoryTable } from '../../test/support/memory-table.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { announceLate, announceRefusal, isQuietFor } from './announce-refusal.ts'

const lambda = mockClient(LambdaClient)
const warn = vi.fn<() => void>()
afterEach(() => {
  lambda.reset()
  warn.mockReset()
  vi.useRealTimers()
})
const listEvents = () =>
  lambda
    .commandCalls(InvokeCommand)
    .map(({ args: [{ input }] }) => JSON.parse(input.Payload as string) as object)
const row = {
  session_id: 'of-schedule',
  begun: { at: 1, since: 2, session_id: 'of-run' },
  last_run: { at: 1, status: 'done' as const, message_id: 'm' },
  notify: ['push' as const],
}

it('a refusal in quiet hours is announced after them', async () => {
  lambda.on(InvokeCommand).resolves({})
  const table = memoryTable()
  await settingsRepository(table).update('ann', {
    notifications: { quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' } },
  })
  const announce = () => announceRefusal(table, 'notifier', { sub: 'ann', scheduleId: 'mail' }, { warn })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-01T05:59Z') })
  expect([await isQuietFor(table, 'ann'), await isQuietFor(table, 'ben'), await announce()]).toEqual([
    true,
    false,
    false,
  ])
  vi.setSystemTime(Date.parse('2026-12-01T06:00Z'))
  expect([await isQuietFor(table, 'ann'), await announce()]).toEqual([false, true])
  expect(listEvents()).toEqual([{ sub: 'ann', scheduleId: 'mail' }])
})

it('a reply is announced late in its conversation, with the time from which on its person may have seen it', async () => {
  lambda.on(InvokeCommand).resolves({})
  await announceLate('notifier', 'ann', row, { warn })
  await announceLate(undefined, 'ann', row, { warn })
  expect(listEvents()).toEqual([
    { sub: 'ann', sessionId: 'of-run', atMs: 2, scheduled: { notify: ['push'] } },
  ])
  lambda.on(InvokeCommand).rejects(new Error('throttled'))
  await expect(announceLate('notifier', 'ann', row, { warn })).resolves.toBeUndefined()
  expect(warn).toHaveBeenCalledTimes(1)
})
