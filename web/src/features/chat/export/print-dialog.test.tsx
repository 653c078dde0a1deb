import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { PrintDialog } from './print-dialog.tsx'

const at = '2026-11-20T09:00:00Z'
const conversation = {
  id: 's1',
  user_id: 'u1',
  title: 'Rome',
  created_at: at,
  updated_at: at,
  message_count: 2,
}

// from a report about another product: CherryHQ/cherry-studio#2055
it('prints the tables below a reply, with all rows that are stored', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => [`Region ${index}`, 1_000 + index])
  const data = {
    columns: ['region', 'sum_eur'],
    rows,
    total_rows: 70,
    sources: [{ table: 't', file: 'A.csv' }],
  }
  const common = { session_id: 's1', attachments: [], created_at: at }
  const messages = [
    { ...common, id: 'm1', role: 'user', content: 'Sums by region?', tool_calls: [] },
    {
      ...common,
      id: 'm2',
      role: 'assistant',
      content: 'Here they are.',
      tool_calls: [{ tool: 'query_table', action: '', parameters: {}, result: { success: true, data } }],
    },
  ]
  fakeApi({
    'sessions.export': () => ({
      success: true,
      file_name: 'rome.json',
      type: 'application/json',
      content: JSON.stringify({ ...conversation, messages }),
      next: null,
    }),
  })
  renderPage(
    <PrintDialog conversation={conversation} open onClose={() => undefined} findFocusTarget={() => null} />,
  )
  const table = await screen.findByRole('table')
  const cells = (row: HTMLElement | undefined) => [...(row?.children ?? [])].map((cell) => cell.textContent)
  const printed = within(table).getAllByRole('row')
  expect(printed).toHaveLength(21)
  expect([printed[0], printed.at(-1)].map(cells)).toEqual([
    ['Region', 'Sum eur'],
    ['Region 19', '1,019'],
  ])
  expect(screen.getByText('A.csv · 20 of 70 rows')).toBeTruthy()
})
