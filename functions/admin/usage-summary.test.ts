import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { dailyUsagePrefix } from '../platform/dynamodb/usage-counters.ts'
import { usageSummary } from './usage-summary.ts'

const table = mockClient(DynamoDBDocumentClient)
const day = Date.UTC(2026, 2, 14) / 86_400_000
const ann = {
  id: 'a',
  username: 'okta_1',
  email: 'ann@corp.example',
  name: 'Ann',
  status: 'active',
  sign_in: 'Okta',
  provider_groups: ['staff', 'unknown'],
  created_at: '',
} as const

it('DEC-191 counts a user also in the groups that their provider names', async () => {
  table.on(QueryCommand).resolves({
    Items: [{ SK: `${dailyUsagePrefix}${day}`, replies: 2, input_tokens: 10, output_tokens: 5 }],
  })
  const members: Record<string, string[]> = { staff: [], guests: [] }
  const users = {
    async *listAll() {
      yield [{ ...ann, provider_groups: [...ann.provider_groups] }]
    },
    async *listMembers(name: string) {
      yield members[name] ?? []
    },
  }
  const summary = usageSummary(openTable('table'))
  const { users: found, groups } = await summary.readMonth('2026-03', users, {
    listNames: async () => Object.keys(members),
  })
  expect(found.map(({ groups: names }) => names)).toEqual([['staff']])
  expect(groups.map(({ name, users: count, replies }) => [name, count, replies])).toEqual([
    ['staff', 1, 2],
    ['guests', 0, 0],
  ])
})

it('counts what runs of schedules have used apart; rows of earlier releases have none', async () => {
  const row = { SK: `${dailyUsagePrefix}${day}`, replies: 2, input_tokens: 10, output_tokens: 5 }
  const summary = usageSummary(openTable('table'))
  table.on(QueryCommand).resolves({ Items: [row] })
  expect(await summary.readUser('a', day * 86_400_000)).not.toHaveProperty('month.scheduled')
  const counts = { scheduled_replies: 1, scheduled_tokens: 12, scheduled_nano_usd: 2e9 }
  table.on(QueryCommand).resolves({ Items: [{ ...row, ...counts }] })
  expect(await summary.readUser('a', day * 86_400_000)).toMatchObject({
    today: { scheduled: { replies: 1, tokens: 12, cost: 2 } },
    month: { replies: 2, scheduled: { replies: 1, tokens: 12, cost: 2 } },
  })
})

/** As many pages as ten thousand accounts have, who are all in three groups; what is read of them at the same time. */
function listMany() {
  const pages = Array.from({ length: 167 }, (_, page) =>
    Array.from({ length: 3 }, (__, index) => ({ ...ann, id: `${page}-${index}`, provider_groups: [] })),
  )
  const reading = new Set<string>()
  const together = new Set<string>()
  async function* readPages(name: string) {
    reading.add(name)
    for (const page of pages) {
      together.add([...reading].toSorted().join(' '))
      await Promise.resolve()
      yield page
    }
    reading.delete(name)
  }
  return {
    together,
    users: {
      listAll: () => readPages('accounts'),
      async *listMembers(name: string) {
        for await (const page of readPages(name)) yield page.map(({ id }) => id)
      },
    },
    groups: { listNames: async () => ['all', 'staff', 'third'] },
  }
}

it('members are read while accounts are, those of two groups at a time', async () => {
  table.on(QueryCommand).resolves({ Items: [] })
  const { users, groups, together } = listMany()
  const summary = usageSummary(openTable('table'))
  const { groups: found } = await summary.readMonth('2026-03', users, groups)
  expect(found.map(({ users: count }) => count)).toEqual([501, 501, 501])
  expect(together).toContain('accounts all staff')
  expect([...together].every((names) => names.split(' ').length <= 3)).toBe(true)
})

it('says that the accounts were not read in time, before the gateway gives up, and reads no more', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let queries = 0
  table.on(QueryCommand).callsFake(async () => {
    queries += 1
    if (queries % 3 === 0) vi.advanceTimersByTime(1_000)
    return { Items: [] }
  })
  const { users, groups } = listMany()
  const month = usageSummary(openTable('table')).readMonth('2026-03', users, groups)
  await expect(month).rejects.toMatchObject({ code: 'too_many_accounts', status: 409 })
  expect(queries).toBeLessThanOrEqual(3 * 26)
  vi.useRealTimers()
})
