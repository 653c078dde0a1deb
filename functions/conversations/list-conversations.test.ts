import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RouteQuery, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { openStores } from '../../test/support/conversations.ts'
import { openTestTable } from '../../test/support/table.ts'
import { importRepository } from '../imports/import-repository.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { deleteRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { writeBatches } from '../platform/dynamodb/write-batches.ts'
import { deleteConversation } from './delete-conversation.ts'
import { paginateConversations } from './conversation-page.ts'
import { listConversations } from './list-conversations.ts'
import { listEntries } from './store/list-entries.ts'
import { listIndex } from './store/list-index.ts'

const table = await openTestTable()
const stores = openStores(table)
afterAll(() => table.close())

const dayMs = 86_400_000
const start = Date.parse('2026-03-01T00:00:00Z')
const count = 1_200
const perDay = 20
const days = count / perDay
/** the day after the newest conversation */
let nowMs = start + days * dayMs

/** Conversations of earlier releases: rows without entries, twenty a day. */
const rows = (sub: string, total: number) =>
  Array.from({ length: total }, (_, index) => {
    const at = new Date(start + Math.floor(index / perDay) * dayMs + (index % perDay) * 60_000).toISOString()
    return {
      PK: `U#${sub}`,
      SK: `S#c${String(index).padStart(4, '0')}`,
      title: `Chat ${index}`,
      created_at: at,
      updated_at: at,
      message_count: 2,
    }
  })
const store = (sub: string, total = count) =>
  writeBatches(
    table,
    rows(sub, total).map((Item) => ({ PutRequest: { Item } })),
  )

/** Rows and entries that queries have read. */
let readRows = 0
const counted: Table = {
  ...table,
  client: {
    send: (async (command: object) => {
      const output = (await table.client.send(command as never)) as { Items?: object[] }
      if (command instanceof QueryCommand) readRows += output.Items?.length ?? 0
      return output
    }) as never,
  },
}
const countedStores = openStores(counted)
let release = '1.1.0'
const list = (sub: string, query: RouteQuery<'sessions.list'>) =>
  listConversations(
    {
      conversations: countedStores.conversations,
      index: listIndex(counted, release),
    },
    sub,
    query,
    nowMs,
  )
const first = { view: 'active', limit: 50 } as const
/** Whether a page was read without all conversations. */
async function listCounted(sub: string, query: RouteQuery<'sessions.list'> = first) {
  readRows = 0
  const page = await list(sub, query)
  return { page, isBounded: readRows < 300 }
}
/** What a page is when all conversations are read. */
const expected = async (sub: string, query: RouteQuery<'sessions.list'> = first) => {
  const { total: _, ...page } = paginateConversations(await stores.conversations.list(sub), query)
  return page
}
const ids = ({ sessions }: RouteResponse<'sessions.list'>) => sessions.map(({ id }) => id)

/** Lists until there are entries. */
async function prepare(sub: string) {
  await list(sub, first)
  nowMs += dayMs
  await list(sub, first)
}
let users = 0
async function newUser() {
  users += 1
  const sub = `user-${users}`
  await store(sub)
  nowMs = start + days * dayMs
  release = '1.1.0'
  await prepare(sub)
  return sub
}
const publish = (sub: string, id: string, at: number, previousAt?: string) =>
  stores.conversations.upsert(sub, id, {
    title: id,
    replacesTitle: false,
    addedMessages: 1,
    at: new Date(at).toISOString(),
    previousAt,
  })

describe('a user with many conversations', () => {
  let sub = ''
  beforeAll(async () => {
    sub = await newUser()
  })
  beforeEach(() => {
    release = '1.1.0'
  })

  it('reads the newest without the others, as if all were read', async () => {
    const { page, isBounded } = await listCounted(sub)
    expect(isBounded).toBe(true)
    expect(page).toEqual(await expected(sub))
    expect(page.next).toBeDefined()
    expect(page.total).toBeUndefined()
  })

  it('reads every page once, the last one included, whatever is older than the entries', async () => {
    const pages: string[] = []
    let cursor: string | undefined
    do {
      const page = await list(sub, { ...first, limit: 100, cursor })
      pages.push(...ids(page))
      cursor = page.next
    } while (cursor !== undefined)
    expect(pages).toEqual(ids(await expected(sub, { view: 'active' })))
    // the entries now reach back to the first
    let bounded = 0
    cursor = undefined
    do {
      const { page, isBounded } = await listCounted(sub, { ...first, limit: 100, cursor })
      bounded += Number(isBounded)
      cursor = page.next
    } while (cursor !== undefined)
    expect(bounded).toBe(12)
  })

  it('a page begins after the update that its cursor names, whatever was deleted or moved up', async () => {
    const { next, sessions } = await list(sub, first)
    const at = nowMs + 1_000
    await publish(sub, sessions[3]?.id ?? '', at, sessions[3]?.updated_at)
    await deleteConversation(stores, { sub, sessionId: sessions[49]?.id ?? '' })
    const query = { ...first, cursor: next }
    const { page, isBounded } = await listCounted(sub, query)
    expect(isBounded).toBe(true)
    expect(page).toEqual(await expected(sub, query))
    expect(ids(await list(sub, first))[0]).toBe(sessions[3]?.id)
  })
})

describe('what the list of a user with many conversations has at once', () => {
  let sub = ''
  beforeAll(async () => {
    sub = await newUser()
  })
  const expectListed = async () => {
    const { page, isBounded } = await listCounted(sub)
    expect(isBounded).toBe(true)
    expect(page).toEqual(await expected(sub))
    return ids(page)
  }

  it('a new conversation', async () => {
    await publish(sub, 'new', nowMs)
    expect((await expectListed())[0]).toBe('new')
  })

  it('one that a reply moves to another day, with its entry', async () => {
    const at = new Date(nowMs).toISOString()
    await stores.conversations.recordActivity(sub, 'c0100', { addedMessages: 1, at, previousAt: at })
    // the row alone has moved: as an earlier release leaves it
    expect(await listCounted(sub)).toMatchObject({ isBounded: true })
    const later = nowMs + dayMs
    await stores.conversations.recordActivity(sub, 'new', {
      addedMessages: 1,
      at: new Date(later).toISOString(),
      previousAt: at,
    })
    const listed = await list(sub, first)
    expect(ids(listed)[0]).toBe('new')
    const entries = await queryAll(table, { partition: `U#${sub}`, prefix: 'DAY#' })
    expect(entries.filter(({ SK }) => String(SK).endsWith('#new'))).toHaveLength(1)
    // the daily comparison finds the other one
    nowMs += dayMs
    expect(ids(await list(sub, first))).toContain('c0100')
    expect(await expectListed()).toContain('c0100')
  })

  it('one with entries for two days once, and it takes the place of no other', async () => {
    const query = { ...first, limit: 3 }
    const [newest = ''] = ids(await list(sub, query))
    await listEntries(table).addDay(sub, newest, new Date(nowMs - dayMs).toISOString())
    expect((await list(sub, query)).next).toBeDefined()
    expect(await list(sub, query)).toEqual(await expected(sub, query))
  })

  it('pinned ones in front, however old, and only while they are', async () => {
    await stores.conversations.change(sub, 'c0001', { pinned: true })
    expect((await expectListed())[0]).toBe('c0001')
    await stores.conversations.change(sub, 'c0001', { archived: true })
    expect(await expectListed()).not.toContain('c0001')
    await stores.conversations.change(sub, 'c0001', { archived: false, pinned: false })
    expect(await expectListed()).not.toContain('c0001')
  })

  it('archived, imported, copied and recovered ones where they belong', async () => {
    const [newest = ''] = await expectListed()
    await stores.conversations.change(sub, newest, { archived: true })
    expect(await expectListed()).not.toContain(newest)
    await stores.conversations.change(sub, newest, { archived: false })
    const imports = importRepository(table)
    const at = new Date(nowMs - 30_000).toISOString()
    const fields = { title: 'From elsewhere', created_at: at, updated_at: at }
    const old = new Date(start).toISOString()
    const source = { importId: 'i', source: 'chatgpt' } as const
    await imports.open(sub, 'imported', source, fields)
    await imports.open(sub, 'pinned', source, { ...fields, updated_at: old, pinned: true })
    expect(await expectListed()).not.toContain('imported')
    for (const id of ['imported', 'pinned'])
      await imports.close(sub, id, { importId: 'i', messageCount: 2, until: id === 'pinned' ? old : at })
    const [front, ...others] = await expectListed()
    expect(front).toBe('pinned')
    expect(others).toContain('imported')
    const copied = await stores.conversations.find(sub, 'c0002')
    if (!copied || copied === 'deleted') throw new Error('nothing to copy')
    await stores.copies.open(sub, 'copied', copied)
    await stores.copies.close(sub, 'copied', 2)
    expect(await expectListed()).toContain('copied')
    await stores.conversations.setCount(sub, 'c0003', 2, { movedUpAtMs: nowMs })
    expect(await expectListed()).toContain('c0003')
  })

  it('a deleted one leaves no entry', async () => {
    await stores.conversations.change(sub, 'new', { pinned: true })
    await deleteConversation(stores, { sub, sessionId: 'new' })
    expect(await expectListed()).not.toContain('new')
    const keys = await queryAll(table, { partition: `U#${sub}`, prefix: '', projection: 'SK' })
    const left = keys.map(({ SK }) => String(SK)).filter((key) => key.endsWith('#new'))
    expect(left).toEqual(['S#new'])
    const late = publish(sub, 'new', nowMs)
    await expect(late).rejects.toMatchObject({ name: 'ConversationNotFound' })
    expect(await queryAll(table, { partition: `U#${sub}`, prefix: 'DAY#' })).not.toContainEqual(
      expect.objectContaining({ SK: expect.stringMatching(/#new$/) }),
    )
  })
})

it('other lists have all conversations, and say how many they are', async () => {
  const sub = await newUser()
  await stores.conversations.change(sub, 'c0001', { archived: true, project_id: 'p' })
  expect((await list(sub, { view: 'archived', limit: 10 })).total).toBe(1)
  expect(ids(await list(sub, { project_id: 'p', limit: 10 }))).toEqual(['c0001'])
  expect(ids(await list(sub, {}))).toHaveLength(count)
})

it('fewer conversations are one query, without entries or a state', async () => {
  const sub = 'few'
  await store(sub, 300)
  await prepare(sub)
  expect((await list(sub, first)).total).toBe(300)
  const keys = await queryAll(table, { partition: `U#${sub}`, prefix: '', projection: 'SK' })
  expect(keys.every(({ SK }) => String(SK).startsWith('S#'))).toBe(true)
})

it.each([
  ['in the first day of a release', true, () => void (release = '1.2.0')],
  ['once a day', false, () => void (nowMs += dayMs)],
])('all are read %s, and what lacks an entry is found', async (_when, lastsADay, change) => {
  const sub = await newUser()
  // what an earlier release does, or a writer that died
  await publish(sub, 'lost', nowMs)
  await deleteRow(table, { PK: `U#${sub}`, SK: `DAY#${new Date(nowMs).toISOString().slice(0, 10)}#lost` })
  expect(ids(await list(sub, first))).not.toContain('lost')
  change()
  expect(await listCounted(sub)).toMatchObject({ isBounded: false })
  expect(ids(await list(sub, first))[0]).toBe('lost')
  nowMs += dayMs - 1
  expect(await listCounted(sub)).toMatchObject({ isBounded: !lastsADay })
  nowMs += 1
  await list(sub, first)
  const { page, isBounded } = await listCounted(sub)
  expect(isBounded).toBe(true)
  expect(ids(page)[0]).toBe('lost')
})

it('a day with more conversations than a page may read is read with all of them', async () => {
  const sub = 'one-day'
  const at = new Date(start).toISOString()
  await writeBatches(
    table,
    rows(sub, 1_500).map((row) => ({ PutRequest: { Item: { ...row, updated_at: at } } })),
  )
  nowMs = start + days * dayMs
  await prepare(sub)
  await list(sub, first)
  const { page, isBounded } = await listCounted(sub)
  expect(isBounded).toBe(false)
  expect(page).toMatchObject({ ...(await expected(sub)), total: 1_500 })
})
