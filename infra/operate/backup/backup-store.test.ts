import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { openBackupStore } from './backup-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'juno-place-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A bucket in memory. */
function openBucket() {
  const objects = new Map<string, Uint8Array>()
  const s3 = mockClient(S3Client)
  const noDetails = { message: '', $metadata: {} }
  const find = (Key = '') => objects.get(Key)
  s3.on(PutObjectCommand).callsFake(async ({ Key = '', Body, ContentLength }) => {
    expect((Body as Uint8Array).length).toBe(ContentLength)
    objects.set(Key, Body as Uint8Array)
    return {}
  })
  s3.on(GetObjectCommand).callsFake(({ Key }) => {
    const bytes = find(Key)
    return bytes
      ? Promise.resolve({ Body: Readable.from([bytes]) })
      : Promise.reject(new NoSuchKey(noDetails))
  })
  s3.on(HeadObjectCommand).callsFake(({ Key }) => {
    const bytes = find(Key)
    return bytes ? Promise.resolve({ ContentLength: bytes.length }) : Promise.reject(new NotFound(noDetails))
  })
  s3.on(DeleteObjectCommand).callsFake(async ({ Key = '' }) => {
    objects.delete(Key)
    return {}
  })
  const store = openBackupStore('s3://elsewhere/juno/first/', () => new S3Client({ region: 'eu-west-1' }))
  return { store, objects }
}

it.each([
  ['a folder', () => openBackupStore(folder)],
  ['a bucket', () => openBucket().store],
])('%s has what was written, as a whole, and nothing that was removed', async (_, open) => {
  const store = open()
  expect(await store.read('objects/users/ann/1')).toBeUndefined()
  expect(await store.size('objects/users/ann/1')).toBeUndefined()
  await store.write('objects/users/ann/1', Readable.from([Buffer.from('hel'), Buffer.from('lo')]), 5)
  await store.write('manifest.json', Buffer.from('{}'), 2)
  expect(await text((await store.read('objects/users/ann/1')) ?? Readable.from([]))).toBe('hello')
  expect(await store.size('manifest.json')).toBe(2)
  for (let time = 0; time < 2; time += 1) await store.remove('manifest.json')
  expect(await store.read('manifest.json')).toBeUndefined()
})

it('a bucket has them below the prefix', async () => {
  const { store, objects } = openBucket()
  await store.write('manifest.json', Buffer.from('{}'), 2)
  expect([...objects.keys()]).toEqual(['juno/first/manifest.json'])
})

it('a folder has nothing of a write that failed, and nothing is written outside of it', async () => {
  const store = openBackupStore(join(folder, 'other'))
  const failing = Readable.from(
    (function* () {
      yield Buffer.from('hel')
      throw new Error('cut')
    })(),
  )
  await expect(store.write('rows', failing, 5)).rejects.toThrow('cut')
  expect(await store.size('rows')).toBeUndefined()
  await expect(store.write('../outside', Buffer.from('x'), 1)).rejects.toThrow('is not inside of')
  expect(await readdir(folder)).not.toContain('outside')
})

it.each(['http://elsewhere/x', 's3://', 's3://A_B/x'])('%s is no place', (place) => {
  expect(() => openBackupStore(place)).toThrow('must be a folder, or have the form s3://bucket/prefix')
})
