import { DeleteObjectsCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { openTestTable } from '../../test/support/table.ts'
import { fileRepository } from '../files/file-repository.ts'
import { openObjectStore, ObjectStoreUnavailable } from '../platform/s3/object-store.ts'
import { deleteConversation } from './delete-conversation.ts'
import { openConversationStores } from './store/conversation-stores.ts'

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

const files = () => fileRepository(table)
const stores = () => openConversationStores(table, { files: files(), store: openObjectStore('uploads') })

/** Stores a conversation of a new user, and one file that it uses. */
async function storeConversation() {
  const sub = crypto.randomUUID()
  const file = { id: 'f', name: 'a.txt', type: 'text/plain', size: 1, state: 'ready' as const }
  const at = new Date().toISOString()
  await files().put(sub, { ...file, created_at: at })
  await stores().conversations.upsert(sub, 's', { title: 'A', addedMessages: 1, at, replacesTitle: false })
  await stores().files.addReferences(sub, 's', [file])
  return { sub, sessionId: 's' }
}

it('DEC-006 a deletion that the store interrupted can be repeated; the conversation is no longer listed', async () => {
  const conversation = await storeConversation()
  s3.on(DeleteObjectsCommand).rejectsOnce(new Error('down')).resolves({})
  await expect(deleteConversation(stores(), conversation)).rejects.toThrow(ObjectStoreUnavailable)
  expect(await stores().conversations.list(conversation.sub)).toEqual([])
  expect(await files().list(conversation.sub)).toEqual([])
  expect(await files().listAll(conversation.sub)).toHaveLength(1)
  await deleteConversation(stores(), conversation)
  expect(await files().listAll(conversation.sub)).toEqual([])
})

it('records each conversation that uses a file once, and skips files that were deleted meanwhile', async () => {
  const conversation = await storeConversation()
  const file = await files().find(conversation.sub, 'f')
  await stores().files.addReferences(conversation.sub, 's', [file])
  await stores().files.addReferences(conversation.sub, 't', [file, { ...file, id: 'gone' }])
  expect((await files().find(conversation.sub, 'f')).used_in).toEqual(new Set(['s', 't']))
  await deleteConversation(stores(), conversation)
  expect((await files().find(conversation.sub, 'f')).used_in).toEqual(new Set(['t']))
  expect(s3.commandCalls(DeleteObjectsCommand)).toEqual([])
})

it('deletes a file that only conversations deleted together use, and keeps one that another uses', async () => {
  const { sub } = await storeConversation()
  const file = await files().find(sub, 'f')
  await files().put(sub, { ...file, id: 'g' })
  await stores().files.addReferences(sub, 't', [file, { ...file, id: 'g' }])
  await stores().files.addReferences(sub, 'u', [{ ...file, id: 'g' }])
  await stores().files.deleteConversationFiles(sub, ['s', 't'])
  expect((await files().list(sub)).map(({ id }) => id)).toEqual(['g'])
  expect((await files().find(sub, 'g')).used_in).toEqual(new Set(['u']))
})

it('looks at the named files alone', async () => {
  const { sub } = await storeConversation()
  const file = await files().find(sub, 'f')
  await files().put(sub, { ...file, id: 'g', used_in: new Set(['s']) })
  await stores().files.deleteConversationFiles(sub, ['s'], new Set(['g']))
  expect((await files().list(sub)).map(({ id }) => id)).toEqual(['f'])
})

it('deletes all objects of a file under its user’s keys', async () => {
  const { sub, sessionId } = await storeConversation()
  await deleteConversation(stores(), { sub, sessionId })
  const [call] = s3.commandCalls(DeleteObjectsCommand)
  expect(call?.args[0].input.Delete?.Objects).toEqual(
    ['original', 'preview', 'text', 'search', 'vectors', 'pages', 'tables-1'].map((part) => ({
      Key: `users/${sub}/f/${part}`,
    })),
  )
})
