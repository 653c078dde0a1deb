import { expect, it } from 'vitest'
import { xlsx, type Cell } from '../support/documents.ts'
import { calls, says } from '../support/fake-model-server.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { uploadFile } from '../support/upload.ts'

const { model, stack } = await scriptedStack('Fine.')

const regions = ['Nord', 'Süd', 'West', 'Ost']
/** 5,000 rows with cents; a csv of German Excel. */
const rows = Array.from({ length: 5_000 }, (_, index) => ({
  region: regions[index % 4] ?? '',
  cents: (index * 7_919) % 1_000_003,
}))
const formatCents = (cents: number) =>
  `${Math.floor(cents / 100).toLocaleString('de')},${String(cents % 100).padStart(2, '0')}`
const csv = `Region;Umsatz (€);Datum\r\n${rows.map(({ region, cents }) => `${region};${formatCents(cents)};31.03.2026\r\n`).join('')}`
const sumOf = (region: string) =>
  rows.filter((row) => row.region === region).reduce((sum, { cents }) => sum + cents, 0) / 100
const goals: Cell[][] = [
  ['Region', 'Goal'],
  ...regions.map((region, index): Cell[] => [region, 1_000 * (index + 1)]),
]

const query = (id: string, sql: string) => ({ id, name: 'query_table', arguments: JSON.stringify({ sql }) })
const results = () =>
  (model.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(String(content)) as Record<string, unknown>)
const prompt = () => JSON.stringify(model.requests.at(-1)?.messages)
const send = (user: StackUser, body: Record<string, unknown>) =>
  user.call('chat.send', { body: { messageId: crypto.randomUUID(), ...body } as never })

it('sums of a csv and of a workbook are exact, and are joined', async () => {
  const user = await stack.newUser()
  const attachments = [
    await uploadFile(user, { name: 'Umsatz 2026.csv', type: 'text/csv', content: csv }),
    await uploadFile(user, { name: 'Ziele.xlsx', type: '', content: xlsx({ Ziele: goals }) }),
  ]
  model.behave(
    calls(
      query(
        'c1',
        'SELECT region, round(sum(umsatz_eur), 2) FROM umsatz_2026 GROUP BY region ORDER BY region',
      ),
      query(
        'c2',
        "SELECT z.goal FROM ziele z JOIN umsatz_2026 u USING (region) WHERE region = 'Süd' LIMIT 1",
      ),
      query('c3', 'SELECT umsatz FROM umsatz_2026'),
    ),
    says('Done.'),
  )
  const { toolCalls } = await send(user, {
    sessionId: crypto.randomUUID(),
    messages: [
      {
        role: 'user',
        content: 'What did each region sell?',
        attachments: attachments.map(({ id }) => ({ id })),
      },
    ],
  })
  expect(toolCalls.map(({ result }) => result.success)).toEqual([true, true, true])
  const [sums, goal, wrong] = results()
  expect(sums).toEqual({
    columns: ['region', 'round(sum(umsatz_eur), 2)'],
    rows: regions.toSorted().map((region) => [region, sumOf(region)]),
    total_rows: 4,
    sources: [{ table: 'umsatz_2026', file: 'Umsatz 2026.csv' }],
  })
  expect(goal).toMatchObject({ rows: [[2_000]], sources: [{}, { file: 'Ziele.xlsx', sheet: 'Ziele' }] })
  expect(wrong).toEqual({
    error: 'no such column: umsatz',
    tables: ['umsatz_2026: region, umsatz_eur, datum'],
  })
  // the prompt has rows, columns and a sample
  expect(prompt()).toContain('umsatz_2026: 5,000 rows (A1:C5001)')
  expect(prompt()).toContain('columns: region text, umsatz_eur number, datum date')
  expect(prompt()).toContain('2026-03-31')
})

it('files of a project and of a temporary chat have tables, and without any the tool says so', async () => {
  const user = await stack.newUser()
  const file = await uploadFile(user, {
    name: 'goals.csv',
    type: 'text/csv',
    content: 'region,goal\nNorth,1.5\nSouth,2\n',
  })
  const { project } = await user.call('projects.create', { body: { name: 'Sales' } })
  await user.call('projects.update', { params: { projectId: project.id }, body: { add_files: [file.id] } })
  const sum = calls(query('c1', 'SELECT sum(goal) FROM goals'))
  const messages = [{ role: 'user', content: 'Sum?' }]
  model.behave(sum, says('3.5'))
  await send(user, { sessionId: crypto.randomUUID(), project_id: project.id, messages })
  expect(results()).toMatchObject([{ rows: [[3.5]] }])
  model.behave(sum, says('3.5'))
  await send(user, { keep: false, messages: [{ ...messages[0], attachments: [{ id: file.id }] }] })
  expect(results()).toMatchObject([{ rows: [[3.5]] }])
  model.behave(sum, says('None.'))
  await send(user, { sessionId: crypto.randomUUID(), messages })
  expect(results()).toEqual([
    {
      columns: [],
      rows: [],
      total_rows: 0,
      note: 'There are no tables in the files of this conversation or its project.',
    },
  ])
})
