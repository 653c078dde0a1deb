import { afterAll, expect, it } from 'vitest'
import { startInProcessFunctions } from '../../test/support/in-process-functions.ts'
import { aMessage } from '../../test/support/conversations.ts'
import { scheduleRepository } from '../schedules/schedule-repository.ts'
import type { ScheduleRow } from '../schedules/schedule-row.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())

it('projects and their prompts are stored, changed and deleted', async () => {
  const user = await backend.newUser()
  const { project } = await user.call('projects.create', {
    body: { name: 'Thesis', instructions: 'Be brief.' },
  })
  const params = { projectId: project.id }
  await user.call('projects.update', { params, body: { name: 'Paper' } })
  expect((await user.call('projects.read', { params })).project).toMatchObject({
    id: project.id,
    name: 'Paper',
    instructions: 'Be brief.',
  })
  const body = { name: 'sum', text: 'Summarise', project_id: project.id }
  const { prompt } = await user.call('prompts.create', { body })
  const changed = { name: 'sum', text: 'Sum up' }
  await user.call('prompts.update', { params: { promptId: prompt.id }, body: changed })
  expect((await user.call('prompts.list')).prompts).toMatchObject([{ id: prompt.id, ...changed }])
  const own = await user.call('prompts.create', { body: { name: 'own', text: 'Own' } })
  expect(await user.call('projects.delete', { params, query: { conversations: 'keep' } })).toEqual({
    success: true,
    done: true,
  })
  expect((await user.call('projects.list')).projects).toEqual([])
  expect((await user.call('prompts.list')).prompts.map(({ id }) => id)).toEqual([own.prompt.id])
  await user.call('prompts.delete', { params: { promptId: own.prompt.id } })
  expect((await user.call('prompts.list')).prompts).toEqual([])
  expect(await user.send('prompts.create', { body })).toMatchObject({ status: 404 })
})

it('a shared conversation is listed until its link is revoked', async () => {
  const user = await backend.newUser()
  await backend.stores.messages.put(user.sub, aMessage({ session_id: 's1', id: 'm1', content: 'Hello' }), 1)
  const activity = { title: 'Eggs', addedMessages: 1, at: new Date().toISOString(), replacesTitle: false }
  await backend.stores.conversations.upsert(user.sub, 's1', activity)
  const { share } = await user.call('shares.create', { params: { sessionId: 's1' }, body: { days: 7 } })
  expect((await user.call('shares.list')).shares).toMatchObject([{ id: share.id, title: 'Eggs' }])
  const params = { shareId: share.id }
  await user.call('shares.revoke', { params })
  expect((await user.call('shares.list')).shares).toEqual([])
  expect(await user.send('shares.revoke', { params })).toMatchObject({ status: 404 })
})

it.each(['keep', 'delete'] as const)('a deleted project can %s its conversations', async (conversations) => {
  const user = await backend.newUser()
  const { project } = await user.call('projects.create', { body: { name: 'Thesis' } })
  const at = new Date().toISOString()
  for (const [id, projectId] of [
    ['in', project.id],
    ['out', undefined],
  ] as const)
    await backend.stores.conversations.upsert(user.sub, id, {
      title: id,
      addedMessages: 1,
      at,
      replacesTitle: false,
      projectId,
    })
  const params = { projectId: project.id }
  expect(await user.call('projects.delete', { params, query: { conversations } })).toEqual({
    success: true,
    done: true,
  })
  const { sessions } = await user.call('sessions.list')
  expect(sessions.map(({ id }) => id).toSorted()).toEqual(conversations === 'keep' ? ['in', 'out'] : ['out'])
  for (const session of sessions) expect(session).not.toHaveProperty('project_id')
})

it('a conversation is moved to a project of its user only', async () => {
  const [user, other] = [await backend.newUser(), await backend.newUser()]
  const { project } = await other.call('projects.create', { body: { name: 'Thesis' } })
  const at = new Date().toISOString()
  const activity = { title: 'Eggs', addedMessages: 1, at, replacesTitle: false }
  for (const { sub } of [user, other]) await backend.stores.conversations.upsert(sub, 's1', activity)
  const move = { params: { sessionId: 's1' }, body: { project_id: project.id } }
  expect(await user.send('sessions.update', move)).toMatchObject({ status: 404 })
  expect(await other.call('sessions.update', move)).toMatchObject({ session: { project_id: project.id } })
  const away = { ...move, body: { project_id: null } }
  expect((await other.call('sessions.update', away)).session).not.toHaveProperty('project_id')
})

it('a schedule stops with its conversation, and with its project', async () => {
  const user = await backend.newUser()
  const { project } = await user.call('projects.create', { body: { name: 'Thesis' } })
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
  const at = new Date().toISOString()
  await backend.stores.conversations.upsert(user.sub, 'c1', {
    title: 'Mail',
    addedMessages: 1,
    at,
    replacesTitle: false,
  })
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
