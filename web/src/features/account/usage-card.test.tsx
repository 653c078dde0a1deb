import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { UsageDay, UsageRead } from '#shared/contracts/usage.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { NetworkError } from '../../lib/api/api-errors.ts'
import { formatDate } from '../../lib/text/dates.ts'
import { UsageCard } from './usage-card.tsx'

const noUsage = { replies: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, images: 0 }
const today: UsageRead['today'] = {
  tokens: { used: 1_250_000, limit: 5_000_000 },
  images: { used: 2, limit: 50 },
  resets_at: '2026-11-22T00:00:00.000Z',
}
const aDay = (day: string, changes: Partial<UsageDay> = {}): UsageDay => ({
  ...noUsage,
  day,
  replies: 3,
  inputTokens: 12_345,
  cachedInputTokens: 4_000,
  outputTokens: 678,
  ...changes,
})

function open(readUsage: () => UsageRead) {
  const handlers = { 'account.usage': readUsage }
  fakeApi(handlers)
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <UsageCard />
    </QueryClientProvider>,
  )
  return handlers
}
const getCells = (row: HTMLElement) => [
  ...within(row).getAllByRole('rowheader'),
  ...within(row).getAllByRole('cell'),
]
const getCellTexts = (row: HTMLElement) => getCells(row).map(({ textContent }) => textContent)

it('DEC-176 shows today’s usage, the total, and each day with its cost', async () => {
  open(() => ({
    days: [
      aDay('2026-11-21', { images: 2, webSearches: 3, cost: 0.0312 }),
      aDay('2026-11-19', { cost: undefined, unpricedTokens: 13_023 }),
    ],
    total: {
      ...noUsage,
      replies: 6,
      inputTokens: 24_690,
      cachedInputTokens: 8_000,
      outputTokens: 1_356,
      images: 2,
      webSearches: 3,
      cost: 0.0312,
      unpricedTokens: 13_023,
    },
    today,
  }))
  expect(screen.getByRole('progressbar', { name: 'Loading your usage' })).toBeTruthy()
  const meter = await screen.findByRole('meter', { name: 'Tokens' })
  expect(meter.getAttribute('aria-valuetext')).toBe('1,250,000 of 5,000,000')
  expect(screen.getByRole('meter', { name: 'Images' }).getAttribute('aria-valuetext')).toBe('2 of 50')
  expect(screen.getByText('24,690')).toBeTruthy()
  expect(screen.getAllByText('Web searches').map((node) => node.nextElementSibling?.textContent)).toContain(
    '3',
  )
  expect(screen.getByText(/does not include 13,023 tokens of models/).textContent).toContain(
    'The cost does not include images.',
  )
  const [head, ...rows] = screen.getAllByRole('row')
  expect(within(head as HTMLElement).getAllByRole('columnheader')).toHaveLength(8)
  expect(rows.map(getCellTexts)).toEqual([
    [formatDate(new Date('2026-11-21T12:00:00')), '3', '12,345', '4,000', '678', '2', '3', 'about $0.0312'],
    [formatDate(new Date('2026-11-19T12:00:00')), '3', '12,345', '4,000', '678', '0', '0', '–'],
  ])
})

it('shows a week at first, and omits images and costs if there are none', async () => {
  const days = Array.from({ length: 9 }, (_, index) => aDay(`2026-11-${20 - index}`))
  open(() => ({ days, total: { ...noUsage, replies: 27 }, today }))
  expect(await screen.findAllByRole('row')).toHaveLength(8)
  expect(screen.queryByRole('columnheader', { name: 'Cost' })).toBeNull()
  expect(screen.queryByRole('meter', { name: 'Images' })).toBeNull()
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Show all 9 days' })))
  expect(screen.getAllByRole('row')).toHaveLength(10)
  expect(screen.queryByRole('button', { name: /Show all/ })).toBeNull()
})

it('says that there is no usage yet, and that the daily limit is used up', async () => {
  open(() => ({ days: [], total: noUsage, today: { ...today, tokens: { used: 6, limit: 5 } } }))
  expect(await screen.findByText('Nothing yet. Each day with a reply is listed here.')).toBeTruthy()
  expect(screen.getByText(/^Used up\. Resets at \d+:\d\d [AP]M\./)).toBeTruthy()
  expect(screen.getByRole('meter').getAttribute('aria-valuenow')).toBe('5')
})

it('says that loading failed, and offers to try again', async () => {
  const handlers = open(() => {
    throw new NetworkError()
  })
  await screen.findByText(/Your usage could not be loaded/)
  handlers['account.usage'] = () => ({ days: [], total: noUsage, today })
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })))
  expect(await screen.findByRole('meter', { name: 'Tokens' })).toBeTruthy()
})

it('DEC-189 shows cost limits and monthly limits if the user’s groups have them', async () => {
  const month = {
    tokens: { used: 900_000, limit: 1_000_000 },
    cost: { used: 5, limit: 5 },
    resets_at: '2026-12-01T12:00:00.000Z',
  }
  open(() => ({
    days: [],
    total: { ...noUsage, replies: 0 },
    today: { ...today, cost: { used: 0.25, limit: 1 } },
    month,
  }))
  expect((await screen.findByRole('meter', { name: 'Cost' })).getAttribute('aria-valuetext')).toBe(
    'about $0.25 of $1.00',
  )
  expect(screen.getByRole('meter', { name: 'Tokens this month' }).getAttribute('aria-valuetext')).toBe(
    '900,000 of 1,000,000',
  )
  expect(screen.getByRole('meter', { name: 'Cost this month' })).toBeTruthy()
  expect(
    screen.getByText(`Used up. Resets on ${formatDate(new Date(month.resets_at))}.`, { exact: false }),
  ).toBeTruthy()
})
