import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, expect, it } from 'vitest'
import { openTable } from '../platform/table.ts'
import { GitHubFailed } from './errors.ts'
import type { ServerListing } from './github.ts'
import { syncRepository } from './sync-repository.ts'
import { syncRegistry } from './sync.ts'

const db = mockClient(DynamoDBDocumentClient)
const now = new Date('2026-11-20T03:17:00Z')
const taken = (known: object = {}) => ({ Attributes: { PK: 'SYNC', SK: 'SYNC', ...known } })

beforeEach(() => {
  db.reset()
})

function sync(listing: ServerListing | 'unchanged' | Error, known: object = {}) {
  db.on(UpdateCommand).resolvesOnce(taken(known)).resolvesOnce({})
  const seen: (string | undefined)[] = []
  const github = {
    async listServers(etag: string | undefined) {
      seen.push(etag)
      if (listing instanceof Error) throw listing
      return listing
    },
  }
  const result = syncRegistry({ github, record: syncRepository(openTable('juno')) }, now)
  return { result, seen }
}

const servers = (...names: string[]) => ({
  servers: names.map((name) => ({ name, revision: `${name}-1` })),
  etag: '"e2"',
})
const recorded = () => db.commandCalls(UpdateCommand)[1]?.args[0].input

it('REG-25 counts what is there, new and changed, and records it under its lease', async () => {
  const { result, seen } = sync(servers('fetch', 'git', 'time'), {
    names: { git: 'git-0', time: 'time-1', gone: 'x' },
    etag: '"e1"',
  })
  expect(await result).toEqual({ success: true, stats: { total: 3, new: 1, updated: 1 }, errors: [] })
  expect(seen).toEqual(['"e1"'])
  const [lease] = db.commandCalls(UpdateCommand)
  expect(lease?.args[0].input).toMatchObject({
    Key: { PK: 'SYNC', SK: 'SYNC' },
    ConditionExpression: 'attribute_not_exists(leaseUntilSeconds) OR leaseUntilSeconds <= :now',
    ExpressionAttributeValues: { ':now': 1_795_144_620, ':until': 1_795_144_740 },
  })
  const owner = lease?.args[0].input.ExpressionAttributeValues?.[':owner'] as string
  expect(recorded()).toMatchObject({
    ConditionExpression: 'leaseOwner = :owner',
    ExpressionAttributeValues: {
      ':owner': owner,
      ':at': '2026-11-20T03:17:00.000Z',
      ':success': true,
      ':names': { fetch: 'fetch-1', git: 'git-1', time: 'time-1' },
      ':etag': '"e2"',
    },
  })
  expect(recorded()?.UpdateExpression).toMatch(/REMOVE leaseOwner, leaseUntilSeconds$/)
})

it('REG-31 skips folders that are no servers', async () => {
  const { result } = sync(
    servers(
      'docs',
      'examples',
      'scripts',
      'tests',
      '.github',
      '.vscode',
      'Docs',
      'a b',
      'x'.repeat(101),
      'memory',
    ),
  )
  expect(await result).toMatchObject({ stats: { total: 1, new: 1 } })
  expect(recorded()?.ExpressionAttributeValues?.[':names']).toEqual({ memory: 'memory-1' })
})

it('keeps what is known when nothing changed', async () => {
  const { result } = sync('unchanged', { names: { git: 'git-1' }, etag: '"e1"' })
  expect(await result).toEqual({ success: true, stats: { total: 1, new: 0, updated: 0 }, errors: [] })
  expect(recorded()?.ExpressionAttributeValues).toMatchObject({ ':names': { git: 'git-1' }, ':etag': '"e1"' })
})

it.each([
  ['a failed listing', new GitHubFailed('GitHub API error: 503'), 'GitHub API error: 503'],
  ['an empty listing', servers('docs'), 'GitHub API error: the listing is empty'],
])('REG-38 DEC-068 records %s and removes nothing', async (_, listing, error) => {
  const { result } = sync(listing, { names: { git: 'git-1' }, etag: '"e1"' })
  expect(await result).toEqual({ success: false, stats: { total: 1, new: 0, updated: 0 }, errors: [error] })
  expect(recorded()?.ExpressionAttributeValues).toMatchObject({ ':success': false, ':errors': [error] })
  expect(recorded()?.UpdateExpression).not.toMatch(/names|etag/)
})

it('leaves a running sync alone', async () => {
  db.on(UpdateCommand).rejects(new ConditionalCheckFailedException({ message: '', $metadata: {} }))
  const github = { listServers: () => Promise.reject(new Error('must not be asked')) }
  expect(await syncRegistry({ github, record: syncRepository(openTable('juno')) }, now)).toBeUndefined()
  expect(db.commandCalls(UpdateCommand)).toHaveLength(1)
})

it('does not take its own faults for those of the code host', async () => {
  const { result } = sync(new TypeError('bug'), { names: { git: 'git-1' } })
  await expect(result).rejects.toThrow('bug')
  expect(recorded()?.ExpressionAttributeValues).toMatchObject({ ':errors': ['The sync failed'] })
})
