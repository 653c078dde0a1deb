import { DeleteObjectsCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { openTestTable } from '../../test/support/table.ts'
import { fileRepository } from '../files/file-repository.ts'
import { openObjectStore, ObjectStoreUnavailable } from '../platform/s3/object-store.ts'
import { deleteConversation } from './delete-conversation.ts'
import { openConversationStores } from './conversation-stores.ts'

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

/** A user with a conversation, and one file that it uses. */
async function conversation() {
  const sub = crypto.randomUUID()
  const file = { id: 'f', name: 'a.txt', type: 'text/plain', size: 1, state: 'ready' as const }
  const at = new Date().toISOString()
  await files().put(sub, { ...file, created_at: at })
  await stores().conversations.upsert(sub, 's', { title: 'A', added: 1, at, retitle: false })
  await stores().files.addReferences(sub, 's', [file])
  return { sub, sessionId: 's' }
}

it('DEC-006 a deletion that the store cut off is repeated to its end, the conversation listed no more meanwhile', async () => {
  const place = await conversation()
  s3.on(DeleteObjectsCommand).rejectsOnce(new Error('down')).resolves({})
  await expect(deleteConversation(stores(), place)).rejects.toThrow(ObjectStoreUnavailable)
  expect(await stores().conversations.list(place.sub)).toEqual([])
  expect(await files().list(place.sub)).toHaveLength(1)
  await deleteConversation(stores(), place)
  expect(await files().list(place.sub)).toEqual([])
})

it('counts a file once per conversation, and forgets one that was deleted meanwhile', async () => {
  const place = await conversation()
  const file = await files().find(place.sub, 'f')
  await stores().files.addReferences(place.sub, 's', [file])
  await stores().files.addReferences(place.sub, 't', [file, { ...file, id: 'gone' }])
  expect((await files().find(place.sub, 'f')).used_in).toEqual(new Set(['s', 't']))
  await deleteConversation(stores(), place)
  expect((await files().find(place.sub, 'f')).used_in).toEqual(new Set(['t']))
  expect(s3.commandCalls(DeleteObjectsCommand)).toEqual([])
})

it('deletes the objects of a finished file by the keys that its user owns', async () => {
  const { sub, sessionId } = await conversation()
  await deleteConversation(stores(), { sub, sessionId })
  const [call] = s3.commandCalls(DeleteObjectsCommand)
  expect(call?.args[0].input.Delete?.Objects).toEqual(
    ['original', 'preview', 'text'].map((part) => ({ Key: `users/${sub}/f/${part}` })),
  )
})
