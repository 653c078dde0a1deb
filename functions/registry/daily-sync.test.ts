import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, expect, it, vi } from 'vitest'
import { startCatalogueSources } from '../../test/support/catalogue-sources.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { builtInProviders } from '../providers/built-in.ts'

const db = mockClient(DynamoDBDocumentClient)

beforeEach(() => {
  db.reset()
  vi.stubEnv('TABLE_NAME', 'juno')
  // nothing listens there: a sync that runs fails
  vi.stubEnv('GITHUB_API_URL', 'http://127.0.0.1:1/')
  vi.stubEnv('MCP_REGISTRY_URL', 'http://127.0.0.1:1')
  vi.stubEnv('LOG_LEVEL', 'error')
})

const handle = async (event: unknown) => (await import('./daily-sync.ts')).handler(event)

it.each([undefined, null, 'x', [], {}, { source: 'aws.s3', id: '1' }, { source: 'aws.events' }])(
  'ignores an event that is not from the schedule: %j',
  async (event) => {
    await handle(event)
    expect(db.calls()).toHaveLength(0)
  },
)

it('DEC-078 syncs for a rule and for a schedule, and throws after it has recorded a failure', async () => {
  db.on(UpdateCommand).resolves({ Attributes: {} })
  for (const event of [
    { source: 'aws.events', id: '1', 'detail-type': 'Scheduled Event', detail: {} },
    { source: 'aws.scheduler', id: '2', 'detail-type': 'Scheduled Event', detail: '{}' },
  ])
    await expect(handle(event)).rejects.toMatchObject({
      name: 'SyncFailed',
      message: 'GitHub API error: no answer; MCP Registry error: no usable answer',
    })
  const results = db
    .commandCalls(UpdateCommand)
    .flatMap(({ args }) => args[0].input.ExpressionAttributeValues?.[':result'] ?? [])
  const errors = ['GitHub API error: no answer', 'MCP Registry error: no usable answer']
  expect(results).toMatchObject([{ errors }, { errors }])
})

it('REG-25 returns the counts and the errors of its sources', async () => {
  const sources = await startCatalogueSources()
  vi.stubEnv('GITHUB_API_URL', sources.url)
  vi.stubEnv('MCP_REGISTRY_URL', sources.url)
  vi.resetModules()
  db.on(UpdateCommand).resolves({ Attributes: {} })
  db.on(GetCommand).resolves({})
  sources.state.fault = 'rate-limit'
  try {
    expect(await handle({ source: 'aws.scheduler', id: '1', detail: '{}' })).toMatchObject({
      success: true,
      stats: { total: builtInProviders.length + 2, new: 2, updated: 0 },
      errors: [
        'GitHub API error: 403 (rate limit until 03:30 UTC)',
        '2 entries of the MCP Registry could not be read',
      ],
    })
  } finally {
    await sources.close()
  }
})
