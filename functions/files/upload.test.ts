import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, it } from 'vitest'
import { openTableAndStore } from '../../test/support/table-and-store.ts'
import { ObjectStoreUnavailable, openObjectStore } from '../platform/s3/object-store.ts'
import { s3Client } from '../platform/s3/s3-client.ts'
import { fileRepository } from './file-repository.ts'
import { deleteExpiredFiles, incomingKey, incomingPreviewKey } from './delete-files.ts'
import { AttachmentNotFound, UploadMissing } from './errors.ts'
import { originalKey, previewKey } from './file-links.ts'
import { completeUpload } from './upload.ts'

const bucket = 'uploads'
const png = Buffer.from('\x89PNG\r\n\x1a\n rest of the image', 'latin1')
const program = Buffer.from('MZ a program')
const table = await openTableAndStore(bucket)

/** Uploads an image whose object at `buildTargetKey` is replaced just before it is copied. */
async function uploadReplacedBeforeCopy(buildTargetKey: (sub: string, id: string) => string) {
  const files = fileRepository(table)
  const client = s3Client()
  const store = openObjectStore(bucket)
  const [sub, id] = [crypto.randomUUID(), crypto.randomUUID()]
  const put = (Key: string, Body: Uint8Array) =>
    client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  await put(incomingKey(sub, id), png)
  await put(incomingPreviewKey(sub, id), png)
  const image = { type: 'image/png', size: png.length }
  const created_at = new Date().toISOString()
  await files.put(sub, { id, name: 'a.png', ...image, state: 'incoming', created_at, preview: image })
  const target = buildTargetKey(sub, id)
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        const { CopySource = '' } = request.input as { CopySource?: string }
        if (commandName === 'CopyObjectCommand' && decodeURIComponent(CopySource) === `${bucket}/${target}`)
          await put(target, program)
        return next(request)
      },
    { step: 'initialize' },
  )
  const read = (Key: string) =>
    client
      .send(new GetObjectCommand({ Bucket: bucket, Key }))
      .then(({ Body }) => Body?.transformToString('latin1'))
      .catch(() => undefined)
  return { deps: { files, store, startReading: async () => undefined }, sub, id, read }
}

it('refuses an upload that is replaced between the check of its first bytes and the copy (L8)', async () => {
  const { deps, sub, id, read } = await uploadReplacedBeforeCopy(incomingKey)
  await expect(completeUpload(deps, sub, id)).rejects.toThrow(UploadMissing)
  expect(await read(originalKey(sub, id))).toBeUndefined()
  expect((await deps.files.find(sub, id)).state).toBe('incoming')
})

it('leaves out a preview that is replaced before the copy (L8)', async () => {
  const { deps, sub, id, read } = await uploadReplacedBeforeCopy(incomingPreviewKey)
  const completedFile = await completeUpload(deps, sub, id)
  expect(completedFile).toMatchObject({ state: 'ready' })
  expect(completedFile.preview).toBeUndefined()
  expect(await read(previewKey(sub, id))).toBeUndefined()
  expect(await read(originalKey(sub, id))).toBe(png.toString('latin1'))
})

it('leaves out a preview whose bytes are no image of its type', async () => {
  const startReading = async () => undefined
  const deps = { files: fileRepository(table), store: openObjectStore(bucket), startReading }
  const [sub, id] = [crypto.randomUUID(), crypto.randomUUID()]
  const image = { type: 'image/png', size: png.length }
  for (const [Key, Body] of [
    [incomingKey(sub, id), png],
    [incomingPreviewKey(sub, id), program],
  ] as const)
    await s3Client().send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  const created_at = new Date().toISOString()
  await deps.files.put(sub, { id, name: 'a.png', ...image, state: 'incoming', created_at, preview: image })
  expect(await completeUpload(deps, sub, id)).toMatchObject({ state: 'ready' })
  expect((await deps.files.find(sub, id)).preview).toBeUndefined()
  expect(await deps.store.read(previewKey(sub, id))).toBeUndefined()
})

/** Runs an action once, before the first request that matches. */
function runOnceBefore(
  action: () => Promise<unknown>,
  isMatch: (command: string, input: { Key?: string }) => boolean,
) {
  let isDone = false
  s3Client().middlewareStack.add(
    (next, { commandName = '' }) =>
      async (request) => {
        if (!isDone && isMatch(commandName, request.input as { Key?: string })) {
          isDone = true
          await action()
        }
        return next(request)
      },
    { step: 'initialize' },
  )
}

async function uploadImage() {
  const files = fileRepository(table)
  const [sub, id] = [crypto.randomUUID(), crypto.randomUUID()]
  const store = openObjectStore(bucket)
  const put = (Key: string) => s3Client().send(new PutObjectCommand({ Bucket: bucket, Key, Body: png }))
  await Promise.all([put(incomingKey(sub, id)), put(incomingPreviewKey(sub, id))])
  const image = { type: 'image/png', size: png.length }
  const created_at = new Date().toISOString()
  await files.put(sub, { id, name: 'a.png', ...image, state: 'incoming', created_at, preview: image })
  /** Whether the original, the preview, and the incoming objects of both exist. */
  const checkObjects = async () =>
    Promise.all(
      [originalKey, previewKey, incomingKey, incomingPreviewKey].map(
        async (buildKey) => (await store.read(buildKey(sub, id))) !== undefined,
      ),
    )
  return { deps: { files, store, startReading: async () => undefined }, sub, id, checkObjects }
}

it('leaves no object of an upload that is deleted before it is complete', async () => {
  const { deps, sub, id, checkObjects } = await uploadImage()
  // the row is deleted after the deletion has listed the objects
  runOnceBefore(
    () => deps.files.remove(sub, [id]),
    (command, { Key }) => command === 'CopyObjectCommand' && Key === originalKey(sub, id),
  )
  await expect(completeUpload(deps, sub, id)).rejects.toThrow(AttachmentNotFound)
  expect(await checkObjects()).toEqual([false, false, false, false])
})

it.each([
  ['before the original is read', 'GetObjectCommand', incomingKey],
  ['before the original is copied', 'CopyObjectCommand', originalKey],
  ['before the preview is read', 'GetObjectCommand', incomingPreviewKey],
  ['before the preview is copied', 'CopyObjectCommand', previewKey],
] as const)(
  'an upload that two requests complete has its preview in both: the other ends %s',
  async (_, name, buildKey) => {
    const { deps, sub, id, checkObjects } = await uploadImage()
    let other: Promise<unknown> | undefined
    runOnceBefore(
      () => (other = completeUpload(deps, sub, id)),
      (command, { Key }) => command === name && Key === buildKey(sub, id),
    )
    const completedFile = await completeUpload(deps, sub, id)
    expect(completedFile).toMatchObject({ state: 'ready', preview: { type: 'image/png' } })
    expect(await other).toEqual(completedFile)
    expect(await deps.files.find(sub, id)).toEqual(completedFile)
    expect(await checkObjects()).toEqual([true, true, false, false])
  },
)

it('an upload whose copy fails is deleted with its objects after a day, and its bytes are free again', async () => {
  const { deps, sub, id, checkObjects } = await uploadImage()
  const { files } = deps
  runOnceBefore(
    () => Promise.reject(new Error('S3 is busy')),
    (command) => command === 'CopyObjectCommand',
  )
  await expect(completeUpload(deps, sub, id)).rejects.toThrow(ObjectStoreUnavailable)
  expect((await files.listWithStorage(sub)).storage.used_bytes).toBeGreaterThan(0)
  const dayMs = 86_400_000
  const remove = async (nowMs: number) =>
    deleteExpiredFiles(deps, sub, { files: (await files.listWithStorage(sub)).all, nowMs })
  expect(await remove(Date.now() + dayMs / 2)).toBe(false)
  expect(await remove(Date.now() + 2 * dayMs)).toBe(true)
  expect(await files.listAll(sub)).toEqual([])
  expect((await files.listWithStorage(sub)).storage.used_bytes).toBe(0)
  expect(await checkObjects()).toEqual([false, false, false, false])
})

it('a completed upload does not expire', async () => {
  const { deps, sub, id } = await uploadImage()
  await completeUpload(deps, sub, id)
  expect(await deps.files.find(sub, id)).not.toHaveProperty('expires_at')
  expect(await deps.files.beginMove(sub, id, Date.now())).toBe(false)
})
