import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { startTestStore } from '../../test/support/test-store.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import { s3Client } from '../platform/s3/s3-client.ts'
import { attachmentRepository } from './file-repository.ts'
import { incomingKey, incomingPreviewKey } from './delete-files.ts'
import { AttachmentNotFound, UploadMissing } from './errors.ts'
import { originalKey, previewKey } from './file-links.ts'
import { completeUpload } from './upload.ts'

const bucket = 'uploads'
const png = Buffer.from('\x89PNG\r\n\x1a\n rest of the picture', 'latin1')
const program = Buffer.from('MZ a program')
let objects: Awaited<ReturnType<typeof startTestStore>>
let table: Awaited<ReturnType<typeof openTestTable>>

beforeAll(async () => {
  objects = await startTestStore(bucket)
  table = await openTestTable()
})
beforeEach(() => {
  for (const [name, value] of Object.entries(objects.variables)) vi.stubEnv(name, value)
})
afterAll(async () => {
  await objects.close()
  await table.close()
})

/** A picture that arrived, whose object at `attacked` is replaced the moment before it is copied. */
async function replacedBeforeCopy(attacked: (sub: string, id: string) => string) {
  const files = attachmentRepository(table)
  const client = s3Client()
  const store = openObjectStore(bucket)
  const [sub, id] = [crypto.randomUUID(), crypto.randomUUID()]
  const put = (Key: string, Body: Uint8Array) =>
    client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  await put(incomingKey(sub, id), png)
  await put(incomingPreviewKey(sub, id), png)
  const picture = { type: 'image/png', size: png.length }
  const created_at = new Date().toISOString()
  await files.put(sub, { id, name: 'a.png', ...picture, state: 'incoming', created_at, preview: picture })
  const target = attacked(sub, id)
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
  return { attached: { files, store }, sub, id, read }
}

it('an upload that is replaced between the look at its first bytes and the copy is not adopted (L8)', async () => {
  const { attached, sub, id, read } = await replacedBeforeCopy(incomingKey)
  await expect(completeUpload(attached, sub, id)).rejects.toThrow(UploadMissing)
  expect(await read(originalKey(sub, id))).toBeUndefined()
  expect((await attached.files.find(sub, id)).state).toBe('incoming')
})

it('a preview that is replaced before the copy is left out (L8)', async () => {
  const { attached, sub, id, read } = await replacedBeforeCopy(incomingPreviewKey)
  const finished = await completeUpload(attached, sub, id)
  expect(finished).toMatchObject({ state: 'ready' })
  expect(finished.preview).toBeUndefined()
  expect(await read(previewKey(sub, id))).toBeUndefined()
  expect(await read(originalKey(sub, id))).toBe(png.toString('latin1'))
})

/** What a request is about to send, with something happening before; once. */
function before(
  happens: () => Promise<unknown>,
  isIt: (command: string, input: { Key?: string }) => boolean,
) {
  let isDone = false
  s3Client().middlewareStack.add(
    (next, { commandName = '' }) =>
      async (request) => {
        if (!isDone && isIt(commandName, request.input as { Key?: string })) {
          isDone = true
          await happens()
        }
        return next(request)
      },
    { step: 'initialize' },
  )
}

async function arrivedPicture() {
  const files = attachmentRepository(table)
  const [sub, id] = [crypto.randomUUID(), crypto.randomUUID()]
  const store = openObjectStore(bucket)
  const put = (Key: string) => s3Client().send(new PutObjectCommand({ Bucket: bucket, Key, Body: png }))
  await Promise.all([put(incomingKey(sub, id)), put(incomingPreviewKey(sub, id))])
  const picture = { type: 'image/png', size: png.length }
  const created_at = new Date().toISOString()
  await files.put(sub, { id, name: 'a.png', ...picture, state: 'incoming', created_at, preview: picture })
  const stored = async () =>
    Promise.all(
      [originalKey, previewKey, incomingKey, incomingPreviewKey].map(
        async (keyOf) => (await store.read(keyOf(sub, id))) !== undefined,
      ),
    )
  return { attached: { files, store }, sub, id, stored }
}

it('leaves no object of an upload that is deleted before it is complete', async () => {
  const { attached, sub, id, stored } = await arrivedPicture()
  // the row went after the deletion had looked for objects
  before(
    () => attached.files.remove(sub, [id]),
    (command, { Key }) => command === 'CopyObjectCommand' && Key === originalKey(sub, id),
  )
  await expect(completeUpload(attached, sub, id)).rejects.toThrow(AttachmentNotFound)
  expect(await stored()).toEqual([false, false, false, false])
})

it.each([
  ['before the original is looked at', 'GetObjectCommand', incomingKey],
  ['before the original is copied', 'CopyObjectCommand', originalKey],
  ['before the preview is looked at', 'GetObjectCommand', incomingPreviewKey],
  ['before the preview is copied', 'CopyObjectCommand', previewKey],
] as const)(
  'two requests that complete one upload both give it its preview: the other ends %s',
  async (_, name, keyOf) => {
    const { attached, sub, id, stored } = await arrivedPicture()
    let other: Promise<unknown> | undefined
    before(
      () => (other = completeUpload(attached, sub, id)),
      (command, { Key }) => command === name && Key === keyOf(sub, id),
    )
    const finished = await completeUpload(attached, sub, id)
    expect(finished).toMatchObject({ state: 'ready', preview: { type: 'image/png' } })
    expect(await other).toEqual(finished)
    expect(await attached.files.find(sub, id)).toEqual(finished)
    expect(await stored()).toEqual([true, true, false, false])
  },
)
