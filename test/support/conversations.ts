import { afterAll } from 'vitest'
import type { Message } from '#shared/contracts/messages.ts'
import { emptyReply, type ReplyState } from '#shared/reply/reply-state.ts'
import type { PendingCall, Run, Transcript } from '../../functions/conversations/store/run.ts'
import { openConversationStores } from '../../functions/conversations/store/conversation-stores.ts'
import { fileRepository } from '../../functions/files/file-repository.ts'
import { openObjectStore } from '../../functions/platform/s3/object-store.ts'
import type { StoredMessage } from '../../functions/conversations/store/message-row.ts'
import type { Table } from '../../functions/platform/dynamodb/table.ts'
import { openTestTable } from './table.ts'

/** Conversation stores over a table, for tests without objects in a bucket. */
export const openStores = (table: Table) =>
  openConversationStores(table, { files: fileRepository(table), store: openObjectStore('none') })

/** Conversation stores over a new table. */
export async function openTestStores() {
  const table = await openTestTable()
  return { ...openStores(table), table, close: () => table.close() }
}

/** The conversation stores of a test file; closes them after its last test. */
export async function openSharedStores(): Promise<TestStores> {
  const stores = await openTestStores()
  afterAll(() => stores.close())
  return stores
}

export type TestStores = Awaited<ReturnType<typeof openTestStores>>

/** A conversation with unique ids, because tests share a table. */
export const newConversationIds = () => ({ sub: crypto.randomUUID(), sessionId: crypto.randomUUID() })

export const aRun = (changes: Partial<Run> & Pick<Run, 'sub' | 'sessionId'>): Run => ({
  runId: crypto.randomUUID(),
  turn: 1,
  messageId: 'm-1',
  replyId: crypto.randomUUID(),
  status: 'running',
  isSaved: true,
  startedAtMs: Date.now(),
  heartbeatAtMs: Date.now(),
  fileIds: [],
  epoch: 1,
  watchedUntilMs: 0,
  pending: [],
  ...changes,
})

/** A call that waits for its approval. */
export const aPendingCall = (changes: Partial<PendingCall> = {}): PendingCall => ({
  callId: 'c',
  kind: 'approval',
  tool: 'send',
  title: 'Send',
  fingerprint: 'f',
  arguments: '{"to":"ann"}',
  askedAtMs: Date.parse('2026-03-01T12:00:00Z'),
  ...changes,
})

/** What a run that waits after this reply has stored. */
export const aTranscript = (
  reply: Partial<ReplyState> = {},
  changes: Partial<Transcript> = {},
): Transcript => ({ messages: [], reply: { ...emptyReply, ...reply }, position: 9, ...changes })

export const aMessage = (
  changes: Partial<StoredMessage> & Pick<StoredMessage, 'session_id'>,
): StoredMessage => ({
  id: crypto.randomUUID(),
  role: 'user',
  content: 'Hello',
  attachments: [],
  tool_calls: [],
  created_at: new Date().toISOString(),
  turn: 1,
  kind: 'user',
  ...changes,
})

export const toTranscript = (messages: readonly Message[]) =>
  messages.map(({ role, content }) => [role, content])
