import { afterAll, expect, it } from 'vitest'
import { startInProcessFunctions } from '../../test/support/in-process-functions.ts'
import { scheduleRepository } from './schedule-repository.ts'
import type { ScheduleRow } from './schedule-row.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())

const schedules = scheduleRepository(backend.table)
const row: Omit<ScheduleRow, 'id' | 'session_id'> = {
  v: 1,
  version: 1,
  prompt: 'Read my mail',
  rule: { kind: 'daily', time: '08:00' },
  time_zone: 'UTC',
  writes: 'ask',
  notify: [],
  created_at: 1,
  approved_at: 1,
  failures: 0,
  next_at: 2,
}

const addConversation = (sub: string, id: string) =>
  backend.stores.conversations.upsert(sub, id, {
    title: 'Mail',
    addedMessages: 1,
    at: new Date().toISOString(),
    replacesTitle: false,
  })

it('a schedule stops with its conversation, and with its project', async () => {
  const user = await backend.newUser()
  const { project } = await user.call('projects.create', { body: { name: 'Thesis' } })
  await addConversation(user.sub, 'c1')
  await schedules.create(user.sub, { ...row, id: 'a', session_id: 'c1' })
  await schedules.create(user.sub, { ...row, id: 'b', session_id: 'c2', project_id: project.id })
  await schedules.create(user.sub, { ...row, id: 'c', session_id: 'c3' })
  await user.call('sessions.delete', { params: { sessionId: 'c1' } })
  await user.call('projects.delete', { params: { projectId: project.id }, query: { conversations: 'keep' } })
  const reasons = (await schedules.list(user.sub)).map((one) => [one.id, one.paused_because, one.next_at])
  expect(reasons).toEqual([
    ['a', 'conversation_deleted', undefined],
    ['b', 'project_deleted', undefined],
    ['c', undefined, 2],
  ])
})

it.each(['user', 'failures', 'administrator'] as const)(
  'a schedule that was paused before (%s) goes on in a new conversation once its own was deleted',
  async (paused_because) => {
    const user = await backend.newUser()
    await addConversation(user.sub, 'c1')
    const { next_at: _, ...paused } = row
    await schedules.create(user.sub, { ...paused, id: 'a', session_id: 'c1', paused_because })
    await user.call('sessions.delete', { params: { sessionId: 'c1' } })
    const found = await schedules.find(user.sub, 'a')
    expect(found?.session_id).not.toBe('c1')
    expect(found?.paused_because).toBe(paused_because)
    if (paused_because !== 'administrator') return
    // its person decides whether it goes on
    const released = await schedules.release(user.sub, 'a', () => 3)
    expect([released?.paused_because, released?.next_at]).toEqual(['conversation_deleted', undefined])
  },
)
