/** @module-tag long */
import { expect, it } from 'vitest'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { Rule } from '#shared/contracts/schedules.ts'
import { routes } from '#shared/routes.ts'
import { converse } from '../support/belongings.ts'
import { calls, says } from '../support/fake-model-server.ts'
import { createProject, publishingFor, say } from '../support/publish-project.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { openTeam } from '../support/team.ts'
import { uploadDocument } from '../support/upload.ts'

/* What users of other products have reported about links, published projects, rights, schedules, search and limits. */

const { stack, model } = await scriptedStack('Fine.')
const team = await openTeam(stack)
const [sales, roasters] = await Promise.all([team.newGroup(), team.newGroup()])
const { publish, sendPublish } = publishingFor(sales)

/** What somebody sees of a link: a visitor, or a reader who is signed in. */
async function view(secret: string, reader?: StackUser) {
  const response = await fetch(stack.origin + routes['shares.view'].path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(reader && { authorization: `Bearer ${reader.accessToken}` }),
    },
    body: JSON.stringify({ secret, page: 1 }),
  })
  return { status: response.status, body: (await response.json()) as RouteResponse<'shares.view'> }
}
const share = async (user: StackUser, sessionId: string, audience: 'link' | 'people' = 'link') =>
  (await user.call('shares.create', { params: { sessionId }, body: { days: 7, audience } })).share
const listIds = async (user: StackUser) => (await user.call('assistants.list')).assistants.map(({ id }) => id)
const lastPrompt = () => JSON.stringify(model.requests.findLast(({ tools }) => tools !== undefined)?.messages)
const setAccount = (route: 'admin.disableUser' | 'admin.enableUser', { sub }: StackUser) =>
  team.admin.call(route, { params: { userId: sub } })
const uniqueEmail = () => `${crypto.randomUUID()}@example.com`
const daily = { prompt: 'Read my mail', rule: { kind: 'daily', time: '08:00' }, time_zone: 'UTC' } as const

it('a public link opens without an account (danny-avila/LibreChat#12890)', async () => {
  const owner = await stack.newUser()
  const { secret } = await share(owner, await converse(owner, 'Hello'))
  expect(await view(secret)).toMatchObject({ status: 200, body: { messages: [{ content: 'Hello' }, {}] } })
})

it('a shared picture is named as left out, and is no broken picture (open-webui/open-webui#29134)', async () => {
  const owner = await stack.newUser()
  const { attachment } = await uploadDocument(owner, { name: 'a.txt', type: 'text/plain', content: 'x' })
  model.behave(says('Here: ![a cat](https://example.org/cat.png) and ![b](/api/files/1)'))
  const sessionId = crypto.randomUUID()
  const messages = [{ role: 'user' as const, content: 'Look', attachments: [{ id: attachment.id }] }]
  await owner.call('chat.send', { body: { sessionId, messages } })
  const { secret } = await share(owner, sessionId)
  const { body } = await view(secret)
  expect(body.messages[0]).toMatchObject({ files: 1 })
  expect(JSON.stringify(body)).not.toContain(attachment.id)
})

it('the second link of a conversation works as the first (lobehub/lobehub#8137)', async () => {
  const owner = await stack.newUser()
  const sessionId = await converse(owner, 'Hello')
  const [first, second] = [await share(owner, sessionId), await share(owner, sessionId)]
  expect(first.secret).not.toBe(second.secret)
  const [a, b] = await Promise.all([view(first.secret), view(second.secret)])
  expect(a.body.messages).toEqual(b.body.messages)
  await owner.call('shares.revoke', { params: { shareId: first.id } })
  expect([(await view(first.secret)).status, (await view(second.secret)).status]).toEqual([404, 200])
})

it('a link stays when what the conversation used is taken from its owner (nextcloud/server#17572)', async () => {
  const [publisher, owner] = await Promise.all([team.newMember(sales), team.newMember(sales)])
  const { id } = await publish(publisher)
  const { sessionId } = await say(owner, 'Hello', { assistant_id: id })
  const { secret } = await share(owner, sessionId)
  await publisher.call('assistants.withdraw', { params: { assistantId: id } })
  await team.setGroups(owner, { remove: [sales] })
  expect((await view(secret)).status).toBe(200)
})

it('a new name, description and picture are there after publishing again (langgenius/dify#7071)', async () => {
  const [publisher, member] = await Promise.all([team.newMember(sales), team.newMember(sales)])
  const { id, projectId } = await publish(publisher, { name: 'Old', description: 'Old one' })
  const { sessionId } = await say(member, 'Hello', { assistant_id: id })
  await publish(publisher, { name: 'New', description: 'New one', starters: ['Go'] }, { id: projectId })
  const shown = (await member.call('assistants.list')).assistants.find((one) => one.id === id)
  expect(shown).toMatchObject({ name: 'New', description: 'New one', starters: ['Go'], version: 2 })
  await say(member, 'Again', { sessionId })
  const { session } = await member.call('sessions.read', { params: { sessionId } })
  expect(session).toMatchObject({ assistant: { name: 'New', version: 2 } })
})

it('who may use an assistant cannot publish it on (open-webui/open-webui#15696)', async () => {
  const [publisher, member] = await Promise.all([team.newMember(sales), team.newMember(sales, roasters)])
  const { id, projectId } = await publish(publisher)
  const body = { audience: { groups: [roasters] } }
  for (const project of [projectId, id])
    expect(await sendPublish(member, project, body)).toMatchObject({ status: 404 })
  expect(await member.send('assistants.copy', { params: { assistantId: id }, body: {} })).toMatchObject({
    status: 403,
  })
  expect(await member.send('assistants.withdraw', { params: { assistantId: id } })).toMatchObject({
    status: 404,
  })
})

it('members read the files of an assistant (danny-avila/LibreChat#8322)', async () => {
  const [publisher, member] = await Promise.all([team.newMember(sales), team.newMember(sales)])
  const project = await createProject(publisher)
  const { attachment } = await uploadDocument(publisher, {
    name: 'Prices.txt',
    type: 'text/plain',
    content: 'A hotel pays 18.40 EUR.',
  })
  await publisher.call('projects.update', {
    params: { projectId: project.id },
    body: { add_files: [attachment.id] },
  })
  const { id } = await publish(publisher, {}, project)
  await publisher.call('files.delete', { params: { attachmentId: attachment.id } })
  model.behave(
    calls({ id: 'c1', name: 'search_files', arguments: JSON.stringify({ wordings: ['hotel'] }) }),
    says('Done.'),
  )
  await say(member, 'What does a hotel pay?', { assistant_id: id })
  expect(lastPrompt()).toContain('18.40')
})

it('a new link shows what was said since, the old one stays (open-webui/open-webui#7003)', async () => {
  const owner = await stack.newUser()
  const sessionId = await converse(owner, 'Hello')
  const first = await share(owner, sessionId)
  await say(owner, 'More', { sessionId })
  const second = await share(owner, sessionId)
  const texts = async (secret: string) => (await view(secret)).body.messages.map(({ content }) => content)
  expect(await texts(first.secret)).toEqual(['Hello', 'Fine.'])
  expect(await texts(second.secret)).toEqual(['Hello', 'Fine.', 'More', 'Fine.'])
})

it('what was published is what the form begins with again (FlowiseAI/Flowise#449)', async () => {
  const publisher = await team.newMember(sales)
  const { id, projectId } = await publish(publisher, {
    name: 'Desk',
    description: 'For orders',
    starters: ['One', 'Two'],
    may_copy: true,
  })
  const shown = (await publisher.call('assistants.list')).assistants.find((one) => one.id === id)
  expect(shown).toMatchObject({
    name: 'Desk',
    description: 'For orders',
    starters: ['One', 'Two'],
    may_copy: true,
    audience: { groups: [sales] },
    project_id: projectId,
  })
})

it('rights end with the group, for tokens that were refreshed and for those that were not (lonnieezell/myth-auth#268)', async () => {
  const member = await team.newMember(sales)
  const { id } = await publish(await team.newMember(sales))
  expect(await listIds(member)).toContain(id)
  await team.setGroups(member, { remove: [sales] })
  expect(await member.send('assistants.list')).toMatchObject({ status: 401 })
  expect(await listIds(await team.signIn(member))).not.toContain(id)
})

it('nobody can remove, disable or delete the last administrator (IQSS/dataverse#1051)', async () => {
  const { admin } = team
  const params = { userId: admin.sub }
  for (const [route, body] of [
    ['admin.setGroups', { add: [], remove: ['admins'] }],
    ['admin.disableUser', {}],
    ['admin.deleteUser', { confirm: admin.email }],
  ] as const) {
    const { status } = await admin.send(route, { params, body })
    expect([route, status]).toEqual([route, 409])
  }
  expect((await admin.send('admin.users')).status).toBe(200)
})

it('an invitation holds in every spelling of the address (ecamp/ecamp3#7046)', async () => {
  const email = `Anna.${crypto.randomUUID()}@Example.com`
  await team.admin.call('admin.invite', { body: { email, days: 7, groups: [sales] } })
  const { sub } = await stack.newUser({ email: email.toLowerCase() })
  const { user } = await team.admin.call('admin.user', { params: { userId: sub } })
  expect(user.groups).toEqual([sales])
  const { invitations } = await team.admin.call('admin.invitations')
  expect(invitations.map((one) => one.email.toLowerCase())).not.toContain(email.toLowerCase())
})

it('who is invited is listed, until they are a member and are listed there (calcom/cal.diy#10312)', async () => {
  const email = uniqueEmail()
  await team.admin.call('admin.invite', { body: { email, days: 7, groups: [sales] } })
  const find = async () => [
    (await team.admin.call('admin.invitations')).invitations.filter((one) => one.email === email).length,
    (await team.admin.call('admin.users', { query: { query: email } })).users.length,
  ]
  expect(await find()).toEqual([1, 0])
  await stack.newUser({ email })
  expect(await find()).toEqual([0, 1])
})

it('a new member is found and can be put into a group at once (n8n-io/n8n#29012)', async () => {
  const email = `Zoe.${crypto.randomUUID()}@example.com`
  await team.admin.call('admin.invite', { body: { email, days: 7, groups: [] } })
  const user = await stack.newUser({ email })
  for (const query of [email, email.toLowerCase(), email.slice(0, 12).toUpperCase()]) {
    const { users } = await team.admin.call('admin.users', { query: { query } })
    expect(users.map(({ id }) => id)).toContain(user.sub)
  }
  await team.setGroups(user, { add: [sales] })
  const { groups } = await team.admin.call('admin.groups')
  expect(groups.find(({ name }) => name === sales)?.members).toBeGreaterThan(0)
})

it('a disabled account is out at once, with all that it has begun (mattermost/mattermost#6155)', async () => {
  const member = await team.newMember(sales)
  const { id } = await publish(member)
  const { schedule } = await member.call('schedules.create', { body: daily })
  await setAccount('admin.disableUser', member)
  expect((await member.send('account.read')).status).toBe(401)
  await expect(team.signIn(member)).rejects.toThrow('disabled')
  expect(await listIds(await team.newMember(sales))).not.toContain(id)
  expect(await team.readSchedules(member)).toMatchObject({ count: 1, paused: 1 })
  await setAccount('admin.enableUser', member)
  const again = await team.signIn(member)
  const params = { scheduleId: schedule.id }
  expect((await again.call('schedules.read', { params })).schedule).toMatchObject({ id: schedule.id })
})

it('another rule leaves nothing of the one before (langgenius/dify#36889)', async () => {
  const user = await stack.newUser()
  const { schedule } = await user.call('schedules.create', {
    body: { ...daily, rule: { kind: 'weekly', days: ['mo'], time: '08:00' } },
  })
  const params = { scheduleId: schedule.id }
  const rule = { kind: 'daily', time: '09:00' } as const
  const changed = (await user.call('schedules.update', { params, body: { rule } })).schedule
  expect(changed.rule).toEqual(rule)
  const gaps = changed.next_times.slice(1).map((at, n) => Date.parse(at) - Date.parse(changed.next_times[n]!))
  expect(gaps).toEqual([86_400_000, 86_400_000])
})

it('a schedule is read as it was written (opensourceautomation/Open-Source-Automation#137)', async () => {
  const user = await stack.newUser()
  const rule: Rule = { kind: 'weekly', days: ['mo', 'fr', 'su'], time: '06:30' }
  const body = { ...daily, rule, time_zone: 'Asia/Kolkata', notify: ['mail'] as ('mail' | 'push')[] }
  const { schedule } = await user.call('schedules.create', { body })
  const params = { scheduleId: schedule.id }
  expect((await user.call('schedules.read', { params })).schedule).toMatchObject(body)
})

it('what a run has written reaches its owner (nanocoai/nanoclaw#2481)', async () => {
  const user = await stack.newUser()
  const body = { ...daily, notify: ['mail'] as ('mail' | 'push')[] }
  const { schedule } = await user.call('schedules.create', { body })
  await user.call('schedules.run', { params: { scheduleId: schedule.id } })
  await expect
    .poll(async () => (await stack.mail(user.email)).map(({ subject }) => subject).join())
    .toContain('ready')
  const { messages } = await user.call('sessions.read', { params: { sessionId: schedule.session_id } })
  expect(messages.at(-1)).toMatchObject({ content: 'Fine.' })
})

it('a hit opens its conversation, whatever that is called (AllYourBot/hostedgpt#758)', async () => {
  const user = await stack.newUser()
  const word = crypto.randomUUID()
  const sessionId = await converse(user, `The word is ${word}`)
  const { messages } = await user.call('sessions.corpus')
  const hit = messages.find(({ content }) => content.includes(word))
  expect(hit?.session_id).toBe(sessionId)
  const read = await user.call('sessions.read', { params: { sessionId } })
  expect(read.messages.map(({ id }) => id)).toContain(hit?.id)
})

it('a conversation in a project is listed and found as before (open-webui/open-webui#8553)', async () => {
  const user = await stack.newUser()
  const sessionId = await converse(user, 'Hello')
  const { id: project_id } = await createProject(user)
  await user.call('sessions.update', { params: { sessionId }, body: { project_id } })
  const { sessions } = await user.call('sessions.list')
  expect(sessions).toMatchObject([{ id: sessionId, project_id }])
  expect((await user.call('sessions.corpus')).sessions).toMatchObject([{ id: sessionId, project_id }])
  await user.call('projects.delete', { params: { projectId: project_id }, query: { conversations: 'keep' } })
  expect((await user.call('sessions.list')).sessions.map(({ id }) => id)).toEqual([sessionId])
})

it('a project with the name of a deleted one has nothing of it (Mintplex-Labs/anything-llm#829)', async () => {
  const user = await stack.newUser()
  const first = await createProject(user, { name: 'Rome', instructions: 'Say amber.' })
  const { attachment } = await uploadDocument(user, { name: 'a.txt', type: 'text/plain', content: 'crimson' })
  await user.call('projects.update', {
    params: { projectId: first.id },
    body: { add_files: [attachment.id] },
  })
  await say(user, 'Hello', { project_id: first.id })
  await user.call('projects.delete', { params: { projectId: first.id } })
  const second = await createProject(user, { name: 'Rome', instructions: '' })
  expect(second.files).toEqual([])
  await say(user, 'Anything?', { project_id: second.id })
  expect(lastPrompt()).not.toMatch(/crimson|amber/)
  const { sessions } = await user.call('sessions.list', { query: { project_id: second.id } })
  expect(sessions).toHaveLength(1)
})
