import { PutCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import {
  newConversationIds,
  aMessage,
  aRun,
  openSharedStores,
  openStores,
} from '../../test/support/conversations.ts'
import { shareRepository } from '../shares/share-repository.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { snapshotReader } from '../shares/snapshot-reader.ts'
import { deleteConversation } from './delete-conversation.ts'
import { deleteTurn } from './delete-turn.ts'
import { fileRepository } from '../files/file-repository.ts'
import { claimFinishedRun } from './store/claim-finished-run.ts'
import { shareConversation } from './share-conversation.ts'

const stores = await openSharedStores()
const { table } = stores

async function storeConversation(...contents: string[]) {
  const conversation = newConversationIds()
  const at = new Date().toISOString()
  for (const [index, content] of contents.entries())
    await stores.messages.put(
      conversation.sub,
      aMessage({ session_id: conversation.sessionId, turn: index + 1, content }),
      Date.now(),
    )
  await stores.conversations.upsert(conversation.sub, conversation.sessionId, {
    title: 'A title',
    addedMessages: 1,
    at,
    replacesTitle: false,
  })
  return { ...conversation, audience: 'link' as const }
}

const visitor = (nowMs = Date.now()) => ({ nowMs, isSignedIn: false })

/** The keys of all rows of shared conversations: the user’s rows and the snapshots. */
async function listShareKeys(): Promise<string[]> {
  const { Items = [] } = await table.client.send(
    new ScanCommand({ TableName: table.name, ConsistentRead: true }),
  )
  return Items.map(({ PK, SK }) => `${String(PK)} ${String(SK)}`).filter((key) => key.includes('SHARE#'))
}

/** The table, except that an action runs after the first command that matches. */
function withActionAfter(matches: (command: unknown) => boolean, action: () => Promise<unknown>): Table {
  let hasRun = false
  const send = async (command: unknown) => {
    const output: unknown = await table.client.send(command as never)
    if (!hasRun && matches(command)) {
      hasRun = true
      await action()
    }
    return output
  }
  return { ...table, client: { send: send as Table['client']['send'] } }
}
const isPut = (sk: RegExp) => (command: unknown) =>
  command instanceof PutCommand && sk.test(String(command.input.Item?.['SK']))

it('a snapshot has the first rows of the tables below a reply, without their files', async () => {
  const conversation = await storeConversation('How much?')
  const { sub, sessionId } = conversation
  const rows = Array.from({ length: 60 }, (_, index) => [`r${index}`, index, null])
  const data = {
    columns: ['region', 'sum', 'note'],
    rows,
    total_rows: 4_812,
    sources: [{ table: 'secret', file: 'Secret.xlsx', range: 'A1:B9', file_id: 'f1', key: 't1' }],
  }
  const query = { tool: 'query_table', action: 'Query tables', parameters: { sql: 'SELECT * FROM secret' } }
  const reply = aMessage({
    session_id: sessionId,
    role: 'assistant',
    kind: 'reply',
    turn: 1,
    content: 'Much.',
    tool_calls: [{ ...query, result: { success: true, data } }],
  })
  await stores.messages.put(sub, reply, Date.now())
  const link = await shareConversation(stores, { ...conversation, days: 7 })
  const shared = await snapshotReader(table).loadPage(link.secret, 1)
  expect(shared?.at(-1)?.tables).toEqual([
    { columns: data.columns, rows: rows.slice(0, 50), total_rows: 4_812 },
  ])
  expect(JSON.stringify(shared)).not.toMatch(/secret|f1/i)
  await stores.shares.removeAll(sub)
})

it('a snapshot has the sources of a reply, but not its reasoning and usage', async () => {
  const conversation = await storeConversation('What is it?')
  const usage = { inputTokens: 3, cachedInputTokens: 0, outputTokens: 2, reasoningTokens: 1, images: 0 }
  const sources = [{ url: 'https://a.example/', title: 'A' }]
  const reply = aMessage({
    session_id: conversation.sessionId,
    role: 'assistant',
    kind: 'reply',
    turn: 1,
    content: 'It is.',
    reasoning: { text: 'A private thought', durationMs: 1 },
    sources,
    usage,
  })
  await stores.messages.put(conversation.sub, reply, Date.now())
  const link = await shareConversation(stores, { ...conversation, days: 7 })
  expect(await snapshotReader(table).loadPage(link.secret, 1)).toEqual([
    { role: 'user', content: 'What is it?', files: 0 },
    { role: 'assistant', content: 'It is.', files: 0, sources },
  ])
  await stores.shares.removeAll(conversation.sub)
})

it('a snapshot has the messages that have content, in order', async () => {
  const conversation = await storeConversation('One', '  ', '__ASSISTANT_STATE__', 'Two')
  const link = await shareConversation(stores, { ...conversation, days: 7 })
  expect(link).toMatchObject({ title: 'A title', message_count: 2 })
  const reader = snapshotReader(table)
  expect(await reader.find(link.secret, visitor())).toMatchObject({ title: 'A title', pages: 1 })
  expect((await reader.loadPage(link.secret, 1))?.map(({ content }) => content)).toEqual(['One', 'Two'])
  expect(await reader.find(link.secret, visitor(Date.parse(link.ends_at)))).toBeUndefined()
  await stores.shares.removeAll(conversation.sub)
})

describe('a conversation that is deleted while it is shared leaves nothing', () => {
  it.each([
    ['after its link is listed', 'session_not_found', isPut(/^SHARE#/)],
    ['after a page is copied', 'session_not_found', isPut(/^P#/)],
    ['after the head is stored', 'session_not_found', isPut(/^HEAD$/)],
    [
      'after it is published',
      'shared',
      (command: unknown) =>
        command instanceof UpdateCommand &&
        command.input.ExpressionAttributeValues?.[':state'] === 'published',
    ],
  ])('%s', async (_, expected, matches) => {
    const conversation = await storeConversation('Hello')
    const remove = () => deleteConversation(stores, conversation)
    const sharing = openStores(withActionAfter(matches, remove))
    const outcome = shareConversation(sharing, { ...conversation, days: 7 }).then(
      () => 'shared',
      (error: unknown) => (error as { code?: string }).code,
    )
    expect(await outcome).toBe(expected)
    expect(await listShareKeys()).toEqual([])
  })
})

it('a link stays in the list when its revocation fails, and can be revoked again', async () => {
  const conversation = await storeConversation('Hello')
  const { id, secret } = await shareConversation(stores, { ...conversation, days: 7 })
  const failing = withActionAfter(
    (command) => command instanceof UpdateCommand,
    () => Promise.reject(new Error('the table is gone')),
  )
  await expect(openStores(failing).shares.revoke(conversation.sub, id)).rejects.toThrow('the table is gone')
  expect(await snapshotReader(table).find(secret, visitor())).toBeDefined()
  expect(await stores.shares.list(conversation.sub, Date.now())).toMatchObject([{ id, title: 'A title' }])
  expect(await stores.shares.revoke(conversation.sub, id)).toBe(true)
  expect(await stores.shares.list(conversation.sub, Date.now())).toEqual([])
  expect(await listShareKeys()).toEqual([])
})

it('a conversation with a waiting reply cannot be shared, and leaves no rows', async () => {
  const conversation = await storeConversation('Hello')
  await stores.runs.claim(aRun({ ...conversation, status: 'waiting' }), undefined)
  await expect(shareConversation(stores, { ...conversation, days: 7 })).rejects.toMatchObject({
    code: 'reply_unfinished',
  })
  expect(await listShareKeys()).toEqual([])
})

it('a conversation without content cannot be shared', async () => {
  const conversation = await storeConversation(' ')
  await expect(shareConversation(stores, { ...conversation, days: 7 })).rejects.toMatchObject({
    code: 'nothing_to_share',
  })
  expect(await listShareKeys()).toEqual([])
})

it('text that compresses badly is split over several rows', async () => {
  const randomText = (length: number) =>
    Array.from({ length }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000))).join('')
  const texts = Array.from({ length: 7 }, () => randomText(95_000))
  const conversation = await storeConversation(...texts)
  const link = await shareConversation(stores, { ...conversation, days: 7 })
  const reader = snapshotReader(table)
  const { pages = 0 } = (await reader.find(link.secret, visitor())) ?? {}
  expect(pages).toBeGreaterThan(1)
  const read: string[] = []
  for (let page = 1; page <= pages; page += 1)
    read.push(...((await reader.loadPage(link.secret, page)) ?? []).map(({ content }) => content))
  expect(read).toEqual(texts)
  await stores.shares.removeAll(conversation.sub)
  expect(await listShareKeys()).toEqual([])
})

it('a link works for as many days as the user chose, and says how many files a message has', async () => {
  const conversation = await storeConversation('Look')
  const file = { id: 'f', name: 'a.png', type: 'image/png', size: 1 }
  const onlyFiles = aMessage({
    session_id: conversation.sessionId,
    turn: 2,
    content: '',
    attachments: [file, { ...file, id: 'g' }],
  })
  await stores.messages.put(conversation.sub, onlyFiles, Date.now())
  const link = await shareConversation(stores, { ...conversation, days: 30 })
  expect(link).toEqual({
    id: expect.any(String) as string,
    session_id: conversation.sessionId,
    audience: 'link',
    secret: expect.stringMatching(/^[\w-]{43}$/) as string,
    title: 'A title',
    message_count: 2,
    created_at: expect.any(String) as string,
    ends_at: expect.any(String) as string,
  })
  expect(Date.parse(link.ends_at) - Date.parse(link.created_at)).toBe(30 * 86_400_000)
  expect(await snapshotReader(table).loadPage(link.secret, 1)).toEqual([
    { role: 'user', content: 'Look', files: 0 },
    { role: 'user', content: '', files: 2 },
  ])
  await stores.shares.removeAll(conversation.sub)
})

it('a user has so many links at most, and a conversation that is not there has none', async () => {
  const conversation = await storeConversation('Hello')
  const missing = { ...conversation, sessionId: 'none', days: 7 }
  await expect(shareConversation(stores, missing)).rejects.toMatchObject({ code: 'session_not_found' })
  const full = { ...stores, shares: { ...shareRepository(table), reserve: async () => false } }
  await expect(shareConversation(full, { ...conversation, days: 7 })).rejects.toMatchObject({
    code: 'too_many_shares',
  })
  expect(await listShareKeys()).toEqual([])
})

it.each([true, false])('has nothing that was sent after it was asked for; with a run: %s', async (hasRun) => {
  const conversation = await storeConversation('One', 'Two')
  const { sub, sessionId } = conversation
  if (hasRun)
    await claimFinishedRun(stores, { sub, sessionId, runId: 'r', turn: 2, messageId: 'm', replyId: 'p' })
  const late = aMessage({ session_id: sessionId, turn: 3, content: 'Private' })
  const loadAfter: typeof stores.messages.loadAfter = async (...args) => {
    await stores.messages.put(sub, late, Date.now())
    return stores.messages.loadAfter(...args)
  }
  const racing = { ...stores, messages: { ...stores.messages, loadAfter } }
  const link = await shareConversation(racing, { ...conversation, days: 7 })
  const shown = await snapshotReader(table).loadPage(link.secret, 1)
  expect(shown?.map(({ content }) => content)).toEqual(['One', 'Two'])
  await stores.shares.removeAll(sub)
})

it('is refused for a conversation that is too long to be copied, and leaves nothing', async () => {
  const conversation = await storeConversation('One')
  const one = aMessage({ session_id: conversation.sessionId, content: 'x'.repeat(90_000) })
  let pages = 0
  const loadAfter: typeof stores.messages.loadAfter = async () => {
    pages += 1
    return { messages: Array.from({ length: 10 }, () => one), last: null, next: '000001#1' }
  }
  const long = { ...stores, messages: { ...stores.messages, loadAfter } }
  await expect(shareConversation(long, { ...conversation, days: 7 })).rejects.toMatchObject({
    code: 'session_too_long',
    userMessage: expect.stringContaining('cannot be shared') as string,
  })
  expect(pages).toBe(24)
  expect(await listShareKeys()).toEqual([])
  const { storage } = await fileRepository(table).listWithStorage(conversation.sub)
  expect(storage.used_bytes).toBe(0)
})

describe('what is deleted is gone from links', () => {
  const file = (id: string) => ({ id, name: `${id}.csv`, type: 'text/csv', size: 1 })
  /** Two turns, of which the second has a table of the file `f1`. */
  async function storeTurns() {
    const conversation = await storeConversation('The code is 4711', 'And how much?')
    const { sub, sessionId } = conversation
    const ids = { session_id: sessionId, role: 'assistant', kind: 'reply' } as const
    const data = { columns: ['a'], rows: [[1], [2]], total_rows: 2, sources: [{ table: 't', file_id: 'f1' }] }
    const call = { tool: 'query_table', action: 'Query', parameters: {}, result: { success: true, data } }
    await stores.messages.putAll(sub, [
      aMessage({ ...ids, turn: 1, content: '4711, I see.' }),
      aMessage({
        ...ids,
        turn: 2,
        content: 'So much.',
        tool_calls: [call],
        attachments: [file('f1'), file('f2')],
      }),
    ])
    await claimFinishedRun(stores, { sub, sessionId, runId: 'r', turn: 2, messageId: 'm', replyId: 'p' })
    await stores.conversations.replaceTitle(sub, sessionId, { title: 'The code is 4711', seen: 'A title' })
    const [first, second] = await stores.messages.loadOutline(sub, sessionId)
    return { ...conversation, messageId: first?.id ?? '', replyId: second?.id ?? '' }
  }
  type Stored = Awaited<ReturnType<typeof storeTurns>>
  const share = (conversation: Stored) => shareConversation(stores, { ...conversation, days: 7 })
  const readLink = async (secret: string) => {
    const head = await snapshotReader(table).find(secret, visitor())
    return head && { title: head.title, messages: await snapshotReader(table).loadPage(secret, 1) }
  }

  it('a message and its reply, from each link, with the title that quotes it', async () => {
    const conversation = await storeTurns()
    const links = [await share(conversation), await share(conversation)]
    const { session } = await deleteTurn(stores, { ...conversation, messageId: conversation.replyId })
    expect(session.title).toBe('And how much?')
    for (const { secret } of links) {
      const shown = await readLink(secret)
      expect(shown).toMatchObject({
        title: 'And how much?',
        messages: [{ role: 'user' }, { content: 'So much.' }],
      })
      expect(JSON.stringify(shown)).not.toContain('4711')
    }
    expect(await stores.shares.list(conversation.sub, Date.now())).toMatchObject([
      { message_count: 2, title: 'And how much?' },
      { message_count: 2 },
    ])
    await stores.shares.removeAll(conversation.sub)
  })

  it('a file, with its rows', async () => {
    const conversation = await storeTurns()
    const { secret } = await share(conversation)
    const deletion = { messages: [], fileIds: new Set(['f1']) }
    await stores.shares.removeDeleted(conversation.sub, deletion, new Set(['another']))
    expect((await readLink(secret))?.messages?.[3]).toMatchObject({ files: 2, tables: [{}] })
    await stores.shares.removeDeleted(conversation.sub, deletion)
    expect((await readLink(secret))?.messages?.[3]).toMatchObject({
      content: 'So much.',
      files: 1,
      tables: [],
    })
    await stores.shares.removeAll(conversation.sub)
  })

  it('the last message, with the link', async () => {
    const conversation = { ...(await storeConversation('Hello')) }
    const { sub, sessionId } = conversation
    const { secret } = await shareConversation(stores, { ...conversation, days: 7 })
    const [message] = await stores.messages.loadOutline(sub, sessionId)
    await deleteTurn(stores, { sub, sessionId, messageId: message?.id ?? '' })
    expect(await snapshotReader(table).find(secret, visitor())).toBeUndefined()
    expect(await listShareKeys()).toEqual([])
  })

  it('a message from a link of an earlier release, by its text', async () => {
    const conversation = await storeTurns()
    const link = await share(conversation)
    const messages = await snapshotReader(table).loadPage(link.secret, 1)
    await stores.shares.putPage(link, 1, messages ?? [])
    await deleteTurn(stores, conversation)
    expect((await readLink(link.secret))?.messages?.map(({ content }) => content)).toEqual([
      'And how much?',
      'So much.',
    ])
    await stores.shares.removeAll(conversation.sub)
  })

  it('also when two are deleted at once, and when the deletion was interrupted', async () => {
    const conversation = await storeTurns()
    const { sub, sessionId } = conversation
    const { secret } = await share(conversation)
    const [first, second, third] = (await stores.messages.loadAfter(sub, sessionId)).messages
    const remove = (message = first, on: Table = table) =>
      shareRepository(on).removeDeleted(sub, { messages: message ? [message] : [], fileIds: new Set() })
    const isRead = (command: unknown) =>
      command instanceof QueryCommand && JSON.stringify(command.input).includes('P#')
    const during = withActionAfter(isRead, () => remove(second))
    await remove(first, during)
    expect((await readLink(secret))?.messages?.map(({ content }) => content)).toEqual([
      'And how much?',
      'So much.',
    ])
    const interrupted = withActionAfter(isPut(/^P#/), () => Promise.reject(new Error('the function died')))
    await expect(remove(third, interrupted)).rejects.toThrow('died')
    await remove(third)
    expect(await stores.shares.list(sub, Date.now())).toMatchObject([{ message_count: 1 }])
    await stores.shares.removeAll(sub)
  })

  it('also from a link that is made meanwhile, which is not published', async () => {
    const conversation = await storeTurns()
    const sharing = openStores(withActionAfter(isPut(/^P#/), () => deleteTurn(stores, conversation)))
    await expect(shareConversation(sharing, { ...conversation, days: 7 })).rejects.toMatchObject({
      code: 'run_changed',
    })
    expect(await listShareKeys()).toEqual([])
  })
})
