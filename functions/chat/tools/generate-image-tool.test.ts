import { DeleteObjectsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { openTestTable } from '../../../test/support/table.ts'
import { StorageFull } from '../../files/errors.ts'
import { fileRepository } from '../../files/file-repository.ts'
import { openObjectStore } from '../../platform/s3/object-store.ts'
import { generateImageTool } from './generate-image-tool.ts'

const s3 = mockClient(S3Client)
let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

beforeEach(() => {
  s3.reset()
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
})

const store = openObjectStore('uploads')

function aTool(sub: string, images: Attachment[] = []) {
  const done = async () => undefined
  return generateImageTool(
    { files: fileRepository(table), store },
    {
      sub,
      imageModel: { generate: async () => ({ bytes: Buffer.from('image'), type: 'image/png' }) },
      spending: { reserveImage: done, refundImage: done },
      onImage: (image) => images.push(image),
    },
  )
}
const draw = { prompt: 'A red cat' }
const signal = new AbortController().signal

it('CAP-13 DEC-133 the result names the attachment without a link; the image is an attachment with its prompt', async () => {
  s3.on(PutObjectCommand).resolves({})
  const images: Attachment[] = []
  const result = await aTool(crypto.randomUUID(), images).run(draw, signal)
  expect(images).toMatchObject([{ name: 'a-red-cat.png', type: 'image/png', prompt: 'A red cat' }])
  expect(result).toEqual({
    attachmentId: images[0]?.id,
    name: 'a-red-cat.png',
    shown: 'The user sees the image now.',
  })
})

it('leaves no object of an image whose row was deleted while it was stored', async () => {
  const sub = crypto.randomUUID()
  const files = fileRepository(table)
  const storedKeys = new Set<string | undefined>()
  s3.on(PutObjectCommand).callsFake(async ({ Key }: { Key?: string }) => {
    const ids = (await files.listAll(sub)).map(({ id }) => id)
    await files.remove(sub, ids)
    storedKeys.add(Key)
    return {}
  })
  s3.on(DeleteObjectsCommand).callsFake(({ Delete }: { Delete: { Objects: { Key: string }[] } }) => {
    for (const { Key } of Delete.Objects) storedKeys.delete(Key)
    return {}
  })
  await expect(aTool(sub).run(draw, signal)).rejects.toMatchObject({ code: 'attachment_not_found' })
  expect(s3.commandCalls(PutObjectCommand)).toHaveLength(1)
  expect([...storedKeys]).toEqual([])
})

it('leaves no row of an image that could not be stored', async () => {
  const sub = crypto.randomUUID()
  s3.on(PutObjectCommand).rejects(new Error('down'))
  s3.on(DeleteObjectsCommand).resolves({})
  await expect(aTool(sub).run(draw, signal)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(await fileRepository(table).listAll(sub)).toEqual([])
})

it('counts no image when the storage is full', async () => {
  const sub = crypto.randomUUID()
  const files = fileRepository(table)
  const reserveImage = vi.fn<() => Promise<void>>(async () => undefined)
  const tool = generateImageTool(
    {
      files: { ...files, requireSpace: () => Promise.reject(new StorageFull({ used: 1, limit: 1 })) },
      store,
    },
    {
      sub,
      imageModel: { generate: () => Promise.reject(new Error('is not asked')) },
      spending: { reserveImage, refundImage: async () => undefined },
      onImage: () => undefined,
    },
  )
  await expect(tool.run(draw, signal)).rejects.toMatchObject({ code: 'storage_full' })
  expect(reserveImage).not.toHaveBeenCalled()
})
