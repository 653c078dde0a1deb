import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { createPresignedPost, type PresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startS3Emulator } from '../../infra/local/emulators/s3/start-s3-emulator.ts'
import type { LocalServer } from '../../infra/local/listen.ts'

const Bucket = 'uploads'
const credentials = { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: 'token' }
const pageOrigin = 'http://127.0.0.1:4000'
let dataDir: string
let emulator: LocalServer
let client: S3Client

async function start() {
  emulator = await startS3Emulator({
    dataDir,
    bucket: Bucket,
    credentials,
    region: 'us-east-1',
    corsOrigins: [pageOrigin],
    expirationRules: ['incoming/', 'exports/'].map((prefix) => ({ prefix, afterMs: 86_400_000 })),
  })
  client = new S3Client({ endpoint: emulator.url, region: 'us-east-1', credentials, maxAttempts: 1 })
}

async function stop() {
  client.destroy()
  await emulator.close()
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'juno-s3-'))
  await start()
})

afterEach(async () => {
  vi.useRealTimers()
  await stop()
  await rm(dataDir, { recursive: true })
})

const put = (Key: string, Body: string, ContentType = 'text/plain') =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }))
const read = async (Key: string) => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
  return (await Body?.transformToString()) ?? ''
}

const presign = (changes: { key?: string; type?: string; min?: number; max?: number } = {}) => {
  const { key = 'incoming/a', type = 'image/png', min = 1, max = 10 } = changes
  return createPresignedPost(client, {
    Bucket,
    Key: key,
    Fields: { 'Content-Type': type },
    Conditions: [
      ['content-length-range', min, max],
      ['eq', '$Content-Type', type],
    ],
    Expires: 60,
  })
}

async function post(
  { url, fields }: PresignedPost,
  content: string,
  changes: Record<string, string | undefined> = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, ...changes }))
    if (value !== undefined) form.append(name, value)
  form.append('file', new Blob([content]), 'whatever.png')
  const response = await fetch(url, { method: 'POST', body: form, headers: { origin: pageOrigin } })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

it('stores, reads, describes, copies and deletes objects, with any characters in names', async () => {
  const key = "users/ü ä/O'Brien (1)+2.txt"
  await put(key, 'grüß')
  expect(await read(key)).toBe('grüß')
  expect(await client.send(new HeadObjectCommand({ Bucket, Key: key }))).toMatchObject({
    ContentLength: 6,
    ContentType: 'text/plain',
  })
  await client.send(
    new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: encodeURIComponent(`${Bucket}/${key}`) }),
  )
  expect(await read('copy')).toBe('grüß')
  await client.send(new DeleteObjectCommand({ Bucket, Key: key }))
  await client.send(new DeleteObjectCommand({ Bucket, Key: key }))
  await expect(read(key)).rejects.toMatchObject({ name: 'NoSuchKey', $metadata: { httpStatusCode: 404 } })
  await expect(client.send(new HeadObjectCommand({ Bucket, Key: key }))).rejects.toMatchObject({
    name: 'NotFound',
  })
})

it('lists by prefix, in pages, and deletes many at once', async () => {
  for (const key of ['a/1', 'a/2', 'a/3', 'b/1']) await put(key, key)
  const first = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'a/', MaxKeys: 2 }))
  expect(first.Contents?.map(({ Key }) => Key)).toEqual(['a/1', 'a/2'])
  const second = await client.send(
    new ListObjectsV2Command({
      Bucket,
      Prefix: 'a/',
      MaxKeys: 2,
      ContinuationToken: first.NextContinuationToken,
    }),
  )
  expect([second.Contents?.map(({ Key }) => Key), second.IsTruncated]).toEqual([['a/3'], false])
  const { Deleted } = await client.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'a/1' }, { Key: 'a/&<x>' }] } }),
  )
  expect(Deleted?.map(({ Key }) => Key)).toEqual(['a/1', 'a/&<x>'])
  expect((await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(3)
})

// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html: “By default, the action returns up to 1,000 key names”,
// “The response might contain fewer keys but will never contain more”
it(
  'lists at most 1,000 keys at once, and refuses unknown tokens and parameters',
  { tags: 'long' },
  async () => {
    const keys = Array.from({ length: 1_001 }, (_, n) => `many/${String(n).padStart(4, '0')}`)
    for (let at = 0; at < keys.length; at += 50)
      await Promise.all(keys.slice(at, at + 50).map((key) => put(key, 'x')))
    const list = (options: object) =>
      client.send(new ListObjectsV2Command({ Bucket, Prefix: 'many/', ...options }))
    const first = await list({ MaxKeys: 5_000 })
    expect([first.KeyCount, first.IsTruncated]).toEqual([1_000, true])
    const second = await list({ ContinuationToken: first.NextContinuationToken })
    expect(second.Contents?.map(({ Key }) => Key)).toEqual(['many/1000'])
    expect(second.NextContinuationToken).toBeUndefined()
    const invalidArgument = { name: 'InvalidArgument', $metadata: { httpStatusCode: 400 } }
    await expect(list({ ContinuationToken: 'many/0001' })).rejects.toMatchObject(invalidArgument)
    await expect(list({ MaxKeys: -1 })).rejects.toMatchObject(invalidArgument)
    await expect(list({ Delimiter: '/' })).rejects.toMatchObject({ name: 'NotImplemented' })
  },
)

it('keeps stored objects across a restart, and no interrupted upload', async () => {
  await put('k', 'kept')
  const upload = await presign({ max: 1_000_000 })
  await new Promise<void>((resolve) => {
    const sending = httpRequest(upload.url, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=xx', 'content-length': 900_000 },
    })
    sending.on('error', () => resolve())
    const fields = Object.entries(upload.fields).map(
      ([name, value]) => `--xx\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    sending.write(
      `${fields.join('')}--xx\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${'x'.repeat(1_000)}`,
      () => sending.destroy(),
    )
    sending.on('close', () => resolve())
  })
  await stop()
  await start()
  expect(await read('k')).toBe('kept')
  expect((await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(1)
  expect(await readdir(join(dataDir, 'objects', 'contents'))).toHaveLength(1)
})

it('If-None-Match: * refuses to overwrite', async () => {
  const conditionalPut = { Bucket, Key: 'k', Body: 'a', IfNoneMatch: '*' }
  await client.send(new PutObjectCommand(conditionalPut))
  await expect(client.send(new PutObjectCommand(conditionalPut))).rejects.toMatchObject({
    name: 'PreconditionFailed',
    $metadata: { httpStatusCode: 412 },
  })
})

// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html: “Copies the object if its entity tag (ETag) matches the
// specified tag”, otherwise 412 Precondition Failed
it('copies an object with the given ETag, and refuses if it has changed', async () => {
  await put('k', 'looked at')
  const { ETag } = await client.send(new HeadObjectCommand({ Bucket, Key: 'k' }))
  const copy = (CopySourceIfMatch: string | undefined) =>
    client.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/k`, CopySourceIfMatch }))
  await copy(ETag)
  await copy(ETag?.replaceAll('"', ''))
  await put('k', 'replaced')
  await expect(copy(ETag)).rejects.toMatchObject({
    name: 'PreconditionFailed',
    $metadata: { httpStatusCode: 412 },
  })
  expect(await read('copy')).toBe('looked at')
})

it('reads an object only while it has the given ETag', async () => {
  await put('k', 'looked at')
  const { ETag } = await client.send(new HeadObjectCommand({ Bucket, Key: 'k' }))
  const readIf = (IfMatch: string | undefined) =>
    client.send(new GetObjectCommand({ Bucket, Key: 'k', IfMatch, Range: 'bytes=0-5' }))
  for (const tag of [ETag, ETag?.replaceAll('"', ''), '*', undefined])
    expect(await (await readIf(tag)).Body?.transformToString()).toBe('looked')
  await put('k', 'replaced')
  await expect(readIf(ETag)).rejects.toMatchObject({
    name: 'PreconditionFailed',
    $metadata: { httpStatusCode: 412 },
  })
})

it('returns ranges, and 416 beyond the end', async () => {
  await put('k', '0123456789')
  const { Body, ContentRange } = await client.send(
    new GetObjectCommand({ Bucket, Key: 'k', Range: 'bytes=2-4' }),
  )
  expect([await Body?.transformToString(), ContentRange]).toEqual(['234', 'bytes 2-4/10'])
  const last = await client.send(new GetObjectCommand({ Bucket, Key: 'k', Range: 'bytes=-2' }))
  expect(await last.Body?.transformToString()).toBe('89')
  await expect(
    client.send(new GetObjectCommand({ Bucket, Key: 'k', Range: 'bytes=10-' })),
  ).rejects.toMatchObject({ name: 'InvalidRange', $metadata: { httpStatusCode: 416 } })
})

it('presigned reads return the signed overrides until they expire, and refuse changed parameters', async () => {
  await put('k', '<script>', 'text/html')
  vi.useFakeTimers({ toFake: ['Date'] })
  const url = await getSignedUrl(
    client,
    new GetObjectCommand({
      Bucket,
      Key: 'k',
      ResponseContentType: 'application/octet-stream',
      ResponseContentDisposition: "attachment; filename*=UTF-8''%E2%82%AC.html",
    }),
    { expiresIn: 60 },
  )
  const response = await fetch(url, { headers: { origin: pageOrigin } })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''%E2%82%AC.html",
    'access-control-allow-origin': pageOrigin,
  })
  expect(await response.text()).toBe('<script>')
  const changedResponse = await fetch(url.replace('octet-stream', 'x'))
  expect([changedResponse.status, await changedResponse.text()]).toEqual([
    403,
    expect.stringContaining('<Code>SignatureDoesNotMatch</Code>'),
  ])
  expect((await fetch(url.split('?')[0] ?? '')).status).toBe(403)
  vi.setSystemTime(Date.now() + 61_000)
  const lateResponse = await fetch(url)
  expect([lateResponse.status, await lateResponse.text()]).toEqual([
    403,
    expect.stringContaining('<Message>Request has expired</Message>'),
  ])
})

it('a presigned POST stores what its policy allows', async () => {
  const upload = await presign()
  expect(upload.fields['X-Amz-Security-Token']).toBe('token')
  const response = await post(upload, '0123456789')
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, pageOrigin])
  expect(await read('incoming/a')).toBe('0123456789')
  expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'incoming/a' }))).toMatchObject({
    ContentType: 'image/png',
  })
  const withoutStatusField = await post(await presign(), 'again', { success_action_status: undefined })
  expect(withoutStatusField.status).toBe(204)
})

it.each([
  ['one byte too many', '0123456789+', {}, 400, 'EntityTooLarge'],
  ['no bytes', '', {}, 400, 'EntityTooSmall'],
  ['another key', 'a', { key: 'users/other/a' }, 403, 'Policy Condition failed'],
  ['another type', 'a', { 'Content-Type': 'text/html' }, 403, 'Policy Condition failed'],
  ['a field that no condition names', 'a', { 'x-amz-meta-a': '1' }, 403, 'Extra input fields: x-amz-meta-a'],
  ['another signature', 'a', { 'X-Amz-Signature': 'f'.repeat(64) }, 403, 'SignatureDoesNotMatch'],
  [
    'no signature',
    'a',
    { 'X-Amz-Signature': undefined },
    400,
    "must contain a field named 'X-Amz-Signature'",
  ],
  ['no key', 'a', { key: undefined }, 400, "must contain a field named 'key'"],
  ['another key id', 'a', { 'X-Amz-Credential': 'x/1/us-east-1/s3/aws4_request' }, 403, 'InvalidAccessKeyId'],
] as const)(
  'a presigned POST with %s is refused and stores nothing',
  async (_, content, changes, status, code) => {
    const answer = await post(await presign(), content, changes)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(code)])
    expect((await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0)
  },
)

it('a presigned POST is refused after its expiry, and if it is not a form', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const upload = await presign()
  vi.setSystemTime(Date.now() + 61_000)
  expect(await post(upload, 'a')).toMatchObject({
    status: 403,
    text: expect.stringContaining('Policy expired.') as string,
  })
  expect((await fetch(upload.url, { method: 'POST', body: 'a' })).status).toBe(412)
})

it('preflights are answered for the page and refused for others', async () => {
  const ask = (origin: string, method: string) =>
    fetch(`${emulator.url}/${Bucket}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method },
    })
  expect((await ask(pageOrigin, 'POST')).status).toBe(200)
  expect((await ask(pageOrigin, 'PUT')).status).toBe(403)
  const otherOriginResponse = await ask('https://evil.example', 'POST')
  expect([otherOriginResponse.status, await otherOriginResponse.text()]).toEqual([
    403,
    expect.stringContaining('AccessForbidden'),
  ])
})

it('requests without a signature, or with another key, are refused', async () => {
  await put('k', 'secret')
  expect((await fetch(`${emulator.url}/${Bucket}/k`)).status).toBe(403)
  const clientWithOtherKey = new S3Client({
    endpoint: emulator.url,
    region: 'us-east-1',
    credentials: { ...credentials, secretAccessKey: 'other' },
    maxAttempts: 1,
  })
  await expect(clientWithOtherKey.send(new GetObjectCommand({ Bucket, Key: 'k' }))).rejects.toMatchObject({
    name: 'SignatureDoesNotMatch',
  })
  await expect(client.send(new GetObjectCommand({ Bucket: 'other', Key: 'k' }))).rejects.toMatchObject({
    name: 'NoSuchBucket',
  })
  clientWithOtherKey.destroy()
})

it('deletes unfinished uploads after a day, with their bytes', async () => {
  await put('incoming/ann/1', 'left behind')
  await put('users/ann/2', 'kept')
  const countStored = async () => {
    // any request triggers it, even an unsigned one
    expect((await fetch(emulator.url)).status).toBe(404)
    return (await readdir(join(dataDir, 'objects/contents'))).length
  }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 23 * 3_600_000 })
  expect(await countStored()).toBe(2)
  vi.setSystemTime(Date.now() + 2 * 3_600_000)
  await vi.waitFor(async () => expect(await countStored()).toBe(1))
  vi.useRealTimers()
  expect(await read('users/ann/2')).toBe('kept')
  await expect(read('incoming/ann/1')).rejects.toMatchObject({ name: 'NoSuchKey' })
})
