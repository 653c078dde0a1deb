import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeEach, expect, it } from 'vitest'
import { openTableAndStore } from '../../test/support/table-and-store.ts'
import { listKeys } from '../platform/s3/object-list.ts'
import { openObjectStore, ObjectStoreUnavailable, type ObjectStore } from '../platform/s3/object-store.ts'
import { s3Client } from '../platform/s3/s3-client.ts'
import { fileRepository } from './file-repository.ts'
import {
  deleteExpiredFiles,
  deleteFile,
  incomingKey,
  incomingPreviewKey,
  saveRowOrDelete,
} from './delete-files.ts'
import { deleteUserObjects } from './delete-user-objects.ts'
import { AttachmentNotFound } from './errors.ts'
import {
  indexKey,
  originalKey,
  picturesKey,
  previewKey,
  tablesKey,
  textKey,
  vectorsKey,
} from './file-links.ts'
import type { StoredFile } from './file-row.ts'

const bucket = 'uploads'
const table = await openTableAndStore(bucket)
let store: ObjectStore

beforeEach(() => {
  store = openObjectStore(bucket)
})
const put = (Key: string) => s3Client().send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'bytes' }))
async function listUserKeys(sub: string) {
  const keys = []
  for (const folder of [`users/${sub}/`, `incoming/${sub}/`])
    for await (const page of listKeys(store, folder)) keys.push(...page)
  return keys
}
const allKeys = [
  originalKey,
  previewKey,
  textKey,
  indexKey,
  vectorsKey,
  picturesKey,
  tablesKey,
  incomingKey,
  incomingPreviewKey,
]
const neverTimeUp = () => false

async function createFile(sub: string, state: StoredFile['state'] = 'ready') {
  const files = fileRepository(table)
  const id = crypto.randomUUID()
  await files.put(sub, {
    id,
    name: 'a.txt',
    type: 'text/plain',
    size: 1,
    state,
    created_at: '2026-03-01T10:00:00.000Z',
  })
  return { files, id }
}

it('deletes every object of a file, also of an unfinished upload, and of no other file', async () => {
  const sub = crypto.randomUUID()
  const { files, id } = await createFile(sub, 'incoming')
  const { id: other } = await createFile(sub)
  for (const buildKey of allKeys) await put(buildKey(sub, id))
  await put(originalKey(sub, other))
  await deleteFile({ files, store }, sub, id)
  expect(await listUserKeys(sub)).toEqual([originalKey(sub, other)])
  await expect(files.find(sub, id)).rejects.toThrow(AttachmentNotFound)
})

it('a writer that ends while a file is deleted finds no row, and deletes what it has written', async () => {
  const sub = crypto.randomUUID()
  const { files, id } = await createFile(sub)
  const remove: typeof store.remove = async (keys) => {
    await store.remove(keys)
    if (!keys.includes(originalKey(sub, id))) return
    await put(textKey(sub, id))
    const saving = saveRowOrDelete(store, [textKey(sub, id)], () =>
      files.markReady(sub, { id, type: 'text/plain' }),
    )
    await expect(saving).rejects.toThrow(AttachmentNotFound)
  }
  await deleteFile({ files, store: { ...store, remove } }, sub, id)
  expect(await listUserKeys(sub)).toEqual([])
})

it('a file whose objects could not be deleted is gone for everybody; the deletion can be repeated, and the next list repeats it', async () => {
  const sub = crypto.randomUUID()
  const [first, second] = [await createFile(sub), await createFile(sub)]
  const { files } = first
  const brokenStore = { ...store, remove: () => Promise.reject(new ObjectStoreUnavailable('down')) }
  for (const { id } of [first, second]) {
    await put(originalKey(sub, id))
    await expect(deleteFile({ files, store: brokenStore }, sub, id)).rejects.toThrow(ObjectStoreUnavailable)
    await expect(files.find(sub, id)).rejects.toThrow(AttachmentNotFound)
    await expect(files.addReference(sub, id, 's')).rejects.toThrow(AttachmentNotFound)
    expect((await files.findMany(sub, [id])).size).toBe(0)
  }
  expect(await files.list(sub)).toEqual([])
  await deleteFile({ files, store }, sub, first.id)
  const sweep = async (swept: ObjectStore) =>
    deleteExpiredFiles({ files, store: swept }, sub, {
      files: await files.listAll(sub),
      nowMs: Date.now(),
    })
  await sweep(brokenStore)
  expect(await listUserKeys(sub)).toEqual([originalKey(sub, second.id)])
  await sweep(store)
  expect([await listUserKeys(sub), await files.listAll(sub)]).toEqual([[], []])
})

it('deletes new objects only when their row is gone', async () => {
  const sub = crypto.randomUUID()
  const key = textKey(sub, 'a')
  await put(key)
  await saveRowOrDelete(store, [key], async () => undefined)
  await expect(saveRowOrDelete(store, [key], () => Promise.reject(new Error('throttled')))).rejects.toThrow(
    'throttled',
  )
  expect(await listUserKeys(sub)).toEqual([key])
  const gone = () => Promise.reject(new AttachmentNotFound('deleted'))
  await expect(saveRowOrDelete(store, [key], gone)).rejects.toThrow(AttachmentNotFound)
  expect(await listUserKeys(sub)).toEqual([])
})

it(
  'DEC-033 deletes every object of a user, with or without a row, page by page, and of nobody else',
  { tags: 'long' },
  async () => {
    const [sub, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const { id } = await createFile(sub)
    const keys = Array.from({ length: 1_001 }, (_, n) => originalKey(sub, n === 0 ? id : `f${n}`))
    // few at once: a connection that a busy machine opens late is refused after a second
    for (let start = 0; start < keys.length; start += 10)
      await Promise.all(keys.slice(start, start + 10).map(put))
    await put(incomingKey(sub, 'late'))
    for (const neighbour of [other, `${sub}x`]) await put(originalKey(neighbour, 'a'))
    const pages: number[] = []
    const watchedStore = {
      ...store,
      remove: async (page: readonly string[]) => {
        pages.push(page.length)
        await store.remove(page)
      },
    }
    expect(await deleteUserObjects(watchedStore, sub, neverTimeUp)).toBe(true)
    expect(pages).toEqual([1_000, 1, 1])
    expect(await listUserKeys(sub)).toEqual([])
    expect(await listUserKeys(other)).toHaveLength(1)
    expect(await listUserKeys(`${sub}x`)).toHaveLength(1)
  },
)

it('stops when its time is over, and continues at the next call', async () => {
  const sub = crypto.randomUUID()
  for (const buildKey of [originalKey, incomingKey]) await put(buildKey(sub, 'a'))
  const isTimeUp = () => true
  expect(await deleteUserObjects(store, sub, isTimeUp)).toBe(false)
  expect(await listUserKeys(sub)).toEqual([incomingKey(sub, 'a')])
  expect(await deleteUserObjects(store, sub, isTimeUp)).toBe(false)
  expect(await deleteUserObjects(store, sub, isTimeUp)).toBe(true)
})

it('fails when the bucket cannot be listed', async () => {
  const failingStore = { ...store, bucket: 'another' }
  await expect(deleteUserObjects(failingStore, 'ann', neverTimeUp)).rejects.toThrow(ObjectStoreUnavailable)
  const list = new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 })
  await expect(s3Client().send(list)).resolves.toMatchObject({ Name: bucket })
})
