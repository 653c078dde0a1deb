/** @module-tag long */
import { describe, expect, it } from 'vitest'
import { routes, type RouteName } from '#shared/routes.ts'
import { maxAssistants, maxListedAssistants } from '../../functions/platform/limits.ts'
import { converse, inventIdentifiers } from '../support/belongings.ts'
import { downloadExport } from '../support/download-export.ts'
import { says, type ModelBehaviour } from '../support/fake-model-server.ts'
import { pngOf } from '../support/png-of.ts'
import { listRequestsWithIds, type RequestParts } from '../support/requests-with-ids.ts'
import { createProject, publishingFor, say } from '../support/publish-project.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { openTeam } from '../support/team.ts'
import { unzip } from '../support/unzip.ts'
import { uploadFile } from '../support/upload.ts'

const { stack, model, table } = await scriptedStack('Fine.')
const team = await openTeam(stack)
const [group, otherGroup] = await Promise.all([team.newGroup(), team.newGroup()])
const [pia, ben, rita] = await Promise.all([
  team.newMember(group),
  team.newMember(group),
  team.newMember(otherGroup),
])

const { publish, sendPublish } = publishingFor(group)
const listIds = async (user: StackUser) => (await user.call('assistants.list')).assistants.map(({ id }) => id)
const listAllIds = async () => (await team.admin.call('admin.assistants')).assistants.map(({ id }) => id)
const withdraw = (user: StackUser, assistantId: string) =>
  user.send('assistants.withdraw', { params: { assistantId } })
async function eraseUser({ sub, email: confirm }: StackUser) {
  const request = { params: { userId: sub }, body: { confirm } }
  while (!(await team.admin.call('admin.deleteUser', request)).done);
}
const lastPrompt = () => JSON.stringify(model.requests.at(-1)?.messages)
async function exportOf(user: StackUser): Promise<string> {
  const { bytes } = await downloadExport(await user.call('account.export'))
  return [...unzip(bytes).values()].map(String).join('\n')
}

describe('while a member gets a reply', () => {
  it.each([
    ['it is withdrawn', (_: StackUser, id: string) => withdraw(pia, id)],
    [
      'its project is deleted',
      (publisher: StackUser, _: string, projectId: string) =>
        publisher.call('projects.delete', { params: { projectId } }),
    ],
    ['its publisher is erased', (publisher: StackUser) => eraseUser(publisher)],
    [
      'its publisher loses the group',
      (publisher: StackUser) => team.setGroups(publisher, { remove: [group] }),
    ],
  ])('%s: the reply ends, and the next one goes on without it', async (what, end) => {
    const publisher = what === 'it is withdrawn' ? pia : await team.newMember(group)
    const { id, projectId } = await publish(publisher)
    const endMeanwhile: ModelBehaviour = async (...call) => {
      await end(publisher, id, projectId)
      await says('Amber.')(...call)
    }
    model.behave(endMeanwhile, says('Without.'))
    const { sessionId, codes } = await say(ben, 'Hello', { assistant_id: id })
    expect(codes).toEqual([])
    const { messages } = await ben.call('sessions.read', { params: { sessionId } })
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Amber.' })
    model.behave(says('Without.'))
    expect((await say(ben, 'Still there?', { sessionId })).codes).toEqual(['assistant_gone'])
    expect(lastPrompt()).not.toContain('Say amber.')
    expect(await listIds(ben)).not.toContain(id)
  })
})

describe('while a project is published', () => {
  it('files that are still read are waited for', async () => {
    const { id } = await createProject(pia)
    const content = Array.from({ length: 20_000 }, (_, index) => `Line ${index} of the prices.`).join('\n')
    const file = await uploadFile(pia, { name: 'Prices.txt', type: 'text/plain', content })
    await pia.call('projects.update', { params: { projectId: id }, body: { add_files: [file.id] } })
    const { status, body } = await sendPublish(pia, id)
    expect(status).toBe(200)
    await say(ben, 'Prices?', { assistant_id: (body as { assistant: { id: string } }).assistant.id })
    expect(lastPrompt()).toContain('Line 0 of the prices.')
  })

  it.each([
    [
      'loses the group',
      (publisher: StackUser) => team.setGroups(publisher, { remove: [group] }),
      [200, 401, 409],
    ],
    [
      'is disabled',
      (publisher: StackUser) => team.admin.call('admin.disableUser', { params: { userId: publisher.sub } }),
      [200, 401, 409],
    ],
    ['is erased', (publisher: StackUser) => eraseUser(publisher), [200, 401, 404, 409]],
  ])('a publisher who %s shows nothing to its members', async (_, end, statuses) => {
    const publisher = await team.newMember(group)
    const { id: projectId } = await createProject(publisher)
    const before = await listIds(ben)
    const [{ status }] = await Promise.all([sendPublish(publisher, projectId), end(publisher)])
    expect(statuses).toContain(status)
    expect((await listIds(ben)).filter((id) => !before.includes(id))).toEqual([])
  })

  it('an erased publisher leaves no row', async () => {
    const publisher = await team.newMember(group)
    const { id } = await publish(publisher)
    await eraseUser(publisher)
    expect(await listAllIds()).not.toContain(id)
    const rows = (await table.readAllRows()).filter((row) => JSON.stringify(row).includes(publisher.sub))
    const kinds = rows.map(({ PK }) => String(PK)).filter((key) => /^(ASSIST|LIST|U)#/.test(key))
    expect(kinds).toEqual([])
  })
})

describe('limits', () => {
  it('a user has at most twenty assistants, and publishes those again', async () => {
    const publisher = await team.newMember(group)
    const first = await publish(publisher)
    for (let count = 1; count < maxAssistants; count += 1) await publish(publisher)
    const { id } = await createProject(publisher)
    expect(await sendPublish(publisher, id)).toMatchObject({
      status: 409,
      body: { code: 'too_many_assistants' },
    })
    expect((await sendPublish(publisher, first.projectId)).status).toBe(200)
    // a withdrawn one makes room
    await withdraw(publisher, first.id)
    expect((await sendPublish(publisher, id)).status).toBe(200)
    await eraseUser(publisher)
  })

  it('a list that is full takes no more, and loses none of those it has', async () => {
    const full = await team.newGroup()
    const publisher = await team.newMember(full)
    const { id, projectId } = await publish(publisher, { audience: { groups: [full] } })
    for (let count = 1; count < maxListedAssistants; count += 1)
      await table.putRow({ PK: `LIST#group:${full}`, SK: crypto.randomUUID() })
    const other = await createProject(publisher)
    expect(await sendPublish(publisher, other.id, { audience: { groups: [full] } })).toMatchObject({
      status: 409,
      body: { code: 'too_many_listed_assistants' },
    })
    expect((await sendPublish(publisher, projectId, { audience: { groups: [full] } })).status).toBe(200)
    expect(await listIds(publisher)).toContain(id)
  })
})

it('an export has what its user published, and of others’ assistants no more than which one was used', async () => {
  const [publisher, member] = await Promise.all([team.newMember(group), team.newMember(group)])
  const { id } = await publish(publisher, {
    description: 'Prices of roasters',
    picture: pngOf(32, 32, { iCCP: 'Amber logo' }).toString('base64'),
  })
  await say(member, 'Hello', { assistant_id: id })
  const [published, used] = await Promise.all([exportOf(publisher), exportOf(member)])
  for (const text of [id, 'Prices of roasters', 'Say amber.', `assistants/${id}.png`, 'Amber logo'])
    expect(published).toContain(text)
  expect(published).not.toContain(member.sub)
  expect(used).toContain(id)
  for (const secret of ['Say amber.', publisher.sub, publisher.email]) expect(used).not.toContain(secret)
  // neither takes the other's with it
  await eraseUser(member)
  expect(await listIds(publisher)).toContain(id)
})

describe('a member of another group', async () => {
  model.behave(says('Fine.'))
  const { id: assistantId } = await publish(pia)
  const sessionId = await converse(pia, 'For the team')
  const { share } = await pia.call('shares.create', { params: { sessionId }, body: { days: 7 } })
  const invented = inventIdentifiers('')
  const requests = Object.entries(
    listRequestsWithIds({ ...invented, assistantId, shareId: share.id }, stack.origin),
  ) as [RouteName, readonly RequestParts[]][]
  const naming = requests.flatMap(([name, all]) =>
    all.flatMap((request) => {
      const ids = [assistantId, share.id].filter((id) => JSON.stringify(request).includes(id))
      return ids.map((id) => ({ name, id, request }))
    }),
  )

  it('every route whose address has an assistant or a link is asked', () => {
    const withIds = (Object.keys(routes) as RouteName[]).filter((name) =>
      /\{(assistantId|shareId)\}/.test(routes[name].path),
    )
    expect(withIds.length).toBeGreaterThan(2)
    expect(naming.map(({ name }) => name)).toEqual(expect.arrayContaining(withIds))
  })

  it.each(naming)('$name answers as for ids that do not exist', async ({ name, id, request }) => {
    const send = async (parts: RequestParts) => {
      const { status, body } = await rita.send(name, parts as never)
      return { status, body: JSON.stringify(body).replaceAll(/[0-9a-f-]{36}/g, '(id)') }
    }
    const unknown = JSON.parse(JSON.stringify(request).replaceAll(id, crypto.randomUUID())) as RequestParts
    expect(await send(request)).toEqual(await send(unknown))
    expect(await listIds(ben)).toContain(assistantId)
    expect(await pia.call('shares.list')).toMatchObject({ shares: [{ id: share.id }] })
  })
})
