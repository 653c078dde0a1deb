import { DeleteObjectsCommand, S3Client } from '@aws-sdk/client-s3'
import { mockClient } from 'aws-sdk-client-mock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { openObjectStore, StoreUnavailable } from '../platform/object-store.ts'
import { attachmentRepository } from './attachment-repository.ts'
import { deleteAllObjects } from './delete-files.ts'

const s3 = mockClient(S3Client)
let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const attached = () => ({ files: attachmentRepository(table), store: openObjectStore('uploads') })

async function userWith(count: number, state: 'ready' | 'incoming' = 'ready') {
  const sub = crypto.randomUUID()
  for (let n = 1; n <= count; n += 1)
    await attached().files.put(sub, {
      id: `f${n}`,
      name: 'a.txt',
      type: 'text/plain',
      size: 1,
      state,
      created_at: '2026-03-01T10:00:00.000Z',
    })
  return sub
}

it('DEC-033 deletes every object of every file, of unfinished uploads too, and of nobody else', async () => {
  s3.reset()
  s3.on(DeleteObjectsCommand).resolves({})
  await userWith(1)
  const sub = await userWith(201, 'incoming')
  await deleteAllObjects(attached(), sub)
  const requests = s3.commandCalls(DeleteObjectsCommand).map(({ args: [{ input }] }) => input.Delete?.Objects)
  expect(requests.map((objects) => objects?.length)).toEqual([1_000, 5])
  const keys = requests.flatMap((objects) => (objects ?? []).map(({ Key = '' }) => Key))
  expect(new Set(keys).size).toBe(1_005)
  expect(keys.every((key) => key.includes(sub))).toBe(true)
  expect(keys).toContain(`users/${sub}/f7/original`)
  expect(keys).toContain(`incoming/${sub}/f7`)
})

it('says so when an object stays', async () => {
  s3.reset()
  s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: 'k' }] })
  await expect(deleteAllObjects(attached(), await userWith(1))).rejects.toThrow(StoreUnavailable)
})
