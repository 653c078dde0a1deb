import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { makeZip } from 'client-zip'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { s3Client } from '../platform/s3/s3-client.ts'
import { s3ObjectStore } from '../platform/s3/s3-object-store.ts'
import { storeExport } from './store-export.ts'

const MB = 1024 * 1024
Object.assign(process.env, {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
})
const s3 = mockClient(S3Client)
const store = s3ObjectStore('uploads')
let upload: { bytes: number; sizes: number[]; end: Buffer }

beforeEach(() => {
  s3.reset()
  upload = { bytes: 0, sizes: [], end: Buffer.alloc(0) }
  s3.on(CreateMultipartUploadCommand).resolves({ UploadId: 'u' })
  s3.on(UploadPartCommand).callsFake(({ Body, PartNumber }: { Body: Buffer; PartNumber: number }) => {
    upload.bytes += Body.length
    upload.sizes.push(Body.length)
    upload.end = Buffer.from(Body.subarray(-22))
    return { ETag: `"${PartNumber}"` }
  })
  s3.on(CompleteMultipartUploadCommand).resolves({})
  s3.on(AbortMultipartUploadCommand).resolves({})
  s3.on(DeleteObjectsCommand).resolves({})
})

const noErasure = { isErasing: async () => false }
const countCalls = (command: Parameters<typeof s3.commandCalls>[0]) => s3.commandCalls(command).length

/** An object that is generated while it is read. */
function generateObject(bytes: number) {
  const chunk = new Uint8Array(MB)
  let left = bytes
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(chunk.subarray(0, Math.min(MB, left)))
      left -= MB
      if (left <= 0) controller.close()
    },
  })
}
async function* generateFiles(count: number, bytes: number) {
  for (let index = 0; index < count; index += 1)
    yield { name: `files/${index}.mp4`, input: generateObject(bytes) }
}
const buildZip = (count: number, bytes: number) =>
  makeZip(generateFiles(count, bytes)) as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>
const runExport = (zip: AsyncIterable<Uint8Array>, remainingMs = 900_000, revocation = noErasure) =>
  storeExport({ store, revocation }, { sub: 'ann', zip, remainingMs })

it('DEC-033 stores an archive of 600 MB within bounded memory', { tags: 'long' }, async () => {
  const before = process.memoryUsage().arrayBuffers
  let peakBytes = 0
  const watcher = setInterval(
    () => (peakBytes = Math.max(peakBytes, process.memoryUsage().arrayBuffers - before)),
    5,
  )
  const { size } = await runExport(buildZip(3, 200 * MB)).finally(() => clearInterval(watcher))
  expect(peakBytes).toBeLessThan(100 * MB)
  expect(size).toBeGreaterThan(600 * MB)
  expect(size).toBe(upload.bytes)
})

it('DEC-033 stores an archive in parts, and returns a link that is valid for an hour', async () => {
  const result = await runExport(buildZip(3, 10 * MB))
  expect(result.size).toBeGreaterThan(30 * MB)
  expect(result.size).toBe(upload.bytes)
  expect(new Set(upload.sizes.slice(0, -1))).toEqual(new Set([8 * MB]))
  expect(upload.end.subarray(0, 4)).toEqual(Buffer.from('PK\u0005\u0006', 'latin1'))
  const { Parts = [] } =
    s3.commandCalls(CompleteMultipartUploadCommand)[0]?.args[0].input.MultipartUpload ?? {}
  expect(Parts).toEqual(upload.sizes.map((_, index) => ({ ETag: `"${index + 1}"`, PartNumber: index + 1 })))
  const link = new URL(result.url)
  expect(link.pathname).toBe('/exports/ann.zip')
  expect(link.searchParams.get('X-Amz-Expires')).toBe('3600')
  expect(Date.parse(result.ends_at) - Date.now()).toBeLessThanOrEqual(3_600_000)
})

it('stores an archive smaller than a part as one part', async () => {
  const { size } = await runExport(buildZip(1, 10))
  expect(upload.sizes).toEqual([size])
})

it('says that a link ends no later than the credentials that sign it', async () => {
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const expiration = new Date(Date.now() + 600_000)
  const credentials = vi.spyOn(s3Client().config, 'credentials').mockResolvedValue({ ...keys, expiration })
  onTestFinished(() => credentials.mockRestore())
  expect((await runExport(buildZip(1, 10))).ends_at).toBe(expiration.toISOString())
})

it('leaves no object when the archive cannot be read to its end', async () => {
  async function* failAfterOneChunk() {
    yield new Uint8Array(9 * MB)
    throw new Error('the store went away')
  }
  await expect(runExport(failAfterOneChunk())).rejects.toThrow('the store went away')
  expect([countCalls(AbortMultipartUploadCommand), countCalls(CompleteMultipartUploadCommand)]).toEqual([
    1, 0,
  ])
})

it.each([UploadPartCommand, CompleteMultipartUploadCommand])(
  'leaves no object when %o fails',
  async (command) => {
    s3.on(command as typeof UploadPartCommand).rejects(new Error('no'))
    await expect(runExport(buildZip(1, 9 * MB))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(countCalls(AbortMultipartUploadCommand)).toBe(1)
  },
)

it('reports why an upload failed even when it cannot be aborted', async () => {
  s3.on(UploadPartCommand).rejects(new Error('no'))
  s3.on(AbortMultipartUploadCommand).rejects(new Error('no either'))
  await expect(runExport(buildZip(1, 10))).rejects.toMatchObject({ code: 'store_unavailable' })
})

it('stops before its function times out, and leaves no object', async () => {
  await expect(runExport(buildZip(3, 20 * MB), 10_001)).rejects.toMatchObject({ code: 'export_unfinished' })
  expect([countCalls(AbortMultipartUploadCommand), countCalls(CompleteMultipartUploadCommand)]).toEqual([
    1, 0,
  ])
})

it.each([
  ['is erased meanwhile', async () => true, { code: 'invalid_token' }],
  ['may be erased meanwhile', () => Promise.reject(new Error('throttled')), { message: 'throttled' }],
])('deletes the archive of an account that %s', async (_, isErasing, error) => {
  await expect(runExport(buildZip(1, 10), 900_000, { isErasing })).rejects.toMatchObject(error)
  const [deletion] = s3.commandCalls(DeleteObjectsCommand)
  expect(deletion?.args[0].input.Delete?.Objects).toEqual([{ Key: 'exports/ann.zip' }])
})
