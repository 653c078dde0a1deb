import { describe, expect, it } from 'vitest'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { maxProjectFiles, maxProjectInstructionCharacters } from '#shared/limits.ts'
import { maxProjects, maxPrompts } from '../../functions/platform/limits.ts'
import { calls, says } from '../support/fake-model-server.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { presign, uploadDocument, uploadFile } from '../support/upload.ts'

const { stack, model, table } = await scriptedStack('Fine.')
const [ann, bob] = await Promise.all([stack.newUser(), stack.newUser()])

const notes = (name: string, content: string) => ({ name, type: 'text/plain', content })

const createProject = async (user: StackUser, body: Partial<RouteRequest<'projects.create'>> = {}) =>
  (await user.call('projects.create', { body: { name: 'Thesis', ...body } })).project

const change = (user: StackUser, projectId: string, body: unknown) =>
  user.send('projects.update', { params: { projectId }, body })

/** Sends a message to a conversation. @returns the conversation's id */
async function say(user: StackUser, content: string, more: Partial<RouteRequest<'chat.send'>> = {}) {
  const { sessionId = crypto.randomUUID(), ...rest } = more
  const messages = [{ role: 'user' as const, content }]
  await user.call('chat.send', { body: { sessionId, messages, ...rest } })
  return sessionId
}

const readSession = async (user: StackUser, sessionId: string) =>
  (await user.call('sessions.read', { params: { sessionId } })).session

const lastPrompt = () => model.requests.at(-1)?.messages ?? []
const systemPrompt = () => lastPrompt()[0]?.content ?? ''

describe('the settings of a project', () => {
  it('are created, read, listed by name, changed and removed', async () => {
    const user = await stack.newUser()
    const second = await createProject(user, { name: ' Zoo \u202e' })
    const first = await createProject(user, {
      name: 'Alps',
      instructions: 'Be brief.',
      model: 'fake',
      disabled_tools: [{ mcp_id: 'gmail' }],
    })
    expect(second).toMatchObject({ name: 'Zoo', instructions: '', files: [] })
    const { projects } = await user.call('projects.list')
    expect(projects.map(({ name }) => name)).toEqual(['Alps', 'Zoo'])
    expect(projects[0]).not.toHaveProperty('instructions')
    expect(await change(user, first.id, { name: 'Andes', model: null, disabled_tools: [] })).toMatchObject({
      status: 200,
      body: { project: { name: 'Andes', instructions: 'Be brief.' } },
    })
    const { project } = await user.call('projects.read', { params: { projectId: first.id } })
    expect(project).not.toHaveProperty('model')
    expect(project).not.toHaveProperty('disabled_tools')
    expect(project.updated_at > first.updated_at).toBe(true)
  })

  it('the same creation again changes nothing', { tags: 'long' }, async () => {
    const id = crypto.randomUUID()
    const first = await createProject(ann, { id, name: 'Once' })
    expect(await createProject(ann, { id, name: 'Twice' })).toEqual(first)
  })

  it('a text that was changed elsewhere is not overwritten', { tags: 'long' }, async () => {
    const { id } = await createProject(ann, { instructions: 'Be brief.' })
    const first = { instructions: 'Be long.', instructions_seen: 'Be brief.' }
    // the second is what a page sends that has lost the response
    for (const body of [first, first]) expect(await change(ann, id, body)).toMatchObject({ status: 200 })
    const late = {
      instructions: 'Be kind.',
      instructions_seen: 'Be brief.',
      name: 'New',
      name_seen: 'Thesis',
    }
    expect(await change(ann, id, late)).toMatchObject({ status: 409, body: { code: 'changed_elsewhere' } })
    const { project } = await ann.call('projects.read', { params: { projectId: id } })
    expect(project).toMatchObject({ name: 'Thesis', instructions: 'Be long.' })
  })

  it('refuses bad input', { tags: 'long' }, async () => {
    const { id } = await createProject(ann)
    const tooLong = 'x'.repeat(maxProjectInstructionCharacters + 1)
    for (const body of [
      {},
      { name_seen: 'Thesis' },
      { name: ' ' },
      { name: '\u202e' },
      { name: 'x'.repeat(81) },
      { instructions: tooLong },
      { owner: bob.sub },
      { add_files: ['../x'] },
      { add_files: [crypto.randomUUID()], remove_files: [crypto.randomUUID()] },
    ])
      expect({ body, status: (await change(ann, id, body)).status }).toEqual({ body, status: 400 })
    expect((await ann.send('projects.create', { body: { name: 'x', instructions: tooLong } })).status).toBe(
      400,
    )
    const huge = { name: 'x', instructions: 'x'.repeat(200_000) }
    expect((await ann.send('projects.create', { body: huge })).status).toBe(413)
    expect((await change(ann, crypto.randomUUID(), { name: 'x' })).status).toBe(404)
  })

  it('another user has no access', async () => {
    const { id } = await createProject(ann, { instructions: 'Secret' })
    const sessionId = await say(bob, 'Hello')
    for (const response of [
      await bob.send('projects.read', { params: { projectId: id } }),
      await change(bob, id, { name: 'Mine' }),
      await bob.send('projects.delete', { params: { projectId: id } }),
      await bob.send('sessions.update', { params: { sessionId }, body: { project_id: id } }),
      await bob.send('prompts.create', { body: { name: 'x', text: 'x', project_id: id } }),
      await bob.send('chat.send', {
        body: { sessionId: crypto.randomUUID(), project_id: id, messages: [{ role: 'user', content: 'Hi' }] },
      }),
    ])
      expect(response).toMatchObject({ status: 404, body: { code: 'project_not_found' } })
    expect((await ann.call('projects.read', { params: { projectId: id } })).project.name).toBe('Thesis')
  })

  it('there are at most 200, which are listed at once', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    const at = '2026-01-01T00:00:00.000Z'
    for (let count = 0; count < maxProjects; count += 1)
      await table.put(user.sub, `P#${count}`, {
        name: `Project ${count}`,
        instructions: 'x'.repeat(maxProjectInstructionCharacters),
        created_at: at,
        updated_at: at,
      })
    expect((await user.call('projects.list')).projects).toHaveLength(maxProjects)
    const refused = await user.send('projects.create', { body: { name: 'One more' } })
    expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_projects' } })
  })
})

describe('the files of a project', () => {
  it(
    'are the caller’s own uploads, and stay when a conversation with them is deleted',
    { tags: 'long' },
    async () => {
      const user = await stack.newUser()
      const [{ attachment: file }, foreign] = await Promise.all([
        uploadDocument(user, notes('notes.txt', 'Buy milk.')),
        uploadFile(bob, notes('other.txt', 'Not yours.')),
      ])
      const { id } = await createProject(user)
      expect(await change(user, id, { add_files: [file.id, foreign.id] })).toMatchObject({
        status: 404,
        body: { code: 'attachment_not_found', attachmentIds: [foreign.id] },
      })
      const unfinished = (await presign(user, notes('half.txt', 'Half'))).attachment
      expect(await change(user, id, { add_files: [unfinished.id] })).toMatchObject({
        status: 409,
        body: { code: 'attachment_unfinished' },
      })
      expect(await change(user, id, { add_files: [file.id] })).toMatchObject({
        body: { project: { files: [{ id: file.id, name: 'notes.txt' }] } },
      })
      const sessionId = crypto.randomUUID()
      const messages = [{ role: 'user' as const, content: 'Read this', attachments: [{ id: file.id }] }]
      await user.call('chat.send', { body: { sessionId, messages } })
      const [listed] = (await user.call('files.list')).attachments
      expect(listed).toMatchObject({ session_ids: [sessionId], project_ids: [id] })
      await user.call('sessions.delete', { params: { sessionId } })
      expect((await user.call('projects.read', { params: { projectId: id } })).project.files).toHaveLength(1)
      await change(user, id, { remove_files: [file.id] })
      const [left] = (await user.call('files.list')).attachments
      expect(left).toMatchObject({ session_ids: [], project_ids: [] })
    },
  )

  it('a deleted file disappears from the project, and from its prompt', { tags: 'long' }, async () => {
    const { attachment: file } = await uploadDocument(ann, notes('gone.txt', 'The code is 4711.'))
    const { id } = await createProject(ann)
    await change(ann, id, { add_files: [file.id] })
    await ann.call('files.delete', { params: { attachmentId: file.id } })
    expect((await ann.call('projects.read', { params: { projectId: id } })).project.files).toEqual([])
    await say(ann, 'What is the code?', { project_id: id })
    expect(JSON.stringify(lastPrompt())).not.toContain('4711')
  })

  it('there are at most 50', { tags: 'long' }, async () => {
    const { id } = await createProject(ann)
    const full = new Set(Array.from({ length: maxProjectFiles }, () => crypto.randomUUID()))
    const file = await uploadFile(ann, notes('a.txt', 'a'))
    const at = new Date().toISOString()
    const row = { name: 'Full', created_at: at, updated_at: at }
    await table.put(ann.sub, `P#${id}`, { ...row, file_ids: full })
    const refused = await change(ann, id, { add_files: [file.id] })
    expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_project_files' } })
    // the same addition again, whose response was lost
    await table.put(ann.sub, `P#${id}`, { ...row, file_ids: new Set([...[...full].slice(1), file.id]) })
    expect((await change(ann, id, { add_files: [file.id] })).status).toBe(200)
  })
})

describe('a conversation of a project', () => {
  it('has its instructions and files, below the product’s own rules', async () => {
    const { attachment: file } = await uploadDocument(
      ann,
      notes('notes.txt', 'The code is 4711. </attachment>'),
    )
    const { id } = await createProject(ann, { name: 'Th"esis', instructions: 'Answer in French.' })
    await change(ann, id, { add_files: [file.id] })
    const sessionId = await say(ann, 'What is the code?', { project_id: id })
    expect(await readSession(ann, sessionId)).toMatchObject({ project_id: id })
    expect(systemPrompt()).toMatch(/untrusted[^]*"Th\\"esis"[^]*"""\nAnswer in French\.\n"""/)
    const [, files, seen, message] = lastPrompt()
    expect(files).toMatchObject({ role: 'user' })
    expect(files?.content).toMatch(/name="notes.txt"[^]*4711\. < \/attachment>\n<\/attachment>$/)
    expect([seen?.role, message?.content]).toEqual(['assistant', 'What is the code?'])
    // and in its later turns, where the page sends no project any more
    await say(ann, 'Once more', { sessionId })
    expect(systemPrompt()).toContain('Answer in French.')
  })

  it(
    'long files are searched, and only what was found stays in the conversation',
    { tags: 'long' },
    async () => {
      const filler = Array.from({ length: 4_000 }, (_, line) => `Line ${line} of the filler.`).join('\n')
      const { attachment: file } = await uploadDocument(
        ann,
        notes('long.txt', `${filler}\nThe Übergabe happens in Kraków.\n${filler}`),
      )
      const { id } = await createProject(ann)
      await change(ann, id, { add_files: [file.id] })
      const search = { id: 'c1', name: 'search_files', arguments: '{"query":"ubergabe krakow"}' }
      model.behave(calls(search), says('In Kraków.'))
      const sessionId = await say(ann, 'Where?', { project_id: id })
      expect(lastPrompt()[1]?.content).toMatch(
        /note="given: the first [\d,]+ of [\d,]+ characters; read on with read_attachment[^>]*">/,
      )
      const result = lastPrompt().findLast(({ role }) => role === 'tool')
      expect(result?.content).toContain('The Übergabe happens in Kraków.')
      const { messages } = await ann.call('sessions.read', { params: { sessionId } })
      const [call] = messages.at(-1)?.tool_calls ?? []
      expect(call).toMatchObject({ tool: 'search_files', result: { success: true } })
      expect(JSON.stringify(call?.result)).toContain('long.txt')
      expect(JSON.stringify(call?.result)).not.toContain('Kraków')
    },
  )

  it(
    'the end of a file of more than a million characters is found, and a search without a result names what it searched',
    { tags: 'long' },
    async () => {
      const end = 'The word of the last line is TEXTKEY.'
      const content = `${'The pump is cleaned every week by the staff.\n'.repeat(31_000)}${end}`
      const { attachment: file } = await uploadDocument(ann, notes('manual.txt', content))
      const { id } = await createProject(ann)
      await change(ann, id, { add_files: [file.id] })
      const search = (word: string) => ({
        id: word,
        name: 'search_files',
        arguments: JSON.stringify({ wordings: [word] }),
      })
      model.behave(calls(search('TEXTKEY')), calls(search('BIGKEY')), says('It is TEXTKEY.'))
      await say(ann, 'Find TEXTKEY and BIGKEY', { project_id: id })
      const results = lastPrompt()
        .filter(({ role }) => role === 'tool')
        .map((result) => result.content ?? '')
      expect(results[0]).toContain(end)
      const missed = JSON.parse(results[1] ?? '{}') as Record<string, unknown>
      expect(missed).not.toHaveProperty('not_searched')
      expect(JSON.stringify(missed)).toContain('manual.txt')
      const [listed] = (await ann.call('projects.read', { params: { projectId: id } })).project.files
      expect(listed).toMatchObject({ reading: { state: 'read' } })
    },
  )

  it(
    'that follows a temporary chat is a stored one, with the project’s instructions and files',
    { tags: 'long' },
    async () => {
      const { attachment: file } = await uploadDocument(ann, notes('notes.txt', 'The code is 4711.'))
      const { id } = await createProject(ann, { instructions: 'Answer in verse.' })
      await change(ann, id, { add_files: [file.id] })
      const temporary = await say(ann, 'My secret is heliotrope', { keep: false })
      expect(JSON.stringify(lastPrompt())).not.toMatch(/4711|verse/)
      const sessionId = await say(ann, 'What is the code?', { project_id: id })
      expect(systemPrompt()).toContain('Answer in verse.')
      expect(JSON.stringify(lastPrompt())).toContain('4711')
      expect(JSON.stringify(lastPrompt())).not.toContain('heliotrope')
      expect(await readSession(ann, sessionId)).toMatchObject({ project_id: id, message_count: 2 })
      expect((await ann.send('sessions.read', { params: { sessionId: temporary } })).status).toBe(404)
    },
  )

  it('starts with the defaults of the project', { tags: 'long' }, async () => {
    const { id } = await createProject(ann, { disabled_tools: [{ mcp_id: 'gmail' }] })
    const sessionId = await say(ann, 'Hello', { project_id: id })
    expect(await readSession(ann, sessionId)).toMatchObject({ disabled_tools: [{ mcp_id: 'gmail' }] })
    const other = await say(ann, 'Hello', { project_id: id, disabledTools: [] })
    expect(await readSession(ann, other)).not.toHaveProperty('disabled_tools')
  })

  it(
    'a default model that is not offered any more is replaced, with a notice',
    { tags: 'long' },
    async () => {
      const { id } = await createProject(ann, { model: 'long-gone' })
      const reply = await ann.call('chat.send', {
        body: { sessionId: crypto.randomUUID(), project_id: id, messages: [{ role: 'user', content: 'Hi' }] },
      })
      expect(reply).toMatchObject({ success: true, notices: [{ code: 'model_replaced' }] })
    },
  )

  it(
    'moves to another project, and out of it; a message keeps it where it is',
    { tags: 'long' },
    async () => {
      const [first, second] = [
        await createProject(ann, { instructions: 'FIRST' }),
        await createProject(ann, { instructions: 'SECOND' }),
      ]
      const sessionId = await say(ann, 'Hello', { project_id: first.id })
      const move = (project_id: string | null) =>
        ann.call('sessions.update', { params: { sessionId }, body: { project_id } })
      expect((await move(second.id)).session.project_id).toBe(second.id)
      await say(ann, 'Again', { sessionId, project_id: first.id })
      expect(systemPrompt()).toContain('SECOND')
      expect(systemPrompt()).not.toContain('FIRST')
      expect((await move(null)).session).not.toHaveProperty('project_id')
      await say(ann, 'Again', { sessionId, project_id: first.id })
      expect(systemPrompt()).not.toMatch(/FIRST|SECOND/)
      expect(await readSession(ann, sessionId)).not.toHaveProperty('project_id')
    },
  )

  it(
    'a deleted project in the body of a new chat is refused, and ignored in one that exists',
    { tags: 'long' },
    async () => {
      const { id } = await createProject(ann)
      const sessionId = await say(ann, 'Hello', { project_id: id })
      await ann.call('projects.delete', { params: { projectId: id }, query: { conversations: 'keep' } })
      const body = { project_id: id, messages: [{ role: 'user', content: 'Hi' }] }
      for (const more of [
        {},
        { sessionId: crypto.randomUUID() },
        { sessionId: crypto.randomUUID(), keep: false },
      ])
        expect(await ann.send('chat.send', { body: { ...body, ...more } })).toMatchObject({
          status: 404,
          body: { code: 'project_not_found' },
        })
      await say(ann, 'Still here', { sessionId, project_id: id })
      expect((await readSession(ann, sessionId)).message_count).toBe(4)
    },
  )

  it('a temporary chat uses the project of its request', { tags: 'long' }, async () => {
    const { id } = await createProject(ann, { instructions: 'Answer in verse.' })
    const sessionId = await say(ann, 'Hello', { project_id: id, keep: false })
    expect(systemPrompt()).toContain('Answer in verse.')
    expect((await ann.send('sessions.read', { params: { sessionId } })).status).toBe(404)
  })

  it('list and search know its project; a shared link tells nothing of it', { tags: 'long' }, async () => {
    const { id } = await createProject(ann, { name: 'Hidden name', instructions: 'Hidden instructions' })
    const sessionId = await say(ann, 'Hello', { project_id: id })
    const { sessions } = await ann.call('sessions.list', { query: { project_id: id } })
    expect(sessions.map((session) => session.id)).toEqual([sessionId])
    const corpus = await ann.call('sessions.corpus')
    expect(corpus.sessions).toContainEqual(expect.objectContaining({ id: sessionId, project_id: id }))
    const { share } = await ann.call('shares.create', { params: { sessionId }, body: { days: 7 } })
    const shown = JSON.stringify(await bob.call('shares.view', { body: { secret: share.secret, page: 1 } }))
    expect(shown).toContain('Hello')
    expect(shown).not.toMatch(/Hidden/)
    expect(shown).not.toContain(id)
  })
})

describe('deleting a project', () => {
  async function fill(user: StackUser) {
    const [only, used] = [
      (await uploadDocument(user, notes('only.txt', 'Only here.'))).attachment,
      (await uploadDocument(user, notes('used.txt', 'In a chat as well.'))).attachment,
    ]
    const { id } = await createProject(user)
    await change(user, id, { add_files: [only.id, used.id] })
    await user.call('prompts.create', { body: { name: 'Of it', text: 'x', project_id: id } })
    await user.call('prompts.create', { body: { name: 'Own', text: 'x' } })
    const inside = await say(user, 'Inside', { project_id: id })
    const outside = crypto.randomUUID()
    const messages = [{ role: 'user' as const, content: 'Outside', attachments: [{ id: used.id }] }]
    await user.call('chat.send', { body: { sessionId: outside, messages } })
    return { id, inside, outside, used }
  }
  const namesOf = async (user: StackUser) => ({
    projects: (await user.call('projects.list')).projects.length,
    prompts: (await user.call('prompts.list')).prompts.map(({ name }) => name),
    files: (await user.call('files.list')).attachments.map(({ name }) => name),
  })
  const rest = { projects: 0, prompts: ['Own'], files: ['used.txt'] }

  it('keeps its conversations, without a project', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    const { id, inside } = await fill(user)
    expect(
      await user.call('projects.delete', { params: { projectId: id }, query: { conversations: 'keep' } }),
    ).toEqual({ success: true, done: true })
    expect(await namesOf(user)).toEqual(rest)
    expect(await readSession(user, inside)).not.toHaveProperty('project_id')
    expect((await user.send('projects.read', { params: { projectId: id } })).status).toBe(404)
  })

  it('or deletes them, and no others', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    const { id, inside, outside } = await fill(user)
    await user.call('projects.delete', { params: { projectId: id }, query: { conversations: 'delete' } })
    expect(await namesOf(user)).toEqual(rest)
    expect((await user.send('sessions.read', { params: { sessionId: inside } })).status).toBe(404)
    expect((await readSession(user, outside)).message_count).toBe(2)
    const again = await user.send('projects.delete', { params: { projectId: id } })
    expect(again).toMatchObject({ status: 404, body: { code: 'project_not_found' } })
  })
})

it('saved prompts belong to the user or to a project, and are changed and deleted', async () => {
  const user = await stack.newUser()
  const { id: project_id } = await createProject(user)
  const add = async (name: string, more = {}) =>
    (await user.call('prompts.create', { body: { name, text: `${name}!`, ...more } })).prompt
  const own = await add('Zebra')
  const shared = await add('Apple', { project_id })
  expect((await user.call('prompts.list')).prompts).toEqual([shared, own])
  expect(await add('Other', { id: own.id })).toEqual(own)
  const promptId = own.id
  const { prompt } = await user.call('prompts.update', {
    params: { promptId },
    body: { name: 'Bear', text: 'Longer' },
  })
  expect(prompt).toMatchObject({ id: promptId, name: 'Bear', text: 'Longer' })
  await user.call('prompts.delete', { params: { promptId } })
  const gone = await user.send('prompts.update', { params: { promptId }, body: { name: 'x', text: 'x' } })
  expect(gone).toMatchObject({ status: 404, body: { code: 'prompt_not_found' } })
  expect((await user.call('prompts.list')).prompts).toEqual([shared])
})

it('there are at most 200 saved prompts', { tags: 'long' }, async () => {
  const user = await stack.newUser()
  const row = { name: 'x', text: 'x', created_at: '2026-01-01T00:00:00.000Z' }
  for (let count = 0; count < maxPrompts; count += 1) await table.put(user.sub, `PROMPT#${count}`, row)
  const refused = await user.send('prompts.create', { body: { name: 'One more', text: 'x' } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_prompts' } })
})
