import { expect, it } from 'vitest'
import { aMessage, aRun, newConversationIds, openSharedStores } from '../../test/support/conversations.ts'
import { copyConversation } from './copy-conversation.ts'
import { claimFinishedRun } from './store/claim-finished-run.ts'
import type { StoredMessage } from './store/message-repository.ts'

const stores = await openSharedStores()
const at = '2026-03-01T10:00:00.000Z'

async function storeConversation(messages: (Partial<StoredMessage> & { id: string })[]) {
  const ids = newConversationIds()
  await stores.conversations.upsert(ids.sub, ids.sessionId, {
    title: 'Tea',
    addedMessages: messages.length,
    at,
    replacesTitle: false,
    model: 'm',
    effort: 'high',
    disabledTools: [{ mcp_id: 'mail' }],
    projectId: 'p',
  })
  const stored = messages.map((message) =>
    aMessage({ session_id: ids.sessionId, created_at: at, ...message }),
  )
  await stores.messages.putAll(ids.sub, stored)
  return { ...ids, stored }
}

const usage = { inputTokens: 3, cachedInputTokens: 0, outputTokens: 2, reasoningTokens: 1, images: 0 }
const reply = { role: 'assistant', slot: 'reply' } as const

it('a copy has the messages and the choices of the conversation, with new ids', async () => {
  const file = { id: 'f', name: 'a.txt', type: 'text/plain', size: 1 }
  const { sub, sessionId, stored } = await storeConversation([
    { id: 'm1', attachments: [file] },
    { id: 'r1', ...reply, content: 'Hi.', usage: { ...usage, contextStart: 'm1' }, kept_rounds: '[]' },
    { id: 'm3', turn: 3, content: '__ASSISTANT_x' },
    { id: 'r3', ...reply, turn: 3, content: 'Yes.', usage: { ...usage, contextStart: 'gone' } },
    { id: 'm4', turn: 4, content: 'Later' },
  ])
  const references: unknown[][] = []
  const addReferences = async (...args: unknown[]) => references.push(args) > 0
  const files = { ...stores.files, addReferences }
  const copy = await copyConversation({ ...stores, files }, { sub, sessionId, messageId: 'm3' })
  expect(copy).toEqual({
    id: expect.any(String) as string,
    user_id: sub,
    title: 'Tea',
    created_at: copy.updated_at,
    updated_at: copy.updated_at,
    message_count: 3,
    model: 'm',
    effort: 'high',
    disabled_tools: [{ mcp_id: 'mail' }],
    project_id: 'p',
  })
  expect(Math.abs(Date.parse(copy.updated_at) - Date.now())).toBeLessThan(60_000)
  const { messages } = await stores.messages.loadAfter(sub, copy.id)
  const ids = messages.map(({ id }) => id)
  expect(new Set([...ids, ...stored.map(({ id }) => id)]).size).toBe(9)
  expect(messages).toEqual(
    stored.slice(0, 4).map((message, index) => ({
      ...message,
      id: ids[index],
      session_id: copy.id,
      turn: index < 2 ? 1 : 2,
      ...(message.id === 'r1' && { usage: { ...usage, contextStart: ids[0] } }),
    })),
  )
  expect(references).toEqual([[sub, copy.id, [file]]])
  // it says which turn is the newest
  expect(await stores.runs.find(sub, copy.id)).toMatchObject({ turn: 2, status: 'done', isSaved: true })
  expect((await stores.messages.loadAfter(sub, sessionId)).messages).toHaveLength(5)
})

it('a message whose reply failed is copied in place of the one that it replaces', async () => {
  const { sub, sessionId } = await storeConversation([
    { id: 'm1' },
    { id: 'r1', ...reply },
    { id: 'm2', turn: 2, content: 'Other' },
  ])
  const run = aRun({ sub, sessionId, turn: 2, messageId: 'm2', replaces: { messageId: 'm1', turn: 1 } })
  await stores.runs.claim(run, undefined)
  await expect(copyConversation(stores, { sub, sessionId, messageId: 'm2' })).rejects.toMatchObject({
    code: 'run_in_progress',
  })
  const readCopy = async (messageId: string) => {
    const copy = await copyConversation(stores, { sub, sessionId, messageId })
    return stores.messages.loadContents(sub, copy.id)
  }
  // another message can be copied while this one is answered
  expect(await readCopy('m1')).toEqual(['Hello', 'Hello'])
  await stores.runs.end(run, 'failed', 'no')
  expect(await readCopy('m2')).toEqual(['Other'])
})

it('a copy that fails leaves nothing', async () => {
  const { sub, sessionId } = await storeConversation([{ id: 'm1' }])
  await claimFinishedRun(stores, { sub, sessionId, runId: 'r', turn: 1, messageId: 'm1', replyId: 'p' })
  const created: string[] = []
  const deletedFiles: unknown[][] = []
  const down = new Error('the table is down')
  const broken = {
    ...stores,
    conversations: {
      ...stores.conversations,
      upsert: async (_: string, id: string) => {
        created.push(id)
        throw down
      },
    },
    files: {
      ...stores.files,
      deleteConversationFiles: async (...args: unknown[]) => void deletedFiles.push(args),
    },
  } as unknown as typeof stores
  await expect(copyConversation(broken, { sub, sessionId, messageId: 'm1' })).rejects.toBe(down)
  const [id = ''] = created
  expect(await stores.messages.loadContents(sub, id)).toEqual([])
  expect(await stores.runs.find(sub, id)).toBeUndefined()
  expect(deletedFiles).toEqual([[sub, [id]]])
})
