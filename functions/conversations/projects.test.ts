import { afterAll, expect, it } from 'vitest'
import { startInProcessFunctions } from '../../test/support/in-process-functions.ts'
import { aMessage } from '../../test/support/conversations.ts'

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
