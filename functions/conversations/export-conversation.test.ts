import { expect, it } from 'vitest'
import { aMessage } from '../../test/support/conversations.ts'
import { exportConversation } from './export-conversation.ts'
import type { Branches } from './store/branches.ts'
import type { ConversationStores } from './store/conversation-stores.ts'
import { formatCursor } from './store/message-row.ts'

const at = '2026-03-01T10:00:00.000Z'
const session = {
  id: 's',
  user_id: 'ann',
  title: 'Tea',
  created_at: at,
  updated_at: at,
  message_count: 12,
}
/** A question in each of twelve turns. */
const messages = Array.from({ length: 12 }, (_, index) =>
  aMessage({
    session_id: 's',
    id: `m${index + 1}`,
    turn: index + 1,
    content: `no ${index + 1}`,
    created_at: at,
  }),
)
/** The third turn was edited in the last one. */
const branches: Branches = { forks: [{ turn: 12, versionOf: 3 }] }

/** Exports a part of the conversation, whose table has pages of so many messages. */
async function exportPart(
  after: string | undefined,
  { tree, pageSize = 12, title = 'Tea' }: { tree?: Branches; pageSize?: number; title?: string } = {},
) {
  const reads: (string | undefined)[] = []
  const stores = {
    conversations: { find: async () => ({ ...session, title }) },
    runs: { findBranches: async () => ({ turn: 12, branches: tree }) },
    messages: {
      loadAfter: async (_: string, __: string, cursor?: string) => {
        reads.push(cursor)
        const from = cursor === undefined ? 0 : messages.findIndex((one) => formatCursor(one) === cursor) + 1
        const page = messages.slice(from, from + pageSize)
        const last = page.at(-1)
        return { messages: page, next: last && from + pageSize < 12 ? formatCursor(last) : null }
      },
    },
  } as unknown as ConversationStores
  const part = await exportConversation(
    stores,
    { sub: 'ann', sessionId: 's' },
    { format: 'json', after, language: 'en' },
  )
  const turns = [...part.content.matchAll(/"content":"no (\d+)"/g)].map(([, turn]) => Number(turn))
  return { ...part, turns, reads }
}

it('an export of several parts has its head and its end once, and commas between all messages', async () => {
  const first = await exportPart(undefined, { pageSize: 6 })
  expect([first.turns, first.next]).toEqual([[1, 2, 3, 4, 5, 6], '000006#1'])
  const second = await exportPart('000006#1', { pageSize: 6 })
  expect([second.turns, second.next]).toEqual([[7, 8, 9, 10, 11, 12], null])
  const file = JSON.parse(first.content + second.content) as { id: string; messages: { id: string }[] }
  expect(file.id).toBe('s')
  expect(file.messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
})

it('the versions that are not shown follow, in a list of their own', async () => {
  const shown = await exportPart(undefined, { tree: branches })
  expect([shown.turns, shown.next]).toEqual([[1, 2, 12], 'v000000#1@12'])
  const others = await exportPart('v000000#1@12', { tree: branches })
  expect([others.turns, others.next]).toEqual([[3, 4, 5, 6, 7, 8, 9, 10, 11], null])
  expect(others.reads).toEqual([undefined])
  const file = JSON.parse(shown.content + others.content) as Record<string, { id: string }[]>
  expect(file['messages']?.map(({ id }) => id)).toEqual(['m1', 'm2', 'm12'])
  expect(file['other_versions']?.map(({ id }) => id)).toEqual(messages.slice(2, 11).map(({ id }) => id))
})

it('all parts have the branch that was shown at the first one', async () => {
  // since then the newest version is shown again
  const rest = await exportPart('000010#1@11', { tree: branches })
  expect([rest.turns, rest.next]).toEqual([[11], 'v000000#1@11'])
  const others = await exportPart('v000000#1@11', { tree: branches })
  expect([others.turns, others.next]).toEqual([[12], null])
  const older = await exportPart(undefined, { tree: { ...branches, head: 4 } })
  expect([older.turns, older.next]).toEqual([[1, 2, 3, 4], 'v000000#1@4'])
  const later = await exportPart('v000005#1@4', { tree: branches, pageSize: 3 })
  expect([later.turns, later.next]).toEqual([[6, 7, 8], 'v000008#1@4'])
})

it('pages without a message of the branch are passed over', async () => {
  const { turns, next, reads } = await exportPart('000002#1@12', { tree: branches, pageSize: 2 })
  expect([turns, next]).toEqual([[12], 'v000000#1@12'])
  expect(reads).toEqual(['000002#1', '000004#1', '000006#1', '000008#1', '000010#1'])
})

it.each(['', 'x000001#1', '000001#4', '00001#1', '0000001#1', '000001#1@', '000001#1@x', '000001#1 '])(
  'a cursor of another form is refused: %j',
  async (after) => {
    await expect(exportPart(after)).rejects.toThrow('a cursor of another form')
  },
)

it.each([
  ['Eggs & Ham: 2', 'eggs-ham-2.json'],
  ['Çay', 'çay.json'],
  ['!?', 'conversation.json'],
  ['a'.repeat(81), `${'a'.repeat(80)}.json`],
])('the file of %s is named %s', async (title, name) => {
  const part = await exportPart(undefined, { title })
  expect([part.file_name, part.type, part.success]).toEqual([name, 'application/json', true])
})
