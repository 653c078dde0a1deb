import { randomUUID } from 'node:crypto'
import { aMessage, aRun } from '../support/conversations.ts'
import type { Product } from './product.ts'

/** Characters of prepared messages: one line per user message, one paragraph per reply. */
const lengths = { user: 80, reply: 400 } as const
const concurrency = 25

export const preparedText = (role: keyof typeof lengths) => 'Some words. '.repeat(50).slice(0, lengths[role])

/**
 * Writes a conversation to the table as its turns would have done.
 * @param messages user messages and replies together, an even number
 * @returns its id
 */
export async function prepareConversation(
  { stores, user: { sub } }: Product,
  messages: number,
): Promise<string> {
  const sessionId = randomUUID()
  const startedAtMs = Date.now() - messages * 1_000
  const at = (index: number) => new Date(startedAtMs + index * 1_000).toISOString()
  const put = (index: number) => {
    const kind = index % 2 === 0 ? 'user' : 'reply'
    const message = aMessage({
      session_id: sessionId,
      role: kind === 'user' ? 'user' : 'assistant',
      content: preparedText(kind),
      created_at: at(index),
      turn: Math.floor(index / 2) + 1,
      kind,
    })
    return stores.messages.put(sub, message, startedAtMs + index)
  }
  for (let from = 0; from < messages; from += concurrency) {
    const count = Math.min(concurrency, messages - from)
    await Promise.all(Array.from({ length: count }, (_, offset) => put(from + offset)))
  }
  await stores.conversations.upsert(sub, sessionId, {
    title: 'A conversation',
    addedMessages: messages,
    at: at(messages),
    replacesTitle: false,
  })
  const run = aRun({ sub, sessionId, turn: messages / 2, startedAtMs, messageId: randomUUID() })
  await stores.runs.claim(run, undefined)
  await stores.runs.end(run, 'done')
  return sessionId
}

/** Writes many conversations of that length. */
export async function prepareConversations(
  product: Product,
  count: number,
  messages: number,
): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const next = Math.min(concurrency, count - ids.length)
    ids.push(
      ...(await Promise.all(Array.from({ length: next }, () => prepareConversation(product, messages)))),
    )
  }
  return ids
}
