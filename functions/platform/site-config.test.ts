import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'

const db = mockClient(DynamoDBDocumentClient)
const row = { PK: 'CONF', SK: 'SITE', origin: 'https://juno.example/', clientId: 'abc', updatedAt: 1 }

async function importFreshReader() {
  vi.resetModules()
  return (await import('./site-config.ts')).loadSiteConfig
}

beforeEach(() => {
  db.reset()
  vi.stubEnv('TABLE_NAME', 'juno')
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T08:00:00Z') })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

it('returns the origin without a trailing slash', async () => {
  db.on(GetCommand, { TableName: 'juno', Key: { PK: 'CONF', SK: 'SITE' } }).resolves({ Item: row })
  const loadSiteConfig = await importFreshReader()
  expect(await loadSiteConfig()).toEqual({ origin: 'https://juno.example', clientId: 'abc' })
})

it('caches the row for 5 minutes', async () => {
  db.on(GetCommand).resolves({ Item: { ...row, bucketOrigin: 'https://bucket.example' } })
  const loadSiteConfig = await importFreshReader()
  await loadSiteConfig()
  vi.setSystemTime(new Date('2026-11-20T08:04:59Z'))
  await loadSiteConfig()
  expect(db.commandCalls(GetCommand)).toHaveLength(1)
  vi.setSystemTime(new Date('2026-11-20T08:05:00Z'))
  expect((await loadSiteConfig()).bucketOrigin).toBe('https://bucket.example')
  expect(db.commandCalls(GetCommand)).toHaveLength(2)
})

it.each([
  ['missing', undefined],
  ['without a client id', { ...row, clientId: undefined }],
])('throws for a row that is %s, and reads again next time', async (_, Item) => {
  db.on(GetCommand)
    .resolvesOnce(Item ? { Item } : {})
    .resolves({ Item: row })
  const loadSiteConfig = await importFreshReader()
  await expect(loadSiteConfig()).rejects.toThrow('CONF/SITE')
  expect((await loadSiteConfig()).clientId).toBe('abc')
})
