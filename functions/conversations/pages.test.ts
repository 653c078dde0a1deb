import { beforeAll, describe, expect, it, vi } from 'vitest'
import { newConversationIds, aMessage, openSharedStores } from '../../test/support/conversations.ts'
import { maxResponseBytes } from '../../test/support/response-limit.ts'
import { pageBytes, responseBytes } from '../platform/limits.ts'
import type { StoredMessage } from './store/message-row.ts'
import { exportConversation } from './export-conversation.ts'
import { readConversation } from './read-conversation.ts'
import { searchCorpus } from './search-corpus.ts'

const stores = await openSharedStores()

const at = '2026-03-01T00:00:00.000Z'
/** Tool calls of the largest size that a reply can store. */
const calls = Array.from({ length: 4 }, (_, call) => ({
  tool: 'read_page',
  action: 'Read a page',
  parameters: { call },
  result: { success: true, data: '漢'.repeat(7_000) },
}))

/** Stores a conversation with this text in every turn. */
async function aLongConversation(turns: number, content: string, more: Partial<StoredMessage> = {}) {
  const { sub, sessionId } = newConversationIds()
  await stores.conversations.upsert(sub, sessionId, {
    title: 'T',
    addedMessages: turns,
    at,
    replacesTitle: false,
  })
  await stores.messages.putAll(
    sub,
    Array.from({ length: turns }, (_, index) =>
      aMessage({
        session_id: sessionId,
        turn: index + 1,
        content: `${index + 1} ${content}`,
        created_at: at,
        ...more,
      }),
    ),
  )
  return { sub, sessionId }
}

const chinese = '漢'.repeat(90_000)
const quotes = '"\n'.repeat(45_000)
const control = '\u0001'.repeat(90_000)
const contents = [
  ['Chinese, with calls', chinese, { tool_calls: calls }],
  ['quotes', quotes, {}],
  ['control characters', control, {}],
] as const

describe.each([
  { kind: '', turns: 10, tags: [], texts: contents.slice(-1) },
  { kind: ', at full size', turns: 20, tags: ['long'], texts: contents },
])('long conversations$kind', ({ turns, tags, texts }) => {
  describe.each(texts)('a long conversation of %s', { tags }, (_, content, more) => {
    const numbers = Array.from({ length: turns }, (__, index) => `${index + 1}`)
    let conversation: { sub: string; sessionId: string }
    beforeAll(async () => {
      conversation = await aLongConversation(turns, content, more as Partial<StoredMessage>)
    })

    it('DATA-10 is read in pages that fit into a response, without a gap', async () => {
      const seen: string[] = []
      let pages = 0
      let before: string | undefined
      do {
        const page = await readConversation(stores, { ...conversation, before })
        expect(responseBytes(page)).toBeLessThan(maxResponseBytes)
        pages += 1
        seen.unshift(...page.messages.map((message) => message.content.split(' ')[0] ?? ''))
        before = page.earlier ?? undefined
      } while (before)
      expect(seen).toEqual(numbers)
      expect(pages).toBeGreaterThan(1)
    })

    it('HIST-12 is searched and exported in parts that fit into a response', async () => {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await searchCorpus(stores, conversation.sub, { cursor })
        expect(responseBytes(page)).toBeLessThan(maxResponseBytes)
        found.push(...page.messages.map((message) => message.content))
        cursor = page.next ?? undefined
      } while (cursor)
      expect(found.map((text) => text.split(' ')[0])).toEqual(numbers)

      const parts: string[] = []
      let after: string | undefined
      do {
        const part = await exportConversation(stores, conversation, { format: 'json', after, language: 'en' })
        expect(responseBytes(part)).toBeLessThan(maxResponseBytes)
        parts.push(part.content)
        after = part.next ?? undefined
      } while (after)
      const { messages } = JSON.parse(parts.join('')) as { messages: { content: string }[] }
      expect(messages.map((message) => message.content)).toEqual(found)
    })
  })
})

it('a message that is larger than a page is a page of its own', async () => {
  const { sub, sessionId } = await aLongConversation(3, 'word')
  for (const maxBytes of [1, 50]) {
    const page = await stores.messages.loadNewest(sub, sessionId, { maxBytes })
    expect(page.messages.map(({ turn }) => turn)).toEqual([3])
    expect(page.earlier).toBe('000003#1')
  }
})

it('links of attachments count towards the size of a page', async () => {
  const attachment = { id: 'f', name: 'f.txt', type: 'text/plain', size: 1 }
  const attachments = Array.from({ length: 10 }, () => attachment)
  const { sub, sessionId } = await aLongConversation(100, 'short', { attachments })
  const link = `https://bucket.example/${'x'.repeat(8_000)}`
  const linkedStores = {
    ...stores,
    files: {
      ...stores.files,
      addLinks: async <M extends { attachments: object[] }>(_: string, messages: readonly M[]) =>
        messages.map((one) => ({
          ...one,
          attachments: one.attachments.map((file) => ({ ...file, url: link })),
        })),
    },
  }
  const page = await readConversation(linkedStores as typeof stores, { sub, sessionId })
  expect(responseBytes(page)).toBeLessThan(pageBytes + 10_000)
  expect(page.messages.length).toBeLessThan(60)
  expect(page.messages.at(-1)?.content).toBe('100 short')
  const before = page.earlier ?? undefined
  const earlier = await readConversation(linkedStores as typeof stores, { sub, sessionId, before })
  expect(earlier.messages.at(-1)?.content).toBe(`${100 - page.messages.length} short`)
})

it('HIST-12 a further part of the search reads no conversation before it again', async () => {
  const { sub, sessionId } = await aLongConversation(20, 'x'.repeat(250_000))
  // in the order of the ids: one before, and one that the first part does not reach
  for (const id of [`!${sessionId}`, `~${sessionId}`]) {
    await stores.conversations.upsert(sub, id, { title: id, addedMessages: 1, at, replacesTitle: false })
    await stores.messages.put(sub, aMessage({ session_id: id, content: id }), 1)
  }
  const first = await searchCorpus(stores, sub, {})
  expect(first.sessions).toHaveLength(3)
  const { client } = stores.table
  const read = new Set<string>()
  const send = vi.spyOn(client, 'send')
  const { messages } = await searchCorpus(stores, sub, { cursor: first.next ?? undefined })
  for (const { value } of send.mock.results) {
    const { Items = [] } = (await value) as { Items?: Record<string, unknown>[] }
    for (const { SK } of Items) if (String(SK).startsWith('S#')) read.add(String(SK))
  }
  expect([...read]).toEqual([`S#~${sessionId}`])
  expect(messages.at(-1)?.content).toBe(`~${sessionId}`)
  expect([...first.messages, ...messages]).toHaveLength(22)
})
