/** @module-tag long */
import { expect, it } from 'vitest'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { routes } from '#shared/routes.ts'
import { converse } from '../support/belongings.ts'
import { calls, says } from '../support/fake-model-server.ts'
import { pngOf } from '../support/png-of.ts'
import { createProject, publishingFor, say } from '../support/publish-project.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { openTeam } from '../support/team.ts'
import { uploadDocument } from '../support/upload.ts'

/* What users of other products have reported about sharing inside a team: invitations, groups, links, schedules, copies, files. */

const { stack, model } = await scriptedStack('Fine.')
const team = await openTeam(stack)
const [sales, roasters] = await Promise.all([team.newGroup(), team.newGroup()])
const [pia, ben] = await Promise.all([team.newMember(sales), team.newMember(sales)])

const { publish, sendPublish } = publishingFor(sales)

/** Publishes a project with a file about prices. */
async function publishPrices(user: StackUser, group = sales) {
  const project = await createProject(user)
  const { attachment } = await uploadDocument(user, {
    name: 'Prices.txt',
    type: 'text/plain',
    content: 'A hotel pays 18.40 EUR.',
  })
  const params = { projectId: project.id }
  await user.call('projects.update', { params, body: { add_files: [attachment.id] } })
  return publish(user, { audience: { groups: [group] } }, project)
}

const listIds = async (user: StackUser) => (await user.call('assistants.list')).assistants.map(({ id }) => id)

/** The last request for a reply; others ask for titles. */
const lastPrompt = () => JSON.stringify(model.requests.findLast(({ tools }) => tools !== undefined)?.messages)
const callTool = (name: string, input: object) =>
  model.behave(calls({ id: 'c1', name, arguments: JSON.stringify(input) }), says('Done.'))

async function deleteAccount({ sub, email }: StackUser) {
  const request = { params: { userId: sub }, body: { confirm: email } }
  while (!(await team.admin.call('admin.deleteUser', request)).done);
}

/** The status of a link for a visitor, or for somebody who is signed in. */
async function open(secret: string, reader?: StackUser): Promise<number> {
  const { status } = await fetch(stack.origin + routes['shares.view'].path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(reader && { authorization: `Bearer ${reader.accessToken}` }),
    },
    body: JSON.stringify({ secret, page: 1 }),
  })
  return status
}

it('one person in several lines of a list gets the groups of all of them (LibreBooking/librebooking#377)', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const people = [
    { email, groups: [sales] },
    { email: email.toUpperCase(), groups: [roasters] },
  ]
  const { results = [] } = await team.admin.call('admin.invite', { body: { people, days: 7, groups: [] } })
  expect(results.map(({ status }) => status)).toEqual(['invited', 'already'])
  const { invitations } = await team.admin.call('admin.invitations')
  const invitation = invitations.find((one) => one.email === email)
  expect(invitation?.groups.toSorted()).toEqual([sales, roasters].toSorted())
})

it('who was removed and is invited again begins anew (langgenius/dify#8675)', async () => {
  const gone = await team.newMember(sales)
  const { id } = await publish(gone)
  await deleteAccount(gone)
  const { email } = gone
  const { users } = await team.admin.call('admin.users', { query: { query: email } })
  expect(users).toEqual([])
  await team.admin.call('admin.invite', { body: { email, days: 7, groups: [roasters] } })
  const again = await stack.newUser({ email })
  expect(again.sub).not.toBe(gone.sub)
  const { user } = await team.admin.call('admin.user', { params: { userId: again.sub } })
  expect(user.groups).toEqual([roasters])
  expect((await again.call('projects.list')).projects).toEqual([])
  expect(await listIds(again)).not.toContain(id)
})

it('who is invited again in other letters has one invitation, and its groups (twentyhq/twenty#23036)', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const body = { days: 7, groups: [roasters] }
  await team.admin.call('admin.invite', { body: { ...body, email: email.toUpperCase() } })
  const people = [{ email, groups: [] }]
  const { results } = await team.admin.call('admin.invite', { body: { ...body, people } })
  expect(results?.map(({ status }) => status)).toEqual(['already'])
  const { sub } = await stack.newUser({ email })
  const { user } = await team.admin.call('admin.user', { params: { userId: sub } })
  expect(user.groups).toEqual([roasters])
})

it('a link shows the version that was shown when it was made (danny-avila/LibreChat#10007)', async () => {
  const owner = await team.newMember()
  model.behave(says('First answer.'))
  const sessionId = await converse(owner, 'Hello')
  const params = { sessionId }
  const [asked, first] = (await owner.call('sessions.read', { params })).messages
  model.behave(says('Second answer.'))
  await say(owner, 'Hello', { sessionId, replaces: asked?.id })
  await owner.call('sessions.showVersion', { params, body: { message_id: first?.id ?? '' } })
  const { share } = await owner.call('shares.create', { params, body: { days: 7 } })
  const response = await fetch(stack.origin + routes['shares.view'].path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: share.secret, page: 1 }),
  })
  const { messages } = (await response.json()) as RouteResponse<'shares.view'>
  expect(messages.map(({ content }) => content)).toEqual(['Hello', 'First answer.'])
})

it('who is no more in the audience neither sees, uses, copies nor schedules it (open-webui/open-webui#11570)', async () => {
  const publisher = await team.newMember(sales, roasters)
  const { id, projectId } = await publish(publisher, { may_copy: true })
  const { sessionId } = await say(ben, 'Hello', { assistant_id: id })
  await publish(publisher, { may_copy: true, audience: { groups: [roasters] } }, { id: projectId })
  expect(await listIds(ben)).not.toContain(id)
  expect((await say(ben, 'Again', { sessionId })).codes).not.toEqual([])
  expect(lastPrompt()).not.toContain('Say amber.')
  const messages = [{ role: 'user', content: 'Hello' }]
  const rule = { kind: 'daily', time: '08:00' }
  const answers = await Promise.all([
    ben.send('chat.send', { body: { sessionId: crypto.randomUUID(), messages, assistant_id: id } }),
    ben.send('assistants.copy', { params: { assistantId: id }, body: {} }),
    ben.send('schedules.create', { body: { prompt: 'Go', rule, time_zone: 'UTC', assistant_id: id } }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
})

it('links of a disabled account open for nobody until it is enabled (nextcloud/server#10869)', async () => {
  const owner = await team.newMember()
  const shared = await Promise.all(
    (['link', 'people'] as const).map(async (audience) => {
      const params = { sessionId: await converse(owner, 'For the team') }
      return (await owner.call('shares.create', { params, body: { days: 7, audience } })).share
    }),
  )
  const openAll = () => Promise.all(shared.map(({ secret }) => open(secret, ben)))
  const [link] = shared
  expect(await openAll()).toEqual([200, 200])
  const params = { userId: owner.sub }
  await team.admin.call('admin.disableUser', { params })
  expect(await openAll()).toEqual([404, 404])
  expect(await open(link?.secret ?? '')).toBe(404)
  await team.admin.call('admin.enableUser', { params })
  expect(await openAll()).toEqual([200, 200])
})

it('a group that takes the name of a deleted one has nothing of it (open-webui/open-webui#26788)', async () => {
  const group = await team.newGroup()
  const former = await team.newMember(group)
  const before = await publish(former, { audience: { groups: [group] } })
  const params = { groupName: group }
  await team.admin.call('admin.deleteGroup', { params })
  // the token of a former member still names it
  const { id: projectId } = await createProject(former)
  const name = `Late ${projectId}`
  await sendPublish(former, projectId, { name, audience: { groups: [group] } })
  await team.admin.call('admin.createGroup', { body: { name: group, description: '', limits: {} } })
  const newcomer = await team.newMember(group)
  const { assistants } = await newcomer.call('assistants.list')
  expect(assistants.map(({ id }) => id)).not.toContain(before.id)
  expect(assistants.map((one) => one.name)).not.toContain(name)
})

it('a file of an assistant cannot be read on after its group was lost (open-webui/open-webui#17182)', async () => {
  const { id } = await publishPrices(pia)
  const member = await team.newMember(sales)
  const { sessionId } = await say(member, 'What does a hotel pay?', { assistant_id: id })
  expect(lastPrompt()).toContain('18.40')
  await team.setGroups(member, { remove: [sales] })
  const left = await team.signIn(member)
  callTool('read_attachment', { id: 'assistant-1-1' })
  await say(left, 'Read it again', { sessionId })
  callTool('search_files', { wordings: ['hotel'] })
  await say(left, 'Search it', { sessionId })
  expect(lastPrompt()).not.toContain('18.40')
  expect(lastPrompt()).not.toContain('Prices.txt')
})

it('members without any right search its files as others do (danny-avila/LibreChat#9352)', async () => {
  const restricted = await team.newGroup({
    publish: false,
    upload: false,
    memory: false,
    share_links: false,
    temporary_chats: false,
    tools: 'none',
  })
  const authors = await team.newGroup({ publish: true, upload: true, tools: 'all' })
  const publisher = await team.newMember(authors, restricted)
  const { id } = await publishPrices(publisher, restricted)
  const reader = await team.newMember(restricted)
  callTool('search_files', { wordings: ['hotel'] })
  await say(reader, 'What does a hotel pay?', { assistant_id: id })
  const results = model.requests.at(-1)?.messages?.filter(({ role }) => role === 'tool')
  expect(JSON.stringify(results)).toContain('18.40')
})

it('a schedule whose assistant was withdrawn stops, says why, and can be deleted (agentconnect-md/agentconnect#1798, CherryHQ/cherry-studio#19215)', async () => {
  const { id } = await publish(pia)
  const body = {
    prompt: 'Read my mail',
    rule: { kind: 'daily', time: '08:00' },
    time_zone: 'Europe/Berlin',
    assistant_id: id,
  } as const
  const { schedule } = await ben.call('schedules.create', { body })
  await pia.call('assistants.withdraw', { params: { assistantId: id } })
  const params = { scheduleId: schedule.id }
  const asked = model.requests.length
  await ben.send('schedules.run', { params })
  await expect
    .poll(async () => (await ben.call('schedules.read', { params })).schedule)
    .toMatchObject({ paused_because: 'assistant_withdrawn' })
  expect(model.requests).toHaveLength(asked)
  await ben.call('schedules.delete', { params })
  expect((await ben.call('schedules.list')).schedules.map((one) => one.id)).not.toContain(schedule.id)
})

it('publishing a copy changes nothing of the original, and nobody sees it before (dust-tt/dust#15576)', async () => {
  const original = await publish(pia, { may_copy: true, starters: ['Prices?'] })
  const other = await team.newMember(sales)
  const list = async () => (await other.call('assistants.list')).assistants
  const before = await list()
  const { project } = await ben.call('assistants.copy', { params: { assistantId: original.id }, body: {} })
  expect(await list()).toEqual(before)
  const copied = await publish(ben, {}, project)
  expect(copied.id).not.toBe(original.id)
  expect(copied.version).toBe(1)
  expect((await list()).filter(({ id }) => id !== copied.id)).toEqual(before)
})

it('another picture has another address, which browsers have not cached (0xMaxMa/claude-gateway#139)', async () => {
  const pictures = [pngOf(64, 64), pngOf(96, 96)]
  const [first, second] = pictures
  const { id, projectId } = await publish(pia, { picture: first?.toString('base64') })
  const find = async () =>
    (await ben.call('assistants.list')).assistants.find((one) => one.id === id)?.picture?.url ?? ''
  const before = new URL(await find())
  await publish(pia, { picture: second?.toString('base64') }, { id: projectId })
  const after = new URL(await find())
  expect(after.pathname).not.toBe(before.pathname)
  expect(Buffer.from(await (await fetch(after)).arrayBuffer())).toEqual(second)
})

it('what is read of a conversation has no instructions (RightNow-AI/openfang#935)', async () => {
  const { id } = await publishPrices(pia)
  const { sessionId } = await say(ben, 'Hello', { assistant_id: id })
  expect(lastPrompt()).toContain('Say amber.')
  const params = { sessionId }
  const session = await ben.call('sessions.read', { params })
  const parts = await Promise.all([
    ben.call('sessions.list'),
    ben.call('sessions.corpus'),
    ben.send('sessions.export', { params }),
    ben.send('sessions.copy', { params, body: { message_id: session.messages.at(-1)?.id } }),
    ben.call('assistants.list'),
    ben.call('prompts.list', { query: { assistant_id: id } }),
  ])
  for (const secret of ['Say amber.', '18.40']) expect(JSON.stringify([session, parts])).not.toContain(secret)
})

it('pages of administrators open after a publisher’s account was deleted (open-webui/open-webui#7055)', async () => {
  const publisher = await team.newMember(sales)
  const { id } = await publish(publisher, { name: 'Order desk' })
  const { sessionId } = await say(ben, 'Hello', { assistant_id: id })
  const { messages } = await ben.call('sessions.read', { params: { sessionId } })
  const params = { sessionId, messageId: messages.at(-1)?.id ?? '' }
  await ben.call('sessions.rate', { params, body: { feedback: { rating: 'down' } } })
  await deleteAccount(publisher)
  const { assistants } = await team.admin.call('admin.assistants')
  expect(assistants.map((one) => one.id)).not.toContain(id)
  const { counts } = await team.admin.call('admin.feedback')
  expect(counts).toContainEqual(expect.objectContaining({ assistant: { id, name: 'Order desk' }, down: 1 }))
  const { users } = await team.admin.call('admin.usage')
  expect(users.map(({ email }) => email)).not.toContain(publisher.email)
  const { entries } = await team.admin.call('admin.audit')
  expect(entries.map(({ action }) => action)).toContain('user.deleted')
})
