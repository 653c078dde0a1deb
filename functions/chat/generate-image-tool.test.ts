import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { mockClient } from 'aws-sdk-client-mock'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import { openTestTable } from '../../test/support/table.ts'
import { conversationFiles } from '../files/conversation-files.ts'
import { openObjectStore } from '../platform/object-store.ts'
import { generateImageTool } from './generate-image-tool.ts'

const s3 = mockClient(S3Client)
let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

it('CAP-13 DEC-133 the result names the attachment and carries no link; the picture is an attachment with its prompt', async () => {
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
  s3.on(PutObjectCommand).resolves({})
  const images: Attachment[] = []
  const done = async () => undefined
  const tool = generateImageTool(
    { files: conversationFiles(table), store: openObjectStore('uploads') },
    {
      sub: crypto.randomUUID(),
      imageModel: { make: async () => ({ bytes: Buffer.from('picture'), type: 'image/png' }) },
      spending: { reserveImage: done, refundImage: done },
      onImage: (image) => images.push(image),
    },
  )
  const result = await tool.run({ prompt: 'A red cat' }, new AbortController().signal)
  expect(images).toMatchObject([{ name: 'a-red-cat.png', type: 'image/png', prompt: 'A red cat' }])
  expect(result).toEqual({
    attachmentId: images[0]?.id,
    name: 'a-red-cat.png',
    shown: 'The user sees the image now.',
  })
})
