import { DeleteObjectsCommand, S3Client } from '@aws-sdk/client-s3'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { aMessage, aRun, newConversationIds, openSharedStores } from '../../test/support/conversations.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { fileRepository } from '../files/file-repository.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { maxCopiedMessages } from '../platform/limits.ts'
import { copyConversation } from './copy-conversation.ts'
import { deleteConversation, deleteConversations } from './delete-conversation.ts'
import { deleteTurn } from './delete-turn.ts'
import { claimFinishedRun } from './store/claim-finished-run.ts'
import { copyRepository } from './store/copy-repository.ts'
import { ConversationTooLong } from './store/errors.ts'
import type { StoredMessage } from './store/message-row.ts'

process.env['LOG_LEVEL'] = 'silent'
const shared = await openSharedStores()
// a copy of what is loaded with its first call would have no methods
const stores = { ...shared, copies: copyRepository(shared.table) }
const s3 = mockClient(S3Client)
beforeEach(() => s3.reset().on(DeleteObjectsCommand).resolves({}))
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
const reply = { role: 'assistant', kind: 'reply' } as const

it('a copy has the messages and the choices of the conversation, with new ids', async () => {
  const file = { id: 'f', name: 'a.txt', type: 'text/plain', size: 1 }
  const { sub, sessionId, stored } = await storeConversation([
    { id: 'm1', attachments: [file] },
    { id: 'r1', ...reply, content: 'Hi.', usage: { ...usage, contextStart: 'm1' }, transcript_run: 'run-1' },
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

it('a conversation that is too long for one request is not copied, and nothing is left', async () => {
  const { sub, sessionId } = await storeConversation([{ id: 'm1' }])
  const many = Array.from({ length: maxCopiedMessages + 1 }, (_, index) =>
    aMessage({ session_id: sessionId, id: `m${index}` }),
  )
  const messages = { ...stores.messages, loadAfter: async () => ({ messages: many, next: null }) }
  const rows = () => queryAll(stores.table, { partition: `U#${sub}`, prefix: '' })
  const before = await rows()
  await expect(
    copyConversation({ ...stores, messages } as never, { sub, sessionId, messageId: 'm1' }),
  ).rejects.toBeInstanceOf(ConversationTooLong)
  expect((await rows()).filter(({ SK }) => !String(SK).startsWith('S#'))).toHaveLength(before.length - 1)
})

it('a message that was to replace another, and has no reply, is not copied', async () => {
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
  await stores.runs.end(run, 'failed', { error: 'no' })
  await expect(readCopy('m2')).rejects.toMatchObject({ code: 'message_not_found' })
  expect(await readCopy('m1')).toEqual(['Hello', 'Hello'])
})

const aFile = { id: 'f', name: 'a.txt', type: 'text/plain', size: 1 }
const fileRows = fileRepository(stores.table)

/** A conversation of one message with a file. */
async function storeWithFile() {
  const source = await storeConversation([{ id: 'm1', attachments: [aFile] }])
  const { sub, sessionId } = source
  await claimFinishedRun(stores, { sub, sessionId, runId: 'r', turn: 1, messageId: 'm1', replyId: 'p' })
  await fileRows.put(sub, { ...aFile, state: 'ready', created_at: at })
  await stores.files.addReferences(sub, sessionId, [aFile])
  return { sub, sessionId, messageId: 'm1' }
}
/** What is left of a user's conversations other than tombstones, and who uses the file. */
async function listLeft(sub: string) {
  const rows = await queryAll(stores.table, { partition: `U#${sub}` })
  const keys = rows.filter(({ cleared }) => cleared !== true).map(({ SK }) => String(SK))
  return {
    others: keys.filter((key) => !['A#', 'STORAGE'].some((prefix) => key.startsWith(prefix))),
    uses: (await fileRows.listAll(sub)).map(({ used_in }) => [...(used_in ?? [])]),
  }
}
const down = new Error('the table is down')
const steps: [string, (broken: typeof stores, fail: () => Promise<never>) => unknown][] = [
  ['texts', (broken, fail) => ({ texts: { ...broken.texts, reserveText: fail } })],
  ['references', (broken, fail) => ({ files: { ...broken.files, addReferences: fail } })],
  ['messages', (broken, fail) => ({ messages: { ...broken.messages, putAll: fail } })],
  ['run', (broken, fail) => ({ runs: { ...broken.runs, claim: fail } })],
  ['row', (broken, fail) => ({ copies: { ...broken.copies, close: fail } })],
]
const breakAt = (step: (typeof steps)[number][1], fail: () => Promise<never>) => ({
  ...stores,
  ...(step(stores, fail) as object),
})

it.each(steps)('a copy that fails at its %s leaves nothing', async (_, step) => {
  const source = await storeWithFile()
  const before = await listLeft(source.sub)
  await expect(
    copyConversation(
      breakAt(step, () => Promise.reject(down)),
      source,
    ),
  ).rejects.toBe(down)
  expect(await listLeft(source.sub)).toEqual(before)
})

it('a copy whose last write was done and reported as failed is not half there', async () => {
  const source = await storeWithFile()
  const before = await listLeft(source.sub)
  const close: typeof stores.copies.close = async (...args) => {
    await stores.copies.close(...args)
    throw down
  }
  const lost = { ...stores, copies: { ...stores.copies, close } }
  await expect(copyConversation(lost, source)).rejects.toBe(down)
  expect(await listLeft(source.sub)).toEqual(before)
})

describe('a copy whose function died', () => {
  /** @returns when the copy hangs */
  async function leaveCopy() {
    const source = await storeWithFile()
    const { promise: reached, resolve } = Promise.withResolvers<void>()
    const close = () => {
      resolve()
      return new Promise<never>(() => undefined)
    }
    const dying = { ...stores, copies: { ...stores.copies, close } }
    void copyConversation(dying, source)
    await reached
    const listed = await stores.conversations.list(source.sub)
    expect(listed.map(({ id }) => id)).toEqual([source.sessionId])
    return source
  }

  it.each<[string, (source: Awaited<ReturnType<typeof leaveCopy>>) => Promise<unknown>]>([
    ['the deletion', (source) => deleteConversation(stores, source)],
    [
      'the deletion, with others,',
      ({ sub, sessionId }) => deleteConversations(stores, { sub, sessionIds: [sessionId] }, () => false),
    ],
  ])('goes with %s of its conversation, and so does their file', async (_, remove) => {
    const source = await leaveCopy()
    await remove(source)
    expect(await listLeft(source.sub)).toEqual({ others: [], uses: [] })
  })

  it('goes with the next copy, once no function can work on it', async () => {
    const source = await leaveCopy()
    const [open] = await stores.copies.listOpen(source.sub)
    const first = await copyConversation(stores, source)
    expect(await stores.copies.listOpen(source.sub)).toEqual([open])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    onTestFinished(() => void vi.useRealTimers())
    const second = await copyConversation(stores, source)
    expect(await stores.copies.listOpen(source.sub)).toEqual([])
    const [uses = []] = (await listLeft(source.sub)).uses
    expect(new Set(uses)).toEqual(new Set([source.sessionId, first.id, second.id]))
  })
})

it.each(['open', 'close'] as const)(
  'a conversation that is deleted while it is copied, before %s, takes the copy along',
  async (step) => {
    const source = await storeWithFile()
    const racing = async (...args: never[]) => {
      await deleteConversation(stores, source)
      return (stores.copies[step] as (...all: never[]) => Promise<unknown>)(...args)
    }
    const raced = { ...stores, copies: { ...stores.copies, [step]: racing } } as typeof stores
    await expect(copyConversation(raced, source)).rejects.toMatchObject({ code: 'session_not_found' })
    expect(await listLeft(source.sub)).toEqual({ others: [], uses: [] })
  },
)

it('a turn that is deleted while it is copied is not copied without its file', async () => {
  const source = await storeWithFile()
  let isFirst = true
  const addReferences: typeof stores.files.addReferences = async (...args) => {
    if (isFirst) await deleteTurn(stores, source)
    isFirst = false
    return stores.files.addReferences(...args)
  }
  const racing = { ...stores, files: { ...stores.files, addReferences } }
  await expect(copyConversation(racing, source)).rejects.toMatchObject({ code: 'message_not_found' })
})

it('a copy keeps its file when the conversation is deleted afterwards, and gives its part of the storage back', async () => {
  const source = await storeWithFile()
  const copy = await copyConversation(stores, source)
  expect((await fileRows.listWithStorage(source.sub)).storage.used_bytes).toBeGreaterThan(100)
  await deleteConversation(stores, source)
  expect((await listLeft(source.sub)).uses).toEqual([[copy.id]])
  await deleteConversation(stores, { sub: source.sub, sessionId: copy.id })
  expect((await fileRows.listWithStorage(source.sub)).storage.used_bytes).toBe(0)
})
