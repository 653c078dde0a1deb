import type { SessionChanges } from '#shared/contracts/sessions.ts'
import { putObject } from '../platform/s3/object-writer.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { aMessage, aRun } from '../../test/support/conversations.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { originalKey } from '../files/file-links.ts'
import type { StoredMessage } from './store/message-row.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())

const minutesIn = (minute: number) =>
  new Date(Date.parse('2026-03-01T12:00:00Z') + minute * 60_000).toISOString()
const notFound = {
  status: 404,
  body: {
    code: 'session_not_found',
    error: 'This conversation does not exist, or it was deleted.',
  },
}

/** Stores a conversation whose turns are a minute apart, each a question with its reply. */
async function storeConversation(
  { sub }: InProcessUser,
  {
    id = 's1',
    title = 'Eggs',
    turns = [['Hello', 'Hi!']],
  }: {
    id?: string
    title?: string
    turns?: readonly (readonly [string, string])[]
  } = {},
) {
  for (const [index, [question, reply]] of turns.entries()) {
    const message = { session_id: id, turn: index + 1, created_at: minutesIn(index) }
    const put = (changes: Partial<StoredMessage>) =>
      backend.stores.messages.put(sub, aMessage({ ...message, ...changes }), 1)
    await put({ id: `m${index + 1}`, content: question })
    await put({ id: `r${index + 1}`, content: reply, role: 'assistant', kind: 'reply' })
  }
  const activity = {
    title,
    addedMessages: turns.length * 2,
    at: minutesIn(turns.length - 1),
    replacesTitle: false,
  }
  await backend.stores.conversations.upsert(sub, id, activity)
}
const params = { sessionId: 's1' }

describe('the list', () => {
  it('has only the caller’s conversations that have content, newest first', async () => {
    const [user, other] = [await backend.newUser(), await backend.newUser()]
    await storeConversation(user, { id: 'old', title: 'Old' })
    await storeConversation(user, {
      id: 'new',
      title: 'New',
      turns: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    })
    await backend.stores.conversations.upsert(user.sub, 'empty', {
      title: 'Empty',
      addedMessages: 0,
      at: minutesIn(9),
      replacesTitle: false,
    })
    await storeConversation(user, { id: 'gone' })
    await user.call('sessions.delete', { params: { sessionId: 'gone' } })
    expect((await user.call('sessions.list')).sessions).toEqual([
      {
        id: 'new',
        user_id: user.sub,
        title: 'New',
        created_at: minutesIn(1),
        updated_at: minutesIn(1),
        message_count: 4,
      },
      {
        id: 'old',
        user_id: user.sub,
        title: 'Old',
        created_at: minutesIn(0),
        updated_at: minutesIn(0),
        message_count: 2,
      },
    ])
    expect((await other.call('sessions.list')).sessions).toEqual([])
  })

  it('is read in pages', async () => {
    const user = await backend.newUser()
    for (const [index, id] of ['one', 'two', 'three'].entries())
      await backend.stores.conversations.upsert(user.sub, id, {
        title: id,
        addedMessages: 1,
        at: minutesIn(index),
        replacesTitle: false,
      })
    const first = await user.call('sessions.list', { query: { limit: 2 } })
    expect(first.sessions.map(({ id }) => id)).toEqual(['three', 'two'])
    expect(first.total).toBe(3)
    const rest = await user.call('sessions.list', { query: { limit: 2, cursor: first.next ?? '' } })
    expect(rest.sessions.map(({ id }) => id)).toEqual(['one'])
    expect(rest.next).toBeUndefined()
  })

  it.each([{ limit: '0' }, { limit: '501' }, { limit: 'many' }, { cursor: 'x' }])(
    'refuses %o',
    async (query) => {
      const user = await backend.newUser()
      expect(await user.send('sessions.list', { query })).toMatchObject({
        status: 400,
        body: { code: 'bad_request' },
      })
    },
  )
})

describe('a conversation', () => {
  it('is read with its own messages, in order', async () => {
    const user = await backend.newUser()
    await storeConversation(user)
    await storeConversation(user, { id: 's12' })
    const read = await user.call('sessions.read', { params })
    expect(read).toMatchObject({
      session: { id: 's1', user_id: user.sub, title: 'Eggs', message_count: 2 },
      earlier: null,
      run: null,
    })
    expect(read.messages).toEqual([
      {
        id: 'm1',
        session_id: 's1',
        role: 'user',
        content: 'Hello',
        attachments: [],
        tool_calls: [],
        created_at: minutesIn(0),
      },
      {
        id: 'r1',
        session_id: 's1',
        role: 'assistant',
        content: 'Hi!',
        attachments: [],
        tool_calls: [],
        created_at: minutesIn(0),
      },
    ])
  })

  it('that is long is read in pages, newest first, and each page has the cursor of the previous one', async () => {
    const user = await backend.newUser()
    // a quotation mark takes four bytes in a response, which is JSON within JSON
    const long = (letter: string) => letter + '"'.repeat(150_000)
    await storeConversation(user, {
      turns: [
        [long('a'), long('b')],
        [long('c'), long('d')],
        [long('e'), long('f')],
        [long('g'), long('h')],
      ],
    })
    const first = await user.call('sessions.read', { params })
    expect(first.messages.map(({ content }) => content[0]).join('')).toBe('cdefgh')
    expect(first.earlier).toBe('000002#1')
    const rest = await user.call('sessions.read', { params, query: { before: first.earlier ?? '' } })
    expect(rest.messages.map(({ content }) => content[0]).join('')).toBe('ab')
    expect(rest.earlier).toBeNull()
    // a page is not the whole conversation, so it does not correct the count
    expect(rest.session.message_count).toBe(8)
  })

  it.each(['000001', 'x', '000001#4', '#1'])('refuses the invalid cursor %s', async (before) => {
    const user = await backend.newUser()
    await storeConversation(user)
    expect(await user.send('sessions.read', { params, query: { before } })).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    })
  })

  it('has its count corrected when it is read after a crash, but not while a reply is being written', async () => {
    const user = await backend.newUser()
    await storeConversation(user)
    await backend.stores.conversations.recordActivity(user.sub, 's1', { addedMessages: 3, at: minutesIn(1) })
    const run = await backend.stores.runs.claim(aRun({ sub: user.sub, sessionId: 's1' }), undefined)
    expect((await user.call('sessions.read', { params })).session.message_count).toBe(5)
    await backend.stores.runs.end(run, 'done')
    expect((await user.call('sessions.read', { params })).session.message_count).toBe(2)
    expect((await user.call('sessions.list')).sessions[0]).toMatchObject({
      message_count: 2,
      updated_at: minutesIn(1),
    })
  })

  it('does not count blank messages, internal messages and the line after a stop', async () => {
    const user = await backend.newUser()
    await storeConversation(user, {
      turns: [
        ['Hello', ' '],
        ['__ASSISTANT_x', 'Generation stopped by user.'],
      ],
    })
    expect((await user.call('sessions.read', { params })).session.message_count).toBe(1)
  })

  it('has links to its files, except to deleted ones', async () => {
    const user = await backend.newUser()
    const file = { id: 'f1', name: 'cat.png', type: 'image/png', size: 3 }
    await backend.attached.files.put(user.sub, { ...file, state: 'ready', created_at: minutesIn(0) })
    const key = originalKey(user.sub, 'f1')
    await putObject(backend.attached.store, { key, body: Buffer.from('cat'), type: 'image/png' })
    await storeConversation(user)
    const attachments = [file, { ...file, id: 'gone' }]
    await backend.stores.messages.put(
      user.sub,
      aMessage({ session_id: 's1', attachments, created_at: minutesIn(0) }),
      1,
    )
    const [message] = (await user.call('sessions.read', { params })).messages
    const [there, gone] = message?.attachments ?? []
    expect(await (await fetch(there?.url ?? '')).text()).toBe('cat')
    expect(gone).toMatchObject({ id: 'gone' })
    expect(gone).not.toHaveProperty('url')
  })

  it('shows a run that is running or has failed, but none that is done', async () => {
    const user = await backend.newUser()
    await storeConversation(user)
    const run = await backend.stores.runs.claim(aRun({ sub: user.sub, sessionId: 's1' }), undefined)
    const readStatus = async () => (await user.call('sessions.read', { params })).run?.status
    expect(await readStatus()).toBe('running')
    await backend.stores.runs.end(run, 'failed', { error: 'Service error: no.' })
    expect((await user.call('sessions.read', { params })).run).toEqual({
      run_id: run.runId,
      status: 'failed',
      message_id: run.messageId,
      reply_id: run.replyId,
      error: 'Service error: no.',
      failed_at: expect.any(String) as string,
    })
    await backend.stores.runs.remove(user.sub, 's1')
    const done = await backend.stores.runs.claim(aRun({ sub: user.sub, sessionId: 's1' }), undefined)
    await backend.stores.runs.end(done, 'done')
    expect(await readStatus()).toBeUndefined()
  })
})

describe('a conversation’s title, pin and archiving', () => {
  it('the title can be changed, which does not change the order of the list', async () => {
    const user = await backend.newUser()
    await storeConversation(user)
    const { success, session } = await user.call('sessions.update', {
      params,
      body: { title: ' Breakfast ' },
    })
    expect([success, session]).toEqual([
      true,
      {
        id: 's1',
        user_id: user.sub,
        title: 'Breakfast',
        created_at: minutesIn(0),
        updated_at: minutesIn(0),
        message_count: 2,
      },
    ])
    expect((await user.call('sessions.list')).sessions[0]?.title).toBe('Breakfast')
  })

  it('the title can be changed together with pinning; pinning and archiving can be undone', async () => {
    const user = await backend.newUser()
    await storeConversation(user)
    const change = async (body: SessionChanges) =>
      (await user.call('sessions.update', { params, body })).session
    const before = (await user.call('sessions.list')).sessions[0]
    expect(await change({ pinned: true, title: 'Mine' })).toMatchObject({ pinned: true, title: 'Mine' })
    expect(await change({ archived: true })).toEqual({
      ...before,
      title: 'Mine',
      pinned: true,
      archived: true,
    })
    const listIds = async (view?: 'active' | 'archived') =>
      (await user.call('sessions.list', { ...(view && { query: { view } }) })).sessions.map(({ id }) => id)
    expect([await listIds(), await listIds('active'), await listIds('archived')]).toEqual([
      ['s1'],
      [],
      ['s1'],
    ])
    expect((await user.call('sessions.corpus', {})).sessions).toMatchObject([{ id: 's1', archived: true }])
    const file = await user.call('sessions.export', { params, query: { format: 'json' } })
    expect(JSON.parse(file.content)).toMatchObject({ pinned: true, archived: true })
    expect(await change({ pinned: false, archived: false })).toEqual({ ...before, title: 'Mine' })
    expect(
      JSON.parse((await user.call('sessions.export', { params, query: { format: 'json' } })).content),
    ).toMatchObject({
      pinned: false,
      archived: false,
    })
  })

  it.each([{}, { pinned: 'yes' }, { archived: null }, { color: 'red' }, { title: ' ' }])(
    'are not changed by %j',
    async (body) => {
      const user = await backend.newUser()
      await storeConversation(user)
      expect(await user.send('sessions.update', { params, body })).toMatchObject({ status: 400 })
    },
  )

  it('an archived conversation returns to the list with the next message, but not when a reply ends', async () => {
    const user = await backend.newUser()
    await storeConversation(user)
    await backend.stores.conversations.change(user.sub, 's1', { archived: true, pinned: true })
    await backend.stores.conversations.recordActivity(user.sub, 's1', { addedMessages: 1, at: minutesIn(2) })
    await backend.stores.conversations.setCount(user.sub, 's1', 2)
    expect(await backend.stores.conversations.find(user.sub, 's1')).toMatchObject({ archived: true })
    await backend.stores.conversations.upsert(user.sub, 's1', {
      title: 'T',
      addedMessages: 1,
      at: minutesIn(3),
      replacesTitle: false,
    })
    const found = await backend.stores.conversations.find(user.sub, 's1')
    expect(found).toMatchObject({ pinned: true, updated_at: minutesIn(3) })
    expect(found).not.toHaveProperty('archived')
  })

  it('a missing conversation is not found, and nothing is created', async () => {
    const user = await backend.newUser()
    expect(await user.send('sessions.update', { params, body: { title: 'Mine' } })).toMatchObject(notFound)
    expect(await backend.readRows(user)).toEqual([])
  })
})

describe('what is not the caller’s', () => {
  it.each(['sessions.read', 'sessions.export', 'sessions.delete', 'sessions.update'] as const)(
    'is not found by %s',
    async (route) => {
      const [owner, stranger] = [await backend.newUser(), await backend.newUser()]
      await storeConversation(owner)
      const call = { params, ...(route === 'sessions.update' && { body: { title: 'Mine' } }) }
      expect(await stranger.send(route, call)).toMatchObject(notFound)
      expect((await owner.call('sessions.read', { params })).session).toMatchObject({
        title: 'Eggs',
        message_count: 2,
      })
    },
  )
})

describe('a deletion', () => {
  it('leaves only the tombstone, which expires after a week', async () => {
    const user = await backend.newUser()
    await storeConversation(user)
    const run = await backend.stores.runs.claim(aRun({ sub: user.sub, sessionId: 's1' }), undefined)
    await backend.stores.logs.append(run, [{ from: 0, to: 2, textId: 't', text: 'Hi' }])
    expect(await user.call('sessions.delete', { params })).toEqual({ success: true })
    const [tombstone, ...others] = await backend.readRows(user)
    expect(others).toEqual([])
    expect(tombstone).toEqual({
      PK: `U#${user.sub}`,
      SK: 'S#s1',
      deleted_at: expect.any(String) as string,
      cleared: true,
      ttl: expect.any(Number) as number,
    })
    const lifetimeSeconds = Number(tombstone?.['ttl']) - Date.parse(String(tombstone?.['deleted_at'])) / 1_000
    expect(Math.round(lifetimeSeconds / 86_400)).toBe(7)
    expect(await user.send('sessions.read', { params })).toMatchObject(notFound)
    expect(await user.send('sessions.export', { params, query: { format: 'json' } })).toMatchObject(notFound)
    expect(await user.send('sessions.update', { params, body: { title: 'x' } })).toMatchObject(notFound)
    expect(await user.call('sessions.delete', { params })).toEqual({ success: true })
  })

  it('also deletes the files that no other conversation uses', async () => {
    const user = await backend.newUser()
    const file = {
      name: 'a.png',
      type: 'image/png',
      size: 1,
      state: 'ready' as const,
      created_at: minutesIn(0),
    }
    for (const [id, ...sessions] of [
      ['own', 's1'],
      ['shared', 's1', 's2'],
      ['other', 's2'],
    ] as const) {
      await backend.attached.files.put(user.sub, { ...file, id })
      for (const session of sessions) await backend.attached.files.addReference(user.sub, id, session)
    }
    await storeConversation(user)
    await user.call('sessions.delete', { params })
    const left = await backend.attached.files.listAll(user.sub)
    expect(Object.fromEntries(left.map(({ id, used_in }) => [id, [...(used_in ?? [])]]))).toEqual({
      other: ['s2'],
      shared: ['s2'],
    })
  })
})

describe('an export', () => {
  const exportPart = (user: InProcessUser, format: 'json' | 'markdown', after?: string) =>
    user.call('sessions.export', { params, query: { format, ...(after !== undefined && { after }) } })

  it('as Markdown has the title, messages with their authors and times, files, tools, and how a reply ended', async () => {
    const user = await backend.newUser()
    await storeConversation(user, { title: 'Eggs\n& more', turns: [['Hello', ' Hi! ']] })
    const put = (changes: Partial<StoredMessage>) =>
      backend.stores.messages.put(
        user.sub,
        aMessage({ session_id: 's1', created_at: minutesIn(5), turn: 2, ...changes }),
        1,
      )
    await put({
      content: '',
      attachments: [{ id: 'f', name: 'a\nb.pdf', type: 'application/pdf', size: 2_048 }],
    })
    await put({
      role: 'assistant',
      kind: 'reply',
      content: 'Half',
      ended: 'stopped',
      tool_calls: [
        { tool: 'find', action: 'Find', parameters: {}, result: { success: true } },
        { tool: 'send', action: 'Send', parameters: {}, result: { success: false, error: 'no' } },
      ],
    })
    expect(await exportPart(user, 'markdown')).toEqual({
      success: true,
      file_name: 'eggs-more.md',
      type: 'text/markdown',
      next: null,
      content: [
        '# Eggs & more',
        '',
        'Started 2026-03-01 12:00 UTC',
        '',
        '## You, 2026-03-01 12:00 UTC',
        '',
        'Hello',
        '',
        '## Assistant, 2026-03-01 12:00 UTC',
        '',
        'Hi!',
        '',
        '## You, 2026-03-01 12:05 UTC',
        '',
        '- Attached: a b.pdf (application/pdf, 2.0 KB)',
        '',
        '## Assistant, 2026-03-01 12:05 UTC',
        '',
        'Half',
        '',
        '- Used: find',
        '- Used: send (failed)',
        '- Generation stopped by user.',
        '',
      ].join('\n'),
    })
  })

  it.each([
    ['failed', 'ended by an error'],
    ['incomplete', 'incomplete'],
    ['interrupted', 'interrupted'],
  ] as const)('as Markdown says of a reply that is %s that it was %s', async (ended, words) => {
    const user = await backend.newUser()
    await storeConversation(user)
    const reply = { session_id: 's1', role: 'assistant', kind: 'reply', content: 'Half', ended } as const
    await backend.stores.messages.put(user.sub, aMessage(reply), 1)
    expect((await exportPart(user, 'markdown')).content).toContain(`\n- This reply was ${words}.\n`)
  })

  it('as JSON is the conversation with the messages that the page gets, and their turns', async () => {
    const user = await backend.newUser()
    await storeConversation(user)
    const file = await exportPart(user, 'json')
    expect([file.file_name, file.type]).toEqual(['eggs.json', 'application/json'])
    const { messages } = await user.call('sessions.read', { params })
    expect(JSON.parse(file.content)).toEqual({
      id: 's1',
      title: 'Eggs',
      pinned: false,
      archived: false,
      created_at: minutesIn(0),
      updated_at: minutesIn(0),
      message_count: 2,
      messages: messages.map((message) => ({ ...message, turn: 1 })),
    })
    expect(file.content.endsWith('\n]}\n')).toBe(true)
  })

  it('of a long conversation comes in parts that add up to the file', async () => {
    const user = await backend.newUser()
    const long = (letter: string) => letter.repeat(350_000)
    await storeConversation(user, {
      turns: [
        [long('a'), long('b')],
        [long('c'), long('d')],
        ['last', 'one'],
      ],
    })
    const parts: string[] = []
    let after: string | undefined
    do {
      const part = await exportPart(user, 'json', after)
      parts.push(part.content)
      after = part.next ?? undefined
    } while (after !== undefined && parts.length < 9)
    expect(parts.length).toBeGreaterThan(1)
    const { messages } = JSON.parse(parts.join('')) as { messages: { content: string }[] }
    expect(messages.map(({ content }) => content[0])).toEqual(['a', 'b', 'c', 'd', 'l', 'o'])
  })

  it.each([
    ['!!!', 'conversation.json'],
    ['Çay & İçecek 2', 'çay-i̇çecek-2.json'],
    ['word '.repeat(40).trim(), `${'word-'.repeat(16)}.json`],
  ])('of %s has a file name made of its title', async (title, name) => {
    const user = await backend.newUser()
    await storeConversation(user, { title })
    expect((await exportPart(user, 'json')).file_name).toBe(name)
  })
})

describe('what the search of the page reads', () => {
  it('is every title and message of the caller, with only the fields that a search needs', async () => {
    const user = await backend.newUser()
    await storeConversation(user)
    await storeConversation(user, {
      id: 's2',
      title: 'Rome',
      turns: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    })
    const corpus = await user.call('sessions.corpus')
    expect(corpus).toMatchObject({
      sessions: [
        { id: 's2', title: 'Rome', updated_at: minutesIn(1) },
        { id: 's1', title: 'Eggs', updated_at: minutesIn(0) },
      ],
      changed: ['s1', 's2'],
      next: null,
    })
    expect(corpus.messages.map(({ session_id, content }) => [session_id, content])).toEqual([
      ['s1', 'Hello'],
      ['s1', 'Hi!'],
      ['s2', 'a'],
      ['s2', 'b'],
      ['s2', 'c'],
      ['s2', 'd'],
    ])
    expect(corpus.messages[0]).toEqual({
      id: 'm1',
      session_id: 's1',
      role: 'user',
      content: 'Hello',
      created_at: minutesIn(0),
    })
    expect(Math.abs(Date.parse(corpus.as_of) - Date.now())).toBeLessThan(60_000)
  })

  it.each([
    [minutesIn(2), ['s2']],
    // a message may become readable a little after the time of its conversation
    [minutesIn(1), ['s1', 's2']],
    [minutesIn(3), []],
  ])(
    'since %s has the conversations that changed later, with a tolerance of a minute: %j',
    async (since, changed) => {
      const user = await backend.newUser()
      await storeConversation(user)
      await storeConversation(user, {
        id: 's2',
        turns: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      })
      const corpus = await user.call('sessions.corpus', { query: { since } })
      expect(corpus.changed).toEqual(changed)
      expect(corpus.sessions).toHaveLength(2)
      expect(new Set(corpus.messages.map(({ session_id }) => session_id))).toEqual(new Set(changed))
    },
  )

  it('comes in consecutive parts of one point in time when it is large', async () => {
    const user = await backend.newUser()
    const long = (letter: string) => letter + '"'.repeat(340_000)
    await storeConversation(user, {
      turns: [
        [long('a'), long('b')],
        [long('c'), long('d')],
        [long('e'), long('f')],
      ],
    })
    await storeConversation(user, { id: 's2', turns: [[long('g'), long('h')]] })
    const first = await user.call('sessions.corpus')
    expect(first.next).not.toBeNull()
    const letters = first.messages.map(({ content }) => content[0])
    let { next } = first
    for (let part = 0; next !== null && part < 9; part += 1) {
      const more = await user.call('sessions.corpus', { query: { cursor: next } })
      expect([more.sessions, more.changed, more.as_of]).toEqual([null, null, first.as_of])
      letters.push(...more.messages.map(({ content }) => content[0]))
      next = more.next
    }
    expect(letters.join('')).toBe('abcdefgh')
  })

  it.each([
    'x',
    Buffer.from('["2026"]').toString('base64url'),
    Buffer.from('["2026","s1","1#1"]').toString('base64url'),
    Buffer.from('[1,"s1","000001#1"]').toString('base64url'),
    Buffer.from('["2026",1,"000001#1"]').toString('base64url'),
    Buffer.from('{}').toString('base64url'),
  ])('refuses the invalid cursor %s', async (cursor) => {
    const user = await backend.newUser()
    expect(await user.send('sessions.corpus', { query: { cursor } })).toMatchObject({
      status: 400,
      body: { error: 'The cursor is not one of this search.' },
    })
  })
})
