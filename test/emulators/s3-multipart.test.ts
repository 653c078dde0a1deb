import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  S3Client,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { startS3Emulator } from '../../infra/local/emulators/s3/start-s3-emulator.ts'
import type { LocalServer } from '../../infra/local/listen.ts'
import { testCredentials } from '../support/credentials.ts'

const object = { Bucket: 'uploads', Key: 'exports/ann.zip' }
const MB = 1024 * 1024
const dayMs = 86_400_000
let dataDir: string
let emulator: LocalServer
let client: S3Client

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'juno-s3-parts-'))
  emulator = await startS3Emulator({
    dataDir,
    bucket: object.Bucket,
    credentials: testCredentials,
    region: 'us-east-1',
    corsOrigins: [],
    expirationRules: [{ prefix: 'exports/', afterMs: dayMs }],
  })
  client = new S3Client({
    endpoint: emulator.url,
    region: 'us-east-1',
    credentials: testCredentials,
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
})
afterEach(() => vi.useRealTimers())
afterAll(async () => {
  client.destroy()
  await emulator.close()
  await rm(dataDir, { recursive: true })
})

const beginUpload = async () =>
  (await client.send(new CreateMultipartUploadCommand({ ...object, ContentType: 'application/zip' })))
    .UploadId ?? ''
async function uploadPart(UploadId: string, PartNumber: number, bytes: number): Promise<CompletedPart> {
  const Body = Buffer.alloc(bytes, PartNumber)
  const { ETag } = await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber, Body }))
  return { PartNumber, ETag }
}
const complete = (UploadId: string, Parts: CompletedPart[]) =>
  client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }))
const abort = (UploadId: string) => client.send(new AbortMultipartUploadCommand({ ...object, UploadId }))
const head = () => client.send(new HeadObjectCommand(object))
const countFiles = async () => (await readdir(join(dataDir, 'objects', 'contents'))).length

it('joins parts in their order, whatever order they arrived in, and counts a part sent twice once', async () => {
  const id = await beginUpload()
  const last = await uploadPart(id, 3, 10)
  const first = await uploadPart(id, 1, 5 * MB)
  await uploadPart(id, 2, 5 * MB)
  const second = await uploadPart(id, 2, 6 * MB)
  const { ETag } = await complete(id, [first, second, last])
  const md5 = (bytes: number, fill: number) => createHash('md5').update(Buffer.alloc(bytes, fill)).digest()
  const hashes = Buffer.concat([md5(5 * MB, 1), md5(6 * MB, 2), md5(10, 3)])
  expect(ETag).toBe(`"${createHash('md5').update(hashes).digest('hex')}-3"`)
  expect(await head()).toMatchObject({ ContentLength: 11 * MB + 10, ContentType: 'application/zip' })
  expect(await countFiles()).toBe(1)
  await expect(complete(id, [first])).rejects.toMatchObject({ name: 'NoSuchUpload' })
})

it('refuses what S3 refuses, and keeps the upload open', async () => {
  const id = await beginUpload()
  const smallPart = await uploadPart(id, 1, 5 * MB - 1)
  const nextPart = await uploadPart(id, 2, 5)
  await expect(complete(id, [smallPart, nextPart])).rejects.toMatchObject({ name: 'EntityTooSmall' })
  await expect(complete(id, [nextPart, smallPart])).rejects.toMatchObject({ name: 'InvalidPartOrder' })
  await expect(complete(id, [smallPart, smallPart])).rejects.toMatchObject({ name: 'InvalidPartOrder' })
  await expect(complete(id, [{ ...smallPart, PartNumber: 9 }])).rejects.toMatchObject({ name: 'InvalidPart' })
  await expect(complete(id, [{ PartNumber: 1, ETag: nextPart.ETag }])).rejects.toMatchObject({
    name: 'InvalidPart',
  })
  await expect(complete(id, [])).rejects.toMatchObject({ name: 'MalformedXML' })
  await expect(uploadPart(id, 0, 5)).rejects.toMatchObject({ name: 'InvalidArgument' })
  await expect(uploadPart(id, 10_001, 5)).rejects.toMatchObject({ name: 'InvalidArgument' })
  await expect(uploadPart('none', 1, 5)).rejects.toMatchObject({ name: 'NoSuchUpload' })
  await complete(id, [smallPart])
})

it('deletes an aborted upload, and an unfinished one after a day', async () => {
  const before = await countFiles()
  const id = await beginUpload()
  await uploadPart(id, 1, 5)
  expect(await countFiles()).toBe(before + 1)
  await abort(id)
  expect(await countFiles()).toBe(before)
  await expect(abort(id)).rejects.toMatchObject({ name: 'NoSuchUpload' })

  const abandonedId = await beginUpload()
  await uploadPart(abandonedId, 1, 5)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + dayMs + 3_600_001 })
  await head().catch(() => undefined)
  await vi.waitFor(async () => expect(await countFiles()).toBe(0))
})
