import {
  CognitoIdentityProviderClient,
  ListGroupsCommand,
  ListUsersCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { openBackupStore } from './backup-store.ts'
import { createBackup, mapAtOnce } from './create-backup.ts'
import { findManifest, findProgress } from './manifest.ts'
import { verifyBackup } from './verify-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'juno-backups-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Stores with two pages of rows; `readSecond` gives the second. */
function openStores(readSecond: () => Promise<string>) {
  const region = { region: 'eu-central-1' }
  const toRow = (sub: string) => ({ PK: { S: `U#${sub}` }, SK: { S: 'PROFILE' } })
  const table = new DynamoDBClient(region)
  mockClient(table)
    .on(ScanCommand)
    .callsFake(async ({ ExclusiveStartKey: start }: { ExclusiveStartKey?: object }) =>
      start
        ? { Items: [toRow(await readSecond())] }
        : { Items: [toRow('ann')], LastEvaluatedKey: toRow('ann') },
    )
  const bucket = new S3Client(region)
  mockClient(bucket).on(ListObjectsV2Command).resolves({})
  const pool = new CognitoIdentityProviderClient(region)
  mockClient(pool).on(ListGroupsCommand).resolves({}).on(ListUsersCommand).resolves({})
  return {
    table: { client: table, name: 'table' },
    bucket: { client: bucket, name: 'bucket' },
    pool: { client: pool, id: 'pool' },
  }
}
const options = { product: '1.1.0', now: () => new Date(), report: () => undefined }

// a pipeline that gives up waiting starts the command again: https://github.com/nextcloud/all-in-one/issues/8414
it.each(['after', 'before'])(
  'of two that write into one place, the later one is the backup, also if the first goes on %s its end',
  async (order) => {
    const store = openBackupStore(join(folder, order))
    const [reading, slow, late] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<string>(),
      Promise.withResolvers<string>(),
    ]
    const first = createBackup(
      openStores(() => {
        reading.resolve()
        return slow.promise
      }),
      store,
      options,
    )
    const refused = first.then(
      () => 'complete',
      (error: Error) => error.message,
    )
    await reading.promise
    const isReading = Promise.withResolvers<void>()
    const second = createBackup(
      openStores(() => {
        isReading.resolve()
        return late.promise
      }),
      store,
      options,
    )
    await isReading.promise
    if (order === 'after') late.resolve('bob')
    else slow.resolve('eve')
    await (order === 'after' ? second : refused)
    if (order === 'after') slow.resolve('eve')
    else late.resolve('bob')
    await second
    expect(await refused).toContain(`Another run writes the backup in ${store.place}`)
    expect(await findManifest(store)).toMatchObject({ rows: { 'rows of people': 2 } })
    expect(await findProgress(store)).toBeUndefined()
    await verifyBackup(store)
  },
)

it('an error is thrown only when everything that has begun has ended', async () => {
  const slow = Promise.withResolvers<string>()
  const ended = vi.fn<(error: unknown) => void>()
  const map = vi.fn<(one: string) => Promise<string>>((one) =>
    one === 'broken' ? Promise.reject(new Error('cut')) : slow.promise,
  )
  const mapping = mapAtOnce(['broken', 'slow', 'later'], 2, map).catch(ended)
  await new Promise(setImmediate)
  expect(ended).not.toHaveBeenCalled()
  slow.resolve('done')
  await mapping
  expect(ended.mock.calls).toEqual([[new Error('cut')]])
  expect(map.mock.calls.map(([one]) => one)).toEqual(['broken', 'slow'])
})
