import { describe, expect, it } from 'vitest'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { maxPrompts } from '../../functions/platform/limits.ts'
import { calls, says } from '../support/fake-model-server.ts'
import { createProject, type Publication, publishingFor } from '../support/publish-project.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { pngOf } from '../support/png-of.ts'
import { openTeam } from '../support/team.ts'
import { uploadDocument } from '../support/upload.ts'

const { stack, model, table } = await scriptedStack('Fine.')
const team = await openTeam(stack)
// limits are read once a minute
const [sales, roasters, readers, uploaders] = await Promise.all([
  team.newGroup({ publish: true }),
  team.newGroup(),
  team.newGroup({ publish: false }),
  team.newGroup({ uploads_per_day: 1 }),
])
const [pia, ben, rita] = await Promise.all([
  team.newMember(sales),
  team.newMember(sales),
  team.newMember(roasters),
])

const { publish, sendPublish } = publishingFor(sales)

const listIds = async (user: StackUser) => (await user.call('assistants.list')).assistants.map(({ id }) => id)
const ownerOf = async (assistantId: string) => {
  const { assistants } = await pia.call('assistants.list')
  return { id: assistants.find(({ id }) => id === assistantId)?.project_id ?? '' }
}
const withdraw = (user: StackUser, assistantId: string) =>
  user.send('assistants.withdraw', { params: { assistantId } })

describe('publishing a project', () => {
  it(
    'names its publisher in one line that turns no direction around, whatever they signed up with',
    { tags: 'long' },
    async () => {
      const eve = await stack.newUser({ name: 'Eve\u202e\n\nAdministrator\u200b' })
      const { id } = await publish(eve, { audience: 'everyone' })
      const shown = (await rita.call('assistants.list')).assistants.find((one) => one.id === id)
      expect(shown?.publisher.name).toBe('Eve Administrator')
      await withdraw(eve, id)
    },
  )

  it('shows it to the members of its groups, and neither its instructions nor its files', async () => {
    const project = await createProject(pia, { name: 'Order desk' })
    const { id } = await publish(
      pia,
      { description: 'Prices', starters: ['What does a hotel pay?'], audience: { groups: [sales] } },
      project,
    )
    const shown = (await ben.call('assistants.list')).assistants.find((one) => one.id === id)
    expect(shown).toEqual({
      id,
      name: 'Order desk',
      description: 'Prices',
      starters: ['What does a hotel pay?'],
      version: 1,
      mine: false,
      publisher: { name: expect.any(String) as string },
      published_at: expect.any(String) as string,
      tools: [],
    })
    const own = (await pia.call('assistants.list')).assistants.find((one) => one.id === id)
    expect(own).toMatchObject({
      mine: true,
      audience: { groups: [sales] },
      uses: 0,
      project_id: project.id,
    })
    expect(await listIds(rita)).not.toContain(id)
    const again = await publish(pia, { name: 'Desk', audience: { groups: [sales] } }, project)
    expect(again).toMatchObject({
      id,
      version: 2,
      name: 'Desk',
      description: 'Prices',
      starters: ['What does a hotel pay?'],
    })
  })

  it.each([
    ['a group that the publisher is not in', () => ({ audience: { groups: [sales, roasters] } })],
    ['one that does not exist', () => ({ audience: { groups: ['nobody'] } })],
    ['a fifth starter', () => ({ starters: Array.from({ length: 5 }, () => 'Hello') })],
    ['another audience', () => ({ audience: 'public' })],
    ['a blank name', () => ({ name: '\u202e' })],
  ])('refuses %s', { tags: 'long' }, async (_, body) => {
    const { id } = await createProject(pia)
    const { status } = await sendPublish(pia, id, body() as Publication)
    expect(status).toBe(400)
    expect(await pia.call('assistants.list')).not.toMatchObject({
      assistants: expect.arrayContaining([expect.objectContaining({ project_id: id })]) as unknown,
    })
  })

  it('names the groups that an audience can have', { tags: 'long' }, async () => {
    const { publishing } = await pia.call('assistants.list')
    expect(publishing).toEqual({ allowed: true, groups: [sales] })
  })

  it('an administrator names any group, and no other one', { tags: 'long' }, async () => {
    const name = await team.newGroup()
    const { publishing } = await team.admin.call('assistants.list')
    expect(publishing.groups).toEqual(expect.arrayContaining([sales, 'admins']))
    const { id, projectId } = await publish(team.admin, { audience: { groups: [name] } })
    expect(await listIds(await team.newMember(name))).toContain(id)
    expect(await listIds(rita)).not.toContain(id)
    expect(await sendPublish(team.admin, projectId, { audience: { groups: ['nobody'] } })).toMatchObject({
      status: 400,
    })
  })

  it('one that cannot be read takes no other with it from a list', { tags: 'long' }, async () => {
    const { id } = await publish(pia, { audience: 'everyone' })
    const damaged = crypto.randomUUID()
    await table.putRow({ PK: 'LIST#everyone', SK: damaged })
    await table.putRow({ PK: `ASSIST#${damaged}`, SK: 'HEAD', state: 'paused', version: 'one' })
    expect(await listIds(rita)).toContain(id)
    expect(await listIds(rita)).not.toContain(damaged)
    await withdraw(pia, id)
  })

  it('takes a group whose name has blanks, by the name that people read', { tags: 'long' }, async () => {
    const name = `Sales EMEA ${crypto.randomUUID().slice(0, 8)}`
    await team.admin.call('admin.createGroup', { body: { name, description: '', limits: {} } })
    const [publisher, member] = await Promise.all([team.newMember(name), team.newMember(name)])
    expect((await publisher.call('assistants.list')).publishing.groups).toEqual([name])
    const { id, projectId } = await publish(publisher, { audience: { groups: [` ${name}`] } })
    expect((await publisher.call('assistants.list')).assistants).toMatchObject([
      { id, audience: { groups: [name] } },
    ])
    expect(await listIds(member)).toContain(id)
    await team.setGroups(publisher, { remove: [name] })
    expect(await listIds(member)).not.toContain(id)
    await publish(await team.signIn(publisher), { audience: { groups: [] } }, { id: projectId })
  })

  it('needs the right, which one of several groups may give', async () => {
    const [reader, both] = await Promise.all([
      team.newMember(readers, roasters),
      team.newMember(readers, sales),
    ])
    const { id } = await createProject(reader)
    expect(await sendPublish(reader, id, { audience: 'everyone' })).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    })
    const findRight = async (user: StackUser) => (await user.call('assistants.list')).publishing.allowed
    expect(await Promise.all([reader, both].map(findRight))).toEqual([false, true])
  })

  it('an audience of everyone, or of nobody yet', { tags: 'long' }, async () => {
    const { id, ...project } = await publish(pia, { audience: 'everyone' })
    expect(await listIds(rita)).toContain(id)
    await publish(pia, { audience: { groups: [] } }, { id: project.projectId })
    expect(await listIds(rita)).not.toContain(id)
    expect(await listIds(pia)).toContain(id)
  })

  it('of two at once each one is whole, and the newest is shown', { tags: 'long' }, async () => {
    const project = await createProject(pia)
    const responses = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => sendPublish(pia, project.id, { name })),
    )
    const statuses = responses.map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true)
    const shown = (await ben.call('assistants.list')).assistants.filter(({ name }) =>
      ['One', 'Two', 'Three'].includes(name),
    )
    expect(shown).toHaveLength(1)
  })
})

describe('its picture', () => {
  const picture = pngOf(64, 64)
  const data = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const findUrl = async (user: StackUser, id: string) =>
    (await user.call('assistants.list')).assistants.find((one) => one.id === id)?.picture?.url
  const load = async (url = '') => {
    const response = await fetch(url)
    return [response.status, response.headers.get('content-type'), Buffer.from(await response.arrayBuffer())]
  }

  it(
    'is seen by its audience and by administrators, until the next version has another, or none',
    { tags: 'long' },
    async () => {
      const project = await createProject(pia)
      const { id } = await publish(pia, { picture: data(picture) }, project)
      const url = await findUrl(ben, id)
      expect(await load(url)).toEqual([200, 'image/png', picture])
      // the address tells members nothing of the publisher
      expect(url).not.toContain(pia.sub)
      expect(await findUrl(rita, id)).toBeUndefined()
      const { assistants } = await team.admin.call('admin.assistants')
      expect(assistants.find((one) => one.id === id)?.picture?.url).toBeDefined()

      await publish(pia, {}, project)
      expect(await load(await findUrl(ben, id))).toEqual([200, 'image/png', picture])
      await publish(pia, { picture: data(pngOf(32, 40)) }, project)
      expect((await load(await findUrl(ben, id)))[2]).toEqual(pngOf(32, 40))
      // two versions later the first one is gone
      expect((await load(url))[0]).toBe(404)
      await publish(pia, { picture: null }, project)
      expect(await findUrl(ben, id)).toBeUndefined()
      await publish(pia, {}, project)
      expect(await findUrl(ben, id)).toBeUndefined()
    },
  )

  it('shows its members nothing but its pixels', { tags: 'long' }, async () => {
    const { id } = await publish(pia, {
      picture: data(pngOf(64, 64, { tEXt: 'Pia, at home', eXIf: '48.2 N' })),
    })
    expect((await load(await findUrl(ben, id)))[2]).toEqual(picture)
  })

  it('goes with a withdrawal, and is no part of a copy', { tags: 'long' }, async () => {
    const { id, projectId } = await publish(pia, { picture: data(picture), may_copy: true })
    const url = await findUrl(ben, id)
    await withdraw(pia, id)
    expect((await load(url))[0]).toBe(404)
    const next = await publish(pia, {}, { id: projectId })
    expect(await findUrl(ben, next.id)).toBeUndefined()
  })

  it('counts as storage of its publisher', { tags: 'long' }, async () => {
    const user = await team.newMember(sales)
    const read = async () => (await user.call('files.list')).storage.used_bytes
    const { id } = await createProject(user)
    await publish(user, {}, { id })
    const before = await read()
    const { id: assistantId } = await publish(user, { picture: data(picture) }, { id })
    expect((await read()) - before).toBe(picture.length)
    await withdraw(user, assistantId)
    expect(await read()).toBe(before)
  })

  it.each([
    ['text', Buffer.from('This is text.')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"></svg>')],
    ['one pixel', pngOf(1, 1)],
    ['a bomb', pngOf(50_000, 50_000)],
    ['one that moves', pngOf(64, 64, { acTL: '\0\0\0\x02\0\0\0\0' })],
    ['one that is cut off', picture.subarray(0, -1)],
    ['something after it', Buffer.concat([picture, Buffer.from('<script>')])],
    ['one too large', Buffer.concat([picture.subarray(0, -12), Buffer.alloc(63_999), picture.subarray(-12)])],
  ])('refuses %s, and publishes nothing', { tags: 'long' }, async (_, bytes) => {
    const { id } = await createProject(pia)
    expect(await sendPublish(pia, id, { picture: data(bytes) })).toMatchObject({ status: 400 })
    const { assistants } = await pia.call('assistants.list')
    expect(assistants.filter(({ project_id }) => project_id === id)).toEqual([])
  })
})

describe('a copy', () => {
  it(
    'is a project of its own, with instructions and texts of files, where the publisher allows it',
    { tags: 'long' },
    async () => {
      const member = await team.newMember(sales)
      const project = await createProject(pia)
      await addFile(pia, project.id, 'Prices.txt', 'A hotel pays 18.40 EUR.')
      const csv = { name: 'prices.csv', type: 'text/csv', content: 'bag,price\nA,3\n' }
      const { attachment } = await uploadDocument(pia, csv)
      const params = { projectId: project.id }
      await pia.call('projects.update', { params, body: { add_files: [attachment.id] } })
      const { id } = await publish(pia, {}, project)
      const copy = (user: StackUser, body: object = {}) =>
        user.send('assistants.copy', { params: { assistantId: id }, body })
      expect(await copy(member)).toMatchObject({ status: 403, body: { code: 'copy_not_allowed' } })
      await publish(pia, { may_copy: true }, project)
      expect((await copy(rita)).status).toBe(404)
      const ids = { id: crypto.randomUUID() }
      const { body } = await copy(member, ids)
      expect(body).toMatchObject({
        project: {
          ...ids,
          name: 'Wholesale',
          instructions: 'Say amber.',
          files: [{ name: 'Prices.txt' }, {}],
        },
      })
      expect(await copy(member, ids)).toMatchObject({ status: 200, body })
      expect((await copy(pia)).body).not.toHaveProperty('project.copied_from')
      await withdraw(pia, id)
      await say(member, 'What does a hotel pay?', { project_id: ids.id })
      expect(lastPrompt()).toContain('18.40 EUR')
      const { attachments } = await member.call('files.list')
      const files = attachments.filter(({ name }) => name === 'Prices.txt' || name === 'prices.csv.txt')
      expect(files).toHaveLength(2)
      const { url } = await member.call('files.link', { params: { attachmentId: files[0]?.id ?? '' } })
      expect(await (await fetch(url)).text()).toMatch(/18.40|bag/)
    },
  )

  it(
    'counts as its publisher’s until its user has saved the instructions, also as they are',
    { tags: 'long' },
    async () => {
      const member = await team.newMember(sales)
      const { id } = await publish(pia, { may_copy: true })
      const { project } = await member.call('assistants.copy', { params: { assistantId: id }, body: {} })
      expect(project.copied_from).toBe('Wholesale')
      await say(member, 'Hello', { project_id: project.id })
      expect(lastPrompt()).toContain('copied from an assistant of somebody else')
      const update = (body: RouteRequest<'projects.update'>) =>
        member.call('projects.update', { params: { projectId: project.id }, body })
      expect((await update({ name: 'Mine' })).project.copied_from).toBe('Wholesale')
      expect((await update({ instructions: project.instructions })).project).not.toHaveProperty('copied_from')
      await say(member, 'Hello', { project_id: project.id })
      expect(lastPrompt()).not.toContain('copied from')
    },
  )

  it(
    'leaves its mark on conversations that leave it unsaved, so that their calls go on asking',
    { tags: 'long' },
    async () => {
      const member = await team.newMember(sales)
      const { id } = await publish(pia, { may_copy: true })
      const { project } = await member.call('assistants.copy', { params: { assistantId: id }, body: {} })
      const [moved, left, renamed] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
      for (const sessionId of [moved, left, renamed])
        await say(member, 'Hello', { sessionId, project_id: project.id })
      const change = (sessionId: string, body: RouteRequest<'sessions.update'>) =>
        member.call('sessions.update', { params: { sessionId }, body })
      expect((await change(renamed, { title: 'Mine' })).session).not.toHaveProperty('assistant')
      expect((await change(renamed, { project_id: project.id })).session).not.toHaveProperty('assistant')
      const mark = { assistant: { name: 'Wholesale', gone: true } }
      const { session } = await change(moved, { project_id: null })
      expect(session).toMatchObject(mark)
      // nothing is said of an assistant that the conversation never had
      const { notices } = await say(member, 'Go on', { sessionId: moved })
      expect(notices).toEqual([])
      expect((await member.call('sessions.read', { params: { sessionId: moved } })).session).toMatchObject(
        mark,
      )
      const { project: own } = await member.call('projects.create', { body: { name: 'Mine' } })
      await change(moved, { project_id: own.id })
      expect((await change(moved, { project_id: null })).session).toMatchObject(mark)
      await member.call('projects.delete', {
        params: { projectId: project.id },
        query: { conversations: 'keep' },
      })
      expect((await member.call('sessions.read', { params: { sessionId: left } })).session).toMatchObject(
        mark,
      )
    },
  )

  it('counts its files among the uploads of the day', { tags: 'long' }, async () => {
    const member = await team.newMember(uploaders)
    const project = await createProject(pia)
    await addFile(pia, project.id, 'One.txt', 'One.')
    const { id } = await publish(pia, { may_copy: true, audience: 'everyone' }, project)
    const copy = () => member.send('assistants.copy', { params: { assistantId: id }, body: {} })
    expect((await copy()).status).toBe(200)
    expect(await copy()).toMatchObject({ status: 429, body: { code: 'too_many_uploads' } })
    expect((await member.call('projects.list')).projects).toHaveLength(1)
    await withdraw(pia, id)
  })
})

describe('the saved prompts of a project', () => {
  const promptsOf = (user: StackUser, assistant_id: string) =>
    user.send('prompts.list', { query: { assistant_id } })

  it(
    'come with its assistant, as they were when it was published, and with a copy',
    { tags: 'long' },
    async () => {
      const member = await team.newMember(sales)
      const project = await createProject(pia)
      const add = (name: string, project_id?: string) =>
        pia.call('prompts.create', {
          body: { name, text: `Text of ${name}`, ...(project_id && { project_id }) },
        })
      await add('Offer', project.id)
      await add('Mine alone')
      const { id } = await publish(pia, { may_copy: true }, project)
      await add('Later', project.id)
      const { prompts } = await member.call('prompts.list', { query: { assistant_id: id } })
      expect(prompts).toEqual([
        { id: `${id}-0`, name: 'Offer', text: 'Text of Offer', created_at: expect.any(String) as string },
      ])
      expect((await promptsOf(rita, id)).status).toBe(404)
      // they are nobody's own
      expect((await member.call('prompts.list')).prompts).toEqual([])

      const copy = { params: { assistantId: id }, body: { id: crypto.randomUUID() } }
      await member.call('assistants.copy', copy)
      await member.call('assistants.copy', copy)
      await withdraw(pia, id)
      expect((await promptsOf(member, id)).status).toBe(404)
      expect((await member.call('prompts.list')).prompts).toMatchObject([
        { name: 'Offer', text: 'Text of Offer', project_id: copy.body.id },
      ])
    },
  )

  it('are not copied, and nothing else, where there is no room for them', { tags: 'long' }, async () => {
    const member = await team.newMember(sales)
    const project = await createProject(pia)
    await pia.call('prompts.create', { body: { name: 'Offer', text: 'An offer', project_id: project.id } })
    const { id } = await publish(pia, { may_copy: true }, project)
    for (let count = 0; count < maxPrompts; count += 1)
      await table.put(member.sub, `PROMPT#${count}`, { name: 'p', text: 't', created_at: '2026-11-28' })
    expect(await member.send('assistants.copy', { params: { assistantId: id }, body: {} })).toMatchObject({
      status: 409,
      body: { code: 'too_many_prompts' },
    })
    expect((await member.call('projects.list')).projects).toEqual([])
  })
})

describe('an assistant ends', () => {
  it('when its publisher or an administrator withdraws it, and for nobody else', async () => {
    const first = await publish(pia)
    for (const user of [ben, rita]) expect((await withdraw(user, first.id)).status).toBe(404)
    expect((await withdraw(pia, first.id)).status).toBe(200)
    expect((await withdraw(pia, first.id)).status).toBe(404)
    expect(await listIds(ben)).not.toContain(first.id)
    // a new one
    const second = await publish(pia, {}, { id: first.projectId })
    expect(second.version).toBe(1)
    expect(second.id).not.toBe(first.id)
    const { assistants } = await team.admin.call('admin.assistants')
    expect(assistants.find(({ id }) => id === second.id)).toMatchObject({
      mine: false,
      audience: { groups: [sales] },
    })
    expect((await withdraw(team.admin, second.id)).status).toBe(200)
    expect(await listIds(pia)).not.toContain(second.id)
    expect((await publish(pia, {}, { id: first.projectId })).version).toBe(1)
    const { entries } = await team.admin.call('admin.audit')
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['assistant.published', 'assistant.withdrawn']),
    )
  })

  it('with its project', { tags: 'long' }, async () => {
    const { id, projectId } = await publish(pia)
    await pia.call('projects.delete', { params: { projectId } })
    expect(await listIds(ben)).not.toContain(id)
    expect((await team.admin.call('admin.assistants')).assistants.map((one) => one.id)).not.toContain(id)
  })

  it('for a group that its publisher loses, and for one that is deleted', { tags: 'long' }, async () => {
    const [left, deleted] = await Promise.all([team.newGroup(), team.newGroup()])
    const [publisher, one, two] = await Promise.all([
      team.newMember(left, deleted),
      team.newMember(left),
      team.newMember(deleted),
    ])
    const { id } = await publish(publisher, { audience: { groups: [left, deleted] } })
    await team.setGroups(publisher, { remove: [left] })
    expect(await listIds(one)).not.toContain(id)
    expect(await listIds(two)).toContain(id)
    await team.admin.call('admin.deleteGroup', { params: { groupName: deleted } })
    expect(await listIds(two)).not.toContain(id)
  })

  it('while its publisher is disabled, and with their account', { tags: 'long' }, async () => {
    const publisher = await team.newMember(sales)
    const { id } = await publish(publisher)
    const params = { userId: publisher.sub }
    await team.admin.call('admin.disableUser', { params })
    expect(await listIds(ben)).not.toContain(id)
    await team.admin.call('admin.enableUser', { params })
    expect(await listIds(ben)).toContain(id)
    const { email: confirm } = publisher
    while (!(await team.admin.call('admin.deleteUser', { params, body: { confirm } })).done);
    expect(await listIds(ben)).not.toContain(id)
  })
})

/** Sends a message. @returns the conversation's id, and the notices of the reply */
async function say(user: StackUser, content: string, more: Partial<RouteRequest<'chat.send'>> = {}) {
  const { sessionId = crypto.randomUUID(), ...rest } = more
  const reply = await user.call('chat.send', {
    body: { sessionId, messages: [{ role: 'user', content }], ...rest },
  })
  return { sessionId, notices: (reply.notices ?? []).map(({ code }) => code) }
}
const callOf = (name: string, input: object) =>
  calls({ id: `call_${name}`, name, arguments: JSON.stringify(input) })
const lastPrompt = () => JSON.stringify(model.requests.at(-1)?.messages)
const addFile = async (user: StackUser, projectId: string, name: string, content: string) => {
  const { attachment } = await uploadDocument(user, { name, type: 'text/plain', content })
  await user.call('projects.update', { params: { projectId }, body: { add_files: [attachment.id] } })
  return attachment
}

describe('a conversation with an assistant', () => {
  it('gets its instructions and files, and none of its publisher’s rows, objects or ids', async () => {
    const project = await createProject(pia, { instructions: 'Say amber.' })
    const file = await addFile(pia, project.id, 'Prices.txt', 'A hotel pays 18.40 EUR a kilogram.')
    const { id } = await publish(pia, {}, project)
    // what others get does not depend on the project any more
    await pia.call('projects.update', {
      params: { projectId: project.id },
      body: { instructions: 'Say green.', remove_files: [file.id] },
    })
    await pia.call('files.delete', { params: { attachmentId: file.id } })
    const { sessionId } = await say(ben, 'What does a hotel pay?', { assistant_id: id })
    expect(lastPrompt()).toContain('Say amber.')
    expect(lastPrompt()).toContain('18.40 EUR')
    expect(lastPrompt()).toContain('Prices.txt')
    model.behave(callOf('read_attachment', { id: 'assistant-1-1' }), says('Read.'))
    await say(ben, 'Read it', { sessionId })
    expect(lastPrompt()).toContain('18.40 EUR')
    model.behave(callOf('search_files', { wordings: ['hotel kilogram'] }), says('Found.'))
    await say(ben, 'Search it', { sessionId })
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain('18.40 EUR')
    const read = await ben.call('sessions.read', { params: { sessionId } })
    expect(read.session.assistant).toEqual({ id, name: 'Wholesale', version: 1 })
    const rows = JSON.stringify(await table.readRows(ben.sub))
    for (const secret of [file.id, 'Say amber.', pia.sub, project.id]) expect(rows).not.toContain(secret)
    const own = (await pia.call('assistants.list')).assistants.find((one) => one.id === id)
    expect(own?.uses).toBe(1)
  })

  it('is named beside the ratings of its replies', { tags: 'long' }, async () => {
    const { id } = await publish(pia, { name: 'Rated' })
    const { sessionId } = await say(ben, 'A question', { assistant_id: id })
    const { messages } = await ben.call('sessions.read', { params: { sessionId } })
    const params = { sessionId, messageId: messages.at(-1)?.id ?? '' }
    await ben.call('sessions.rate', { params, body: { feedback: { rating: 'down' } } })
    const { counts } = await team.admin.call('admin.feedback')
    expect(counts.filter(({ assistant }) => assistant?.id === id)).toEqual([
      { model: 'fake', assistant: { id, name: 'Rated' }, up: 0, down: 1 },
    ])
  })

  it('is for its audience only, and for those who may use it by id alone', async () => {
    const { id } = await publish(pia)
    for (const assistant_id of [id, crypto.randomUUID()]) {
      const response = await rita.send('chat.send', {
        body: { messages: [{ role: 'user', content: 'Hi' }], assistant_id },
      })
      expect(response).toMatchObject({ status: 404, body: { code: 'assistant_not_found' } })
    }
    // a temporary chat names it each time
    await ben.call('chat.send', {
      body: { messages: [{ role: 'user', content: 'Hi' }], assistant_id: id },
    })
    expect(lastPrompt()).toContain('Say amber.')
    // one that has begun goes on without it
    await withdraw(pia, id)
    const messages = ['Hi', 'Hello!', 'And now?'].map((content, index) => ({
      role: index === 1 ? ('assistant' as const) : ('user' as const),
      content,
    }))
    const { notices } = await ben.call('chat.send', { body: { messages, assistant_id: id, keep: false } })
    expect(notices).toMatchObject([{ code: 'assistant_gone' }])
    expect(lastPrompt()).not.toContain('Say amber.')
  })

  it('follows to the newest version, and says so once', { tags: 'long' }, async () => {
    const { id, projectId } = await publish(pia)
    const { sessionId, notices } = await say(ben, 'Hello', { assistant_id: id })
    expect(notices).toEqual([])
    await pia.call('projects.update', { params: { projectId }, body: { instructions: 'Say green.' } })
    await say(ben, 'And now?', { sessionId })
    expect(lastPrompt()).toContain('Say amber.')
    await publish(pia, { name: 'Green desk', news: 'Prices of 2027' }, { id: projectId })
    const { messages } = await ben
      .call('chat.send', {
        body: { sessionId, messages: [{ role: 'user', content: 'And now?' }], assistant_id: id },
      })
      .then(() => ben.call('sessions.read', { params: { sessionId } }))
    expect(messages.at(-1)?.notices).toMatchObject([
      { code: 'assistant_updated', params: { name: 'Green desk', news: 'Prices of 2027' } },
    ])
    expect(lastPrompt()).toContain('Say green.')
    expect((await say(ben, 'And now?', { sessionId })).notices).toEqual([])
    const { session } = await ben.call('sessions.read', { params: { sessionId } })
    expect(session.assistant).toEqual({ id, name: 'Green desk', version: 2 })
  })

  it.each([
    ['is withdrawn', async ({ id }: { id: string }) => void (await withdraw(pia, id))],
    [
      'loses its project',
      async ({ projectId }: { projectId: string }) =>
        void (await pia.call('projects.delete', { params: { projectId } })),
    ],
    [
      'is for others now',
      async ({ projectId }: { projectId: string }) =>
        void (await publish(pia, { audience: { groups: [] } }, { id: projectId })),
    ],
  ])('goes on without one that %s', { tags: 'long' }, async (_, end) => {
    const published = await publish(pia)
    const { sessionId } = await say(ben, 'Hello', { assistant_id: published.id })
    await end(published)
    expect((await say(ben, 'Still there?', { sessionId })).notices).toEqual(['assistant_gone'])
    expect(lastPrompt()).not.toContain('Say amber.')
    expect(lastPrompt()).toContain('Hello')
    expect((await say(ben, 'Still there?', { sessionId })).notices).toEqual([])
    const { session } = await ben.call('sessions.read', { params: { sessionId } })
    expect(session.assistant).toMatchObject({ id: published.id, gone: true })
  })

  it(
    'goes on without it for a member who leaves the group, and with it after a return',
    { tags: 'long' },
    async () => {
      const group = await team.newGroup()
      const [publisher, member] = await Promise.all([team.newMember(group), team.newMember(group)])
      const { id } = await publish(publisher, { audience: { groups: [group] } })
      const { sessionId } = await say(member, 'Hello', { assistant_id: id })
      await team.setGroups(member, { remove: [group] })
      const outside = await team.signIn(member)
      expect((await say(outside, 'Hello', { sessionId })).notices).toEqual(['assistant_gone'])
      await team.setGroups(member, { add: [group] })
      const back = await team.signIn(member)
      expect((await say(back, 'Hello', { sessionId })).notices).toEqual(['assistant_updated'])
      expect(lastPrompt()).toContain('Say amber.')
    },
  )

  it('a copy keeps the assistant, and asks again who may use it', { tags: 'long' }, async () => {
    const { id } = await publish(pia)
    const { sessionId } = await say(ben, 'Hello', { assistant_id: id })
    const { messages } = await ben.call('sessions.read', { params: { sessionId } })
    const { session } = await ben.call('sessions.copy', {
      params: { sessionId },
      body: { message_id: messages.at(-1)?.id ?? '' },
    })
    expect(session.assistant).toMatchObject({ id })
    await withdraw(pia, id)
    expect((await say(ben, 'Hello', { sessionId: session.id })).notices).toEqual(['assistant_gone'])
  })

  it('its files stand beside those of the conversation’s project', { tags: 'long' }, async () => {
    const shared = await createProject(pia)
    await addFile(pia, shared.id, 'Shared.txt', 'Forty bags.')
    const { id } = await publish(pia, {}, shared)
    const own = await createProject(ben, { name: 'Mine', instructions: 'Be brief.' })
    await addFile(ben, own.id, 'Own.txt', 'Nine bags.')
    await say(ben, 'Hello', { assistant_id: id, project_id: own.id })
    for (const text of ['Say amber.', 'Be brief.', 'Forty bags.', 'Nine bags.'])
      expect(lastPrompt()).toContain(text)
  })

  it.each([
    ['asks', (id: string) => ({ assistant_id: id }), 'waiting'],
    // a run that has ended is not told
    ['does not ask in other conversations', () => ({}), undefined],
  ])('somebody else’s changes the memory: %s', { tags: 'long' }, async (_, more, status) => {
    const { id } = await publish(pia)
    await ben.call('account.settings', { body: { memory: true } })
    model.behave(callOf('remember', { text: 'Likes tea' }), says('Noted.'))
    const { sessionId } = await say(ben, 'Likes tea', more(id))
    const { run } = await ben.call('sessions.read', { params: { sessionId } })
    expect(run?.status).toBe(status)
    if (status === undefined) return
    expect(run?.questions).toMatchObject([
      { tool: 'remember', untrusted: [{ kind: 'assistant', names: ['Wholesale'] }] },
    ])
    // the reply goes on with the version that it has begun with
    await publish(pia, { name: 'New' }, await ownerOf(id))
    model.behave(says('Noted.'))
    await ben.call('runs.answer', {
      params: { sessionId },
      body: { runId: run?.run_id ?? '', callId: run?.questions?.[0]?.call_id ?? '', approved: true },
    })
    expect(lastPrompt()).toContain('Say amber.')
  })

  it('its tables are queried, and cannot be queried again', { tags: 'long' }, async () => {
    const project = await createProject(pia)
    const csv = { name: 'prices.csv', type: 'text/csv', content: 'bag,price\nA,3\nB,4\n' }
    const { attachment } = await uploadDocument(pia, csv)
    await pia.call('projects.update', {
      params: { projectId: project.id },
      body: { add_files: [attachment.id] },
    })
    const { id } = await publish(pia, {}, project)
    model.behave(callOf('query_table', { sql: 'SELECT sum(price) AS total FROM prices' }), says('Seven.'))
    const { sessionId } = await say(ben, 'The sum?', { assistant_id: id })
    const { messages } = await ben.call('sessions.read', { params: { sessionId } })
    const [call] = messages.at(-1)?.tool_calls ?? []
    expect(call?.result.data).toMatchObject({ rows: [[7]] })
    expect(JSON.stringify(call?.result.data)).not.toContain('file_id')
  })
})
