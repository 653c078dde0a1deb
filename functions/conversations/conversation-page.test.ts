import { expect, it } from 'vitest'
import type { RouteQuery } from '#shared/contracts/route-contracts.ts'
import type { Session } from '#shared/contracts/messages.ts'
import { maxResponseBytes } from '../../test/support/response-limit.ts'
import { responseBytes } from '../platform/limits.ts'
import { paginateConversations } from './conversation-page.ts'

const start = Date.parse('2026-03-01T00:00:00Z')
const session = (index: number, changes: Partial<Session> = {}): Session => ({
  id: `s${String(index).padStart(5, '0')}`,
  user_id: 'ann',
  title: `Chat ${index}`,
  created_at: '2026-03-01T00:00:00.000Z',
  updated_at: new Date(start + index * 1000).toISOString(),
  message_count: 2,
  ...changes,
})
const sessions = (count: number) => Array.from({ length: count }, (_, index) => session(index))

/** Reads every page. */
function readAll(all: readonly Session[], query: RouteQuery<'sessions.list'> = {}) {
  const pages = []
  let cursor: string | undefined
  do {
    const page = paginateConversations(all, { ...query, cursor })
    pages.push(page)
    cursor = page.next
  } while (cursor !== undefined)
  return pages
}
const ids = (pages: readonly { sessions: readonly Session[] }[]) =>
  pages.flatMap((page) => page.sessions.map(({ id }) => id))

it('returns all conversations, newest first, without parameters', () => {
  const all = sessions(3)
  expect(paginateConversations(all, {})).toEqual({ sessions: all.toReversed() })
  expect(paginateConversations([], {})).toEqual({ sessions: [] })
})

it('reads every conversation once, page by page, with the total', () => {
  const all = sessions(25)
  const pages = readAll(all, { limit: 10 })
  expect(pages.map((page) => page.sessions.length)).toEqual([10, 10, 5])
  expect(pages.map(({ total }) => total)).toEqual([25, 25, 25])
  expect(ids(pages)).toEqual(all.map(({ id }) => id).toReversed())
  // a full last page has no cursor
  expect(readAll(sessions(20), { limit: 10 })).toHaveLength(2)
})

it('continues after the cursor, whatever was deleted, added or moved up meanwhile', () => {
  const all = sessions(6)
  const { next = '' } = paginateConversations(all, { limit: 3 })
  // s3 was the last of the page
  const withoutLast = all.filter(({ id }) => id !== 's00003')
  const laterList = [
    ...withoutLast.filter(({ id }) => id !== 's00002'),
    session(2, { updated_at: new Date(start + 60_000).toISOString() }),
    session(9),
  ]
  expect(ids([paginateConversations(laterList, { limit: 3, cursor: next })])).toEqual(['s00001', 's00000'])
})

it('reads every conversation once when all have the same time', () => {
  const all = sessions(7).map((each) => ({ ...each, updated_at: '2026-03-01T00:00:00.000Z' }))
  expect(ids(readAll(all, { limit: 2 })).toSorted()).toEqual(all.map(({ id }) => id))
})

it('returns pages that fit into a response, however many conversations there are and however long their titles', () => {
  const all = sessions(12_000).map((each) => ({ ...each, title: '"漢'.repeat(100) }))
  const pages = readAll(all)
  expect(pages.length).toBeGreaterThan(1)
  for (const page of pages) expect(responseBytes(page)).toBeLessThan(maxResponseBytes)
  expect(new Set(ids(pages)).size).toBe(all.length)
})

it('lists all pinned conversations first, on the first page, and archived ones separately', () => {
  const all = sessions(12).map((each, index) => ({
    ...each,
    ...(index < 4 && { pinned: true }),
    ...((index === 0 || index === 9) && { archived: true }),
  }))
  const active = readAll(all, { view: 'active', limit: 3 })
  expect(active.map((page) => ids([page]))).toEqual([
    ['s00003', 's00002', 's00001', 's00011', 's00010', 's00008'],
    ['s00007', 's00006', 's00005'],
    ['s00004'],
  ])
  expect(active.map(({ total }) => total)).toEqual([10, 10, 10])
  // the archive ignores pins
  expect(ids(readAll(all, { view: 'archived', limit: 1 }))).toEqual(['s00009', 's00000'])
  expect(paginateConversations(all, { view: 'archived', limit: 1 }).total).toBe(2)
  // without a view nothing is left out, and pins are ignored
  expect(ids(readAll(all, { limit: 5 }))).toEqual(all.map(({ id }) => id).toReversed())
})

it.each(['x', 'e30', Buffer.from('["a"]').toString('base64url')])(
  'refuses the invalid cursor %s',
  (cursor) => {
    expect(() => paginateConversations(sessions(3), { cursor })).toThrow(
      'The cursor is not one of this list.',
    )
  },
)

it.each<[what: string, at: unknown]>([
  ['without an id', [false, '2026-03-01T00:00:00.000Z']],
  ['whose pin is a text', ['false', '2026-03-01T00:00:00.000Z', 's1']],
  ['whose time is a number', [false, 1, 's1']],
  ['with more', [false, '2026-03-01T00:00:00.000Z', 's1', 's2']],
])('refuses a cursor %s', (_, at) => {
  const cursor = Buffer.from(JSON.stringify(at)).toString('base64url')
  expect(() => paginateConversations(sessions(3), { cursor })).toThrow('The cursor is not one of this list.')
})

it('lists the conversations of a project, and those without one among all', () => {
  const all = [session(1), session(2, { project_id: 'p' }), session(3, { project_id: 'q' })]
  const list = (query: RouteQuery<'sessions.list'>) => ids([paginateConversations(all, query)])
  expect(list({ project_id: 'p' })).toEqual(['s00002'])
  expect(list({ project_id: 'none' })).toEqual([])
  expect(list({ view: 'active' })).toEqual(['s00003', 's00002', 's00001'])
  expect(list({ view: 'active', project_id: 'q' })).toEqual(['s00003'])
  expect(list({ view: 'archived', project_id: 'q' })).toEqual([])
})

it('sorts conversations of the same time by their ids, the later one first, and pins before all', () => {
  const at = '2026-03-01T00:00:00.000Z'
  const all = [
    session(1, { updated_at: at }),
    session(3, { updated_at: at }),
    session(2, { updated_at: at }),
    session(0, { pinned: true, updated_at: '2026-02-01T00:00:00.000Z' }),
    session(4, { pinned: true, updated_at: at }),
  ]
  const pages = readAll(all, { view: 'active', limit: 1 })
  expect(pages.map((page) => ids([page]))).toEqual([['s00004', 's00000', 's00003'], ['s00002'], ['s00001']])
})
