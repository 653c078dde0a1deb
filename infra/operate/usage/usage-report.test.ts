import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestTable } from '../../../test/support/table.ts'
import { userHash } from '../../../functions/platform/telemetry/logger.ts'
import { formatUsage, reportUsage } from './usage-report.ts'

const table = await openTestTable()
afterAll(() => table.close())
const nowMs = Date.parse('2026-12-02T23:59:59Z')
const toDay = (date: string) => Date.parse(date) / 86_400_000
const [ann, ben] = [userHash('ann'), userHash('ben')]

const put = (PK: string, SK: string, row: object) =>
  table.client.send(new PutCommand({ TableName: table.name, Item: { PK, SK, ...row } }))

beforeAll(async () => {
  const pricedUsage = { input_tokens: 1_000, cached_tokens: 100, output_tokens: 50, nano_usd: 12_345_678 }
  await put('RATE#ann', `replies#${toDay('2026-12-02')}`, {
    ...pricedUsage,
    replies: 2,
    images: 1,
    tokens: 1_050,
  })
  await put('RATE#ann', `replies#${toDay('2026-11-30')}`, { ...pricedUsage, replies: 1 })
  await put('RATE#ann', `replies#${toDay('2026-11-02')}`, { ...pricedUsage, replies: 1 })
  const unpricedUsage = { input_tokens: 7_000, output_tokens: 1, unpriced_tokens: 7_001 }
  await put('RATE#ben', `replies#${toDay('2026-12-01')}`, { ...unpricedUsage, replies: 3 })
  // every reply failed; other counters; content
  await put('RATE#cleo', `replies#${toDay('2026-12-01')}`, { tokens: 0 })
  await put('RATE#ann', 'write#29400000', { calls: 3 })
  await put('RATE#site', `tokens#${toDay('2026-12-02')}`, { tokens: 9_000 })
  await put('U#ann', 'replies#20000', { input_tokens: 5, title: 'Secret' })
})

it('DEC-176 adds up each user’s replies, named by the hash in the logs', async () => {
  const report = await reportUsage(table, { days: 30, nowMs })
  expect(report).toEqual({
    from: '2026-11-03',
    to: '2026-12-02',
    lines: [
      {
        user: ben,
        replies: 3,
        inputTokens: 7_000,
        cachedInputTokens: 0,
        outputTokens: 1,
        images: 0,
        unpricedTokens: 7_001,
      },
      {
        user: ann,
        replies: 3,
        inputTokens: 2_000,
        cachedInputTokens: 200,
        outputTokens: 100,
        images: 1,
        cost: 0.024691356,
      },
    ],
    total: {
      replies: 6,
      inputTokens: 9_000,
      cachedInputTokens: 200,
      outputTokens: 101,
      images: 1,
      cost: 0.024691356,
      unpricedTokens: 7_001,
    },
  })
  expect(JSON.stringify(report)).not.toContain('"ann"')
})

it.each([
  ['day' as const, ['2026-12-02', '2026-12-01', '2026-11-30', '2026-11-02']],
  ['month' as const, ['2026-12', '2026-12', '2026-11']],
])('adds up by %s, newest first', async (period, expected) => {
  const { lines } = await reportUsage(table, { days: 31, period, nowMs })
  expect(lines.map((line) => line.period)).toEqual(expected)
})

it('is printed as a table', async () => {
  const text = formatUsage(await reportUsage(table, { days: 31, period: 'month', nowMs }))
  expect(text.split('\n')).toEqual([
    'Usage from 2026-11-02 to 2026-12-02 (days end at midnight UTC)',
    '',
    'user          period   replies   input  cached  output  images       $',
    `${ben}  2026-12        3   7,000       0       1       0       -`,
    `${ann}  2026-12        2   1,000     100      50       1  0.0123`,
    `${ann}  2026-11        2   2,000     200     100       0  0.0247`,
    'all                          7  10,000     300     151       1  0.0370',
    '',
    'Costs are without images.',
    '7,001 tokens are of models without a price in `models`, and not in the costs.',
  ])
  expect(formatUsage(await reportUsage(table, { days: 1, nowMs: 0 }))).toContain('Nothing was used.')
})
