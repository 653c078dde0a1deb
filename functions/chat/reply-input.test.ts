import { DeleteObjectsCommand, S3Client } from '@aws-sdk/client-s3'
import { mockClient } from 'aws-sdk-client-mock'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { saying } from '../../test/support/turns.ts'
import { conversationFiles } from '../files/conversation-files.ts'
import { logger } from '../platform/logger.ts'
import { openObjectStore } from '../platform/object-store.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import { emptyProgress } from './progress.ts'
import { replyInput } from './reply-input.ts'

process.env['LOG_LEVEL'] = 'silent'
const s3 = mockClient(S3Client)
let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())
beforeEach(() => {
  s3.reset()
  s3.on(DeleteObjectsCommand).resolves({})
})

const nothing = async () => undefined
const connected = { integrations: [], custom: [] }

/** A reply to a message with a file, in which an image is made, once it is done. @returns the files that are left */
async function filesAfterReply(settings: { store_uploads: boolean; kept: boolean }) {
  const sub = crypto.randomUUID()
  const attached = { files: conversationFiles(table), store: openObjectStore('uploads') }
  const put = async (id: string, made: object) => {
    const file = { id, name: id, type: 'image/png', size: 1, state: 'ready' as const, ...made }
    const stored = { ...file, created_at: new Date().toISOString() }
    await attached.files.put(sub, stored)
    return { id, name: id, type: file.type, size: 1 }
  }
  const uploaded = await put('uploaded', {})
  const made = await put('made', { is_generated: true, prompt: 'A red cat' })
  await put('other', {})
  const progress = { ...emptyProgress(), attachments: [made] }
  const input = replyInput(
    { requestId: 'r', receivedAtMs: 0, remainingMs: () => 300_000, log: logger },
    {
      model: saying('Here it is.'),
      imageModel: undefined,
      assistantName: 'Ada',
      attached,
      profiles: { find: nothing },
      settings: {
        find: async () => ({ keep_conversations: true, store_uploads: settings.store_uploads, theme: null }),
      },
      toolBox: {
        listConnected: async () => connected,
        loadTools: async () => ({ tools: [], unreachable: [], isAllowed: () => false }),
        allow: nothing,
        record: nothing,
      },
    },
    {
      sub,
      user: {
        profile: undefined,
        settings: { ...settings, keep_conversations: true, theme: null },
        connected,
      },
      said: [{ role: 'user', content: 'Draw a red cat', attachments: [uploaded] }],
      hints: {},
      kept: settings.kept,
      progress,
      reply: new ReplyLog(),
      spending: { reserve: nothing, spend: () => undefined, reserveImage: nothing, refundImage: nothing },
    },
  )
  await input.release?.()
  return (await attached.files.listAll(sub)).map(({ id }) => id).toSorted()
}

it.each([
  [{ store_uploads: false, kept: true }, ['other']],
  [{ store_uploads: true, kept: true }, ['made', 'other', 'uploaded']],
])('SET-13 DEC-033 of a reply with %j there stay %j: made images go like uploads', async (settings, left) => {
  expect(await filesAfterReply(settings)).toEqual(left)
  const keys = s3
    .commandCalls(DeleteObjectsCommand)
    .flatMap(({ args: [{ input }] }) => (input.Delete?.Objects ?? []).map(({ Key = '' }) => Key))
  expect(keys.some((key) => key.includes('/made/'))).toBe(!left.includes('made'))
})
