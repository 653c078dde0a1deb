import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { importSource } from '#shared/contracts/imports.ts'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())

type Body = RouteRequest<'imports.add'>
type Conversation = Body['conversations'][number]

const at = (minute: number) => new Date(Date.parse('2024-03-01T12:00:00Z') + minute * 60_000).toISOString()

/** A conversation of two turns. */
const aConversation = (changes: Partial<Conversation> = {}): Conversation => ({
  source_id: 'c1',
  title: 'Eggs <b>',
  created_at: at(0),
  updated_at: at(9),
  turns: 2,
  message_count: 4,
  messages: [
    { turn: 1, role: 'user', content: 'How long?', created_at: at(0) },
    { turn: 1, role: 'assistant', content: 'Six minutes.', created_at: at(1) },
    { turn: 2, role: 'user', content: 'And hard?', created_at: at(8) },
    { turn: 2, role: 'assistant', content: 'Ten.', created_at: at(9) },
  ],
  complete: true,
  ...changes,
})
const add = (user: InProcessUser, importId: string, ...conversations: Conversation[]) =>
  user
    .call('imports.add', { body: { import_id: importId, source: 'chatgpt', conversations } })
    .then((response) => response.conversations.map(({ state }) => state))
const list = async (user: InProcessUser) => (await user.call('sessions.list')).sessions
const read = (user: InProcessUser, sessionId: string) => user.call('sessions.read', { params: { sessionId } })

/** Two answers to the first question, and a second question after the first of them, which is shown. */
const branched = aConversation({
  turns: 3,
  forks: [{ turn: 3, version_of: 1 }],
  head: 2,
  messages: [
    ...aConversation().messages,
    { turn: 3, role: 'user', content: 'How long?', created_at: at(0) },
    { turn: 3, role: 'assistant', content: 'It depends.', created_at: at(2) },
  ],
})

describe('an import', () => {
  it('stores conversations with their titles, dates and messages, and can be repeated', async () => {
    const user = await backend.newUser()
    const [first, second] = [randomUUID(), randomUUID()]
    expect(await add(user, first, aConversation())).toEqual(['imported'])
    expect(await add(user, first, aConversation())).toEqual(['imported'])
    expect(await add(user, second, aConversation({ title: 'Other' }))).toEqual(['existing'])
    const [session, ...others] = await list(user)
    expect(others).toEqual([])
    expect(session).toMatchObject({
      title: 'Eggs <b>',
      created_at: at(0),
      updated_at: at(9),
      message_count: 4,
    })
    const { messages, run } = await read(user, session?.id ?? '')
    expect(messages.map(({ role, content, created_at }) => [role, content, created_at])).toEqual([
      ['user', 'How long?', at(0)],
      ['assistant', 'Six minutes.', at(1)],
      ['user', 'And hard?', at(8)],
      ['assistant', 'Ten.', at(9)],
    ])
    expect(run).toBeNull()
  })

  it('keeps the calls of a reply, and takes no app, no questions and no call of a user', async () => {
    const user = await backend.newUser()
    const call = {
      tool: 'asana.create_task',
      action: 'Create \ud800',
      integration: 'Asana',
      parameters: { name: 'Call \ud800', tags: [null, 1] },
      result: { success: true, data: { id: 1 } },
    }
    const [question, reply] = aConversation().messages
    const withCalls = (changes: object) =>
      aConversation({
        turns: 1,
        message_count: 2,
        messages: [
          { ...question!, tool_calls: [call] },
          { ...reply!, tool_calls: [{ ...call, ...changes }] },
        ],
      })
    expect(await add(user, randomUUID(), withCalls({}))).toEqual(['imported'])
    const { messages } = await read(user, (await list(user))[0]?.id ?? '')
    expect(messages.map(({ tool_calls: calls }) => calls)).toEqual([
      [],
      [{ ...call, action: 'Create \ufffd', parameters: { name: 'Call \ufffd', tags: [null, 1] } }],
    ])
    for (const refused of [
      { elicited: [] },
      { result: { success: true, app: { mcp_id: 'm1' } } },
      { result: { success: true, data: 'x'.repeat(130_000) } },
    ])
      await expect(add(user, randomUUID(), withCalls(refused))).rejects.toThrow('answered 400')
  })

  it('keeps what was archived, and gives ids that no import repeats', async () => {
    const user = await backend.newUser()
    const archived = aConversation({ archived: true })
    const other = aConversation({ source_id: 'c2' })
    expect(await add(user, randomUUID(), archived, other)).toEqual(['imported', 'imported'])
    const listArchived = async () =>
      (await user.call('sessions.list', { query: { view: 'archived' } })).sessions
    const [session] = await listArchived()
    expect(session).toMatchObject({ title: 'Eggs <b>', archived: true })
    const ids = [session, ...(await list(user))].map((one) => one?.id ?? '')
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(new Set(ids.map((id) => id.slice(0, 23))).size).toBe(2)
    await user.call('sessions.delete', { params: { sessionId: ids[0] ?? '' } })
    expect(await add(user, randomUUID(), archived)).toEqual(['imported'])
    const [again] = await listArchived()
    expect(again?.id).not.toBe(ids[0])
    expect(again?.id.slice(0, 23)).toBe(ids[0]?.slice(0, 23))
  })

  it('stores branches, of which the page shows one and finds the others', async () => {
    const user = await backend.newUser()
    await add(user, randomUUID(), branched)
    const [session] = await list(user)
    const { messages } = await read(user, session?.id ?? '')
    expect(messages.map(({ content, versions }) => [content, versions])).toEqual([
      ['How long?', { shown: 1, count: 2 }],
      ['Six minutes.', undefined],
      ['And hard?', undefined],
      ['Ten.', undefined],
    ])
    const other = await user.call('sessions.showVersion', {
      params: { sessionId: session?.id ?? '' },
      body: { message_id: messages[0]?.id ?? '', version: 2 },
    })
    expect(other.messages.map(({ content }) => content)).toEqual(['How long?', 'It depends.'])
    expect(other.session.message_count).toBe(2)
  })

  it('lists a conversation of several requests when the last one has come', async () => {
    const user = await backend.newUser()
    const importId = randomUUID()
    const { messages } = aConversation()
    expect(
      await add(user, importId, aConversation({ messages: messages.slice(0, 2), complete: false })),
    ).toEqual(['open'])
    expect(await list(user)).toEqual([])
    expect((await user.call('imports.list')).imports).toMatchObject([{ id: importId, conversations: 0 }])
    await add(user, importId, aConversation({ messages: messages.slice(2) }))
    const [session] = await list(user)
    expect((await read(user, session?.id ?? '')).messages).toHaveLength(4)
  })

  it('begins again with what an interrupted import left', async () => {
    const user = await backend.newUser()
    const longer = aConversation({
      turns: 3,
      messages: [{ turn: 3, role: 'user', content: 'left over', created_at: at(10) }],
      complete: false,
    })
    await add(user, randomUUID(), longer)
    expect(await add(user, randomUUID(), aConversation())).toEqual(['imported'])
    const [session, ...others] = await list(user)
    expect(others).toEqual([])
    const { messages } = await read(user, session?.id ?? '')
    expect(messages.map(({ content }) => content)).not.toContain('left over')
  })

  it('stores no later part of a conversation that another import has taken over', async () => {
    const user = await backend.newUser()
    const [first, second] = [randomUUID(), randomUUID()]
    const { messages } = aConversation()
    await add(user, first, aConversation({ messages: messages.slice(0, 2), complete: false }))
    await add(user, second, aConversation({ messages: messages.slice(0, 1), complete: false }))
    const rest = { messages: messages.slice(2), continues: true }
    expect(await add(user, first, aConversation(rest))).toEqual(['existing'])
    expect(await add(user, second, aConversation({ ...rest, messages: messages.slice(1) }))).toEqual([
      'imported',
    ])
    const [session] = await list(user)
    expect((await read(user, session?.id ?? '')).messages).toHaveLength(4)
  })

  it('in two tabs at once stores a conversation once', async () => {
    const user = await backend.newUser()
    const states = await Promise.all([
      add(user, randomUUID(), aConversation()),
      add(user, randomUUID(), aConversation()),
    ])
    expect(states.flat()).toContain('imported')
    const sessions = await list(user)
    expect(sessions).toHaveLength(1)
    expect((await read(user, sessions[0]?.id ?? '')).messages).toHaveLength(4)
  })

  it('attaches only finished uploads of the caller, and deletes them with an undo', async () => {
    const [user, other] = [await backend.newUser(), await backend.newUser()]
    const put = (sub: string, id: string, state: 'ready' | 'incoming') =>
      backend.attached.files.put(sub, {
        id,
        name: 'cat.png',
        type: 'image/png',
        size: 3,
        state,
        created_at: at(0),
      })
    await put(user.sub, 'mine', 'ready')
    await put(user.sub, 'unfinished', 'incoming')
    await put(other.sub, 'theirs', 'ready')
    const importId = randomUUID()
    const messages = aConversation().messages.map((message) => ({
      ...message,
      attachment_ids: ['theirs', 'mine', 'unfinished', 'none'],
    }))
    await add(user, importId, aConversation({ messages }))
    const [session] = await list(user)
    expect((await read(user, session?.id ?? '')).messages[0]?.attachments.map(({ id }) => id)).toEqual([
      'mine',
    ])
    await user.call('imports.undo', { params: { importId } })
    expect((await backend.attached.files.listAll(user.sub)).map(({ id }) => id)).toEqual(['unfinished'])
    expect(await backend.attached.files.listAll(other.sub)).toHaveLength(1)
  })

  it.each<[string, Partial<Conversation>]>([
    [
      'a fork of a fork',
      {
        turns: 3,
        forks: [
          { turn: 2, version_of: 1 },
          { turn: 3, version_of: 2 },
        ],
      },
    ],
    ['a fork of itself', { forks: [{ turn: 2, version_of: 2 }] }],
    [
      'forks in another order',
      {
        turns: 3,
        forks: [
          { turn: 3, version_of: 1 },
          { turn: 2, version_of: 1 },
        ],
      },
    ],
    ['a turn beyond the last one', { turns: 1 }],
    ['a head beyond the last turn', { head: 3 }],
    ['no title', { title: ' ' }],
    ['a time that is none', { created_at: 'yesterday' }],
  ])('rejects %s', async (_, changes) => {
    const user = await backend.newUser()
    const response = await user.send('imports.add', {
      body: { import_id: randomUUID(), source: 'claude', conversations: [aConversation(changes)] },
    })
    expect(response.status).toBe(400)
    expect(await list(user)).toEqual([])
  })
})

it('counts requests against a budget of the day', async () => {
  const user = await backend.newUser()
  await backend.putRow({
    PK: `RATE#${user.sub}`,
    SK: `imports#${Math.floor(Date.now() / 86_400_000) * 86_400}`,
    calls: 1_000_000,
  })
  const response = await user.send('imports.add', {
    body: { import_id: randomUUID(), source: 'claude', conversations: [aConversation()] },
  })
  expect(response).toMatchObject({ status: 429, body: { code: 'too_many_imports_today' } })
})

it.each(importSource.options)(
  'no date of an import of %s is later than the import: a wrong clock would keep it on top',
  async (source) => {
    const user = await backend.newUser()
    const years = (count: number) => new Date(Date.now() + count * 31_536_000_000).toISOString()
    const conversation = aConversation({
      updated_at: years(2),
      messages: aConversation().messages.map((one) =>
        one.turn === 2 ? { ...one, created_at: years(one.role === 'user' ? 1 : 2) } : one,
      ),
    })
    const send = async (changes: Partial<Conversation> = {}) => {
      const body = {
        import_id: randomUUID(),
        source,
        conversations: [{ ...conversation, ...changes }],
      }
      return (await user.call('imports.add', { body })).conversations[0]
    }
    expect(await send()).toMatchObject({ state: 'imported' })
    const importedBy = new Date().toISOString()
    const [session] = await list(user)
    expect(session?.created_at).toBe(at(0))
    expect(session && session.updated_at <= importedBy).toBe(true)
    const times = (await read(user, session?.id ?? '')).messages.map(({ created_at: time }) => time)
    expect(times.slice(0, 2)).toEqual([at(0), at(1)])
    expect(times.every((time) => time <= importedBy)).toBe(true)
    // the same export brings nothing twice
    expect((await send())?.state).toBe('existing')
    expect(await send({ known_turns: [{ turn: 1, user_at: at(0), reply_at: at(1) }] })).toMatchObject({
      state: 'extended',
      added: 0,
    })
    expect(await list(user)).toMatchObject([{ updated_at: session?.updated_at, message_count: 4 }])
  },
)

describe('undoing an import', () => {
  it('deletes its conversations and nothing else, and lets them be imported again', async () => {
    const user = await backend.newUser()
    const [first, second] = [randomUUID(), randomUUID()]
    await add(user, first, aConversation(), aConversation({ source_id: 'c2', title: 'Ham' }))
    await add(user, second, aConversation({ source_id: 'c3', title: 'Kept' }))
    expect(
      (await user.call('imports.list')).imports.map(({ id, conversations }) => [id, conversations]),
    ).toEqual([
      [second, 1],
      [first, 2],
    ])
    expect(await user.call('imports.undo', { params: { importId: first } })).toMatchObject({
      deleted: 2,
      remaining: 0,
    })
    expect((await list(user)).map(({ title }) => title)).toEqual(['Kept'])
    expect((await user.call('imports.list')).imports.map(({ id }) => id)).toEqual([second])
    expect(await user.call('imports.undo', { params: { importId: first } })).toMatchObject({ deleted: 0 })
    expect(await add(user, randomUUID(), aConversation())).toEqual(['imported'])
    expect((await list(user)).map(({ title }) => title).sort()).toEqual(['Eggs <b>', 'Kept'])
  })

  it('reaches nothing of another user', async () => {
    const [user, other] = [await backend.newUser(), await backend.newUser()]
    const importId = randomUUID()
    await add(user, importId, aConversation())
    expect(await other.call('imports.undo', { params: { importId } })).toMatchObject({ deleted: 0 })
    expect((await other.call('imports.list')).imports).toEqual([])
    expect(await list(user)).toHaveLength(1)
  })
})

it('an imported conversation says which turn is its newest, and names its messages', async () => {
  const user = await backend.newUser()
  const findRun = async (sourceId: string, conversation: Conversation) => {
    await add(user, randomUUID(), conversation)
    const session = (await list(user)).find(({ title }) => title === sourceId)
    const id = session?.id ?? ''
    return { run: await backend.stores.runs.find(user.sub, id), messages: (await read(user, id)).messages }
  }
  const whole = await findRun('one', aConversation({ source_id: 'one', title: 'one' }))
  expect(whole.run).toMatchObject({ turn: 2, status: 'done', isSaved: true })
  expect(whole.run).not.toHaveProperty('branches')
  expect([whole.run?.messageId, whole.run?.replyId]).toEqual(whole.messages.slice(2).map(({ id }) => id))
  const forks = [{ turn: 3, versionOf: 1 }]
  const other = await findRun('two', { ...branched, source_id: 'two', title: 'two' })
  expect(other.run?.branches).toEqual({ forks, head: 2 })
  const newest = await findRun('three', { ...branched, head: 3, source_id: 'three', title: 'three' })
  expect(newest.run?.branches).toEqual({ forks })
  const open = await findRun('four', { ...branched, head: undefined, source_id: 'four', title: 'four' })
  expect(open.run?.branches).toEqual({ forks })
})

it('a request may have a message twice, of which the last counts', async () => {
  const user = await backend.newUser()
  const { messages } = aConversation()
  const [first] = messages
  const twice = [...messages, ...(first ? [{ ...first, content: 'How long, please?' }] : [])]
  expect(await add(user, randomUUID(), aConversation({ messages: twice }))).toEqual(['imported'])
  const [session] = await list(user)
  const stored = (await read(user, session?.id ?? '')).messages
  expect(stored.map(({ content }) => content)).toEqual([
    'How long, please?',
    'Six minutes.',
    'And hard?',
    'Ten.',
  ])
})

it('many conversations and messages are stored in their order', async () => {
  const user = await backend.newUser()
  const buildConversation = (index: number) => {
    const turns = index === 0 ? 120 : 2
    const messages = Array.from({ length: turns }, (_, turn) => ({
      turn: turn + 1,
      role: 'user' as const,
      content: `no ${index} ${turn}`,
      created_at: at(turn),
    }))
    const title = `t${index}`
    return aConversation({ source_id: `c${index}`, title, turns, message_count: turns, messages })
  }
  const many = Array.from({ length: 9 }, (_, index) => buildConversation(index))
  const { conversations } = await user.call('imports.add', {
    body: { import_id: randomUUID(), source: 'claude', conversations: many },
  })
  expect(conversations).toEqual(many.map(({ source_id }) => ({ source_id, state: 'imported' })))
  const sessions = await list(user)
  expect(sessions).toHaveLength(9)
  for (const { id, title } of sessions) {
    const stored = await backend.stores.messages.loadContents(user.sub, id)
    const imported = many.find((one) => one.title === title)
    expect(stored).toEqual(imported?.messages.map(({ content }) => content))
  }
})

it('imports are listed from the newest, each since its first conversation, without what was deleted', async () => {
  const user = await backend.newUser()
  const [first, second] = [randomUUID(), randomUUID()]
  const before = Date.now()
  await add(user, first, aConversation())
  const between = Date.now()
  await add(user, second, aConversation({ source_id: 'c2', title: 'Ham' }))
  await add(user, first, aConversation({ source_id: 'c3', title: 'Rye' }))
  const { imports } = await user.call('imports.list')
  expect(imports.map(({ id, source, conversations }) => [id, source, conversations])).toEqual([
    [second, 'chatgpt', 1],
    [first, 'chatgpt', 2],
  ])
  const importedAt = Date.parse(imports[1]?.imported_at ?? '')
  expect(importedAt).toBeGreaterThanOrEqual(before)
  expect(importedAt).toBeLessThanOrEqual(between)
  const ham = (await list(user)).find(({ title }) => title === 'Ham')
  await user.call('sessions.delete', { params: { sessionId: ham?.id ?? '' } })
  expect((await user.call('imports.list')).imports.map(({ id }) => id)).toEqual([first])
})

// found by fuzzing: the whole request ended in a 500
it.each([
  ['a number that the table does not take', { amount: 5.3e301 }],
  ['a name that is empty', { '': 'a' }],
  ['a name of each object', { constructor: 2 }],
  ['half of a character', { text: '\ud83d' }],
])('a call with %s is imported, as text where it has to be', async (_, value) => {
  const user = await backend.newUser()
  const call = {
    tool: 'search',
    action: '',
    integration: 'Web',
    parameters: { ...value },
    result: { success: true, data: value },
  }
  const conversation = aConversation({
    messages: [
      { turn: 1, role: 'user', content: 'How long?', created_at: at(0) },
      { turn: 1, role: 'assistant', content: 'Six minutes.', created_at: at(1), tool_calls: [call] },
    ],
    turns: 1,
    message_count: 2,
  })
  expect(await add(user, randomUUID(), conversation)).toEqual(['imported'])
  const [session] = await list(user)
  const { messages } = await read(user, session?.id ?? '')
  expect(messages[1]?.tool_calls[0]).toMatchObject({ tool: 'search', result: { success: true } })
  const stored = JSON.stringify(messages[1]?.tool_calls[0]?.result.data)
  expect(stored).toContain(JSON.stringify(Object.keys(value)[0]).slice(1, -1))
})
