import { DeleteObjectsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { openTestTable } from '../../../test/support/table.ts'
import { storageFull } from '../../files/errors.ts'
import { fileRepository } from '../../files/file-repository.ts'
import { openObjectStore } from '../../platform/s3/object-store.ts'
import type { ImageModel } from '../../models/image-model.ts'
import { ModelError, modelErrors } from '../../models/model-errors.ts'
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

function aTool(
  sub: string,
  images: Attachment[] = [],
  generate: ImageModel['generate'] = async () => ({ bytes: Buffer.from('image'), type: 'image/png' }),
) {
  const done = async () => undefined
  return generateImageTool(
    { files: fileRepository(table), store, startReading: async () => undefined },
    {
      sub,
      imageModel: { generate },
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
    shown: sayOwnTool('own_tool.image_shown'),
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
  s3.on(DeleteObjectsCommand).callsFake(async ({ Delete }: { Delete: { Objects: { Key: string }[] } }) => {
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
      files: { ...files, requireSpace: () => Promise.reject(storageFull({ used: 1, limit: 1 })) },
      store,
      startReading: async () => undefined,
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

it.each([
  ['A red cat', 'image/png', 'a-red-cat.png'],
  ['One, two; THREE four five six seven', 'image/jpeg', 'one-two-three-four-five-six.jpg'],
  ['私の猫 2', 'image/webp', '私の猫-2.webp'],
  ['...', 'image/png', 'image.png'],
  ['w'.repeat(61), 'image/png', `${'w'.repeat(60)}.png`],
] as const)('an image of %j as %s is the file %s', async (prompt, type, name) => {
  s3.on(PutObjectCommand).resolves({})
  const images: Attachment[] = []
  await aTool(crypto.randomUUID(), images, async () => ({ bytes: Buffer.from('image'), type })).run(
    { prompt },
    signal,
  )
  expect(images).toMatchObject([{ name, type, size: 5, isGenerated: true }])
})

it('has a row before its object, which becomes ready after it', async () => {
  const sub = crypto.randomUUID()
  const files = fileRepository(table)
  const states: unknown[] = []
  s3.on(PutObjectCommand).callsFake(
    async ({ Body, ContentType }: { Body?: unknown; ContentType?: string }) => {
      states.push(
        (await files.listAll(sub)).map(({ state }) => state),
        String(Body),
        ContentType,
      )
      return {}
    },
  )
  await aTool(sub).run(draw, signal)
  expect(states).toEqual([['incoming'], 'image', 'image/png'])
  expect(await files.listAll(sub)).toMatchObject([
    {
      state: 'ready',
      is_generated: true,
      prompt: 'A red cat',
      created_at: expect.stringContaining('T') as string,
    },
  ])
})

it.each<[string, unknown, number]>([
  ['that its model refused', new ModelError(modelErrors.key, 'x'), 1],
  ['that broke off, which is billed', new ModelError(modelErrors.unreachable, 'x'), 0],
  ['that failed for no known reason', new Error('x'), 0],
  ['that failed without an error', 'x', 0],
])('an image %s is refunded or not', async (_, error, refunds) => {
  const refundImage = vi.fn<() => Promise<void>>(async () => undefined)
  const reserveImage = vi.fn<() => Promise<void>>(async () => undefined)
  const requireSpace = vi.fn<(sub: string, bytes: number) => Promise<void>>(async () => undefined)
  const tool = generateImageTool({ files: { requireSpace }, store } as never, {
    sub: 'ann',
    imageModel: { generate: () => Promise.reject(error as Error) },
    spending: { reserveImage, refundImage },
    onImage: () => undefined,
  })
  await expect(tool.run(draw, signal)).rejects.toBe(error)
  expect([reserveImage.mock.calls.length, refundImage.mock.calls.length]).toEqual([1, refunds])
  expect(requireSpace.mock.calls).toEqual([['ann', 4 * 1024 * 1024]])
})

it('a prompt has 4,000 characters at most, and an image two minutes', () => {
  const { parameters, ...tool } = aTool('ann')
  expect(tool).toMatchObject({
    name: 'generate_image',
    writes: false,
    activity: 'image_generation',
    timeoutMs: 120_000,
  })
  expect(parameters.check({ prompt: ' A cat ' })).toEqual({ input: { prompt: 'A cat' } })
  expect(parameters.check({ prompt: 'x'.repeat(4_000) })).toHaveProperty('input')
  for (const prompt of [' ', 'x'.repeat(4_001)])
    expect(parameters.check({ prompt })).toHaveProperty('problem')
})
