import { expect, it } from 'vitest'
import { demoStack } from '../support/shared-stack.ts'
import { openTeam } from '../support/team.ts'

const stack = await demoStack()
const team = await openTeam(stack)
const { admin } = team

it('an administrator finds a person, signs them out, disables and enables them', async () => {
  const person = await stack.newUser()
  const { users } = await admin.call('admin.users', { query: { query: person.email } })
  expect(users).toMatchObject([{ id: person.sub, status: 'active', two_factor: false }])
  const params = { userId: person.sub }
  await person.call('account.read')
  await admin.call('admin.signOutUser', { params })
  expect((await person.send('account.read')).status).toBe(401)
  expect((await admin.call('admin.disableUser', { params })).user.status).toBe('disabled')
  expect((await admin.call('admin.enableUser', { params })).user.status).toBe('active')
  const { entries } = await admin.call('admin.audit')
  expect(entries.filter(({ target }) => target === person.email)).toHaveLength(3)
})

it('an administrator holds the schedules of a person, and lets them go on', async () => {
  const person = await stack.newUser()
  const params = { userId: person.sub }
  expect((await admin.call('admin.pauseSchedules', { params })).person.held).toBe(true)
  expect(await team.readSchedules(person)).toMatchObject({ held: true })
  expect((await admin.call('admin.resumeSchedules', { params })).person.held).toBeUndefined()
})

it('a group is made, changed, listed and deleted', async () => {
  const name = await team.newGroup()
  const params = { groupName: name }
  await admin.call('admin.updateGroup', { params, body: { version: 1, description: 'Roasters' } })
  const find = async () => (await admin.call('admin.groups')).groups.filter((group) => group.name === name)
  expect(await find()).toMatchObject([{ description: 'Roasters', version: 2 }])
  await admin.call('admin.deleteGroup', { params })
  expect(await find()).toEqual([])
})

it('a notice of the site is shown, and taken back', async () => {
  const notice = { text: 'Back at noon', kind: 'info' as const }
  await admin.call('admin.updateSite', { body: { notice } })
  expect((await admin.call('site.read')).notice).toEqual(notice)
  await admin.call('admin.updateSite', { body: { notice: null } })
  expect((await admin.call('admin.site')).settings.notice.value).toBeNull()
})

it('usage is counted for the person, for administrators and for the groups', async () => {
  const name = await team.newGroup()
  const person = await team.newMember(name)
  await person.call('chat.send', {
    body: { messages: [{ role: 'user', content: '/echo Hi' }], sessionId: crypto.randomUUID() },
  })
  expect((await person.call('account.usage')).total).toMatchObject({ replies: 1 })
  const { users, groups } = await admin.call('admin.usage')
  expect(users.find(({ id }) => id === person.sub)).toMatchObject({ replies: 1, groups: [name] })
  expect(groups.find((group) => group.name === name)).toMatchObject({ replies: 1, users: 1 })
})
