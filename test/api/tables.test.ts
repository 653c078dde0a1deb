import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
    sources: [
      {
        table: 'umsatz_2026',
        file: 'Umsatz 2026.csv',
        range: 'A1:C5001',
        file_id: attachments[0]?.id,
        key: 't1',
      },
    ],
  })
  expect(goal).toMatchObject({ rows: [[2_000]], sources: [{}, { file: 'Ziele.xlsx', sheet: 'Ziele' }] })
  expect(wrong).toEqual({
    error: 'no such column: umsatz',
    codes: [{ code: 'query', params: { reason: 'sqlite', message: 'no such column: umsatz' } }],
    tables: ['umsatz_2026: region, umsatz_eur, datum'],
  })
  // the prompt has rows, columns and a sample
  expect(prompt()).toContain('umsatz_2026: 5,000 rows (A1:C5001)')
  expect(prompt()).toContain('columns: region text, umsatz_eur number, datum date')
  expect(prompt()).toContain('2026-03-31')
})

it(
  'files of a project and of a temporary chat have tables, and without any the tool says so',
  { tags: 'long' },
  async () => {
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
        codes: [{ code: 'query', params: { reason: 'no_tables' } }],
      },
    ])
  },
)

/** Uploads the csv, and asks for all of its rows. @returns the stored result of the call, and how the statement can be run again */
async function askForRows(
  user: StackUser,
  sql = 'SELECT region, umsatz_eur FROM umsatz ORDER BY umsatz_eur',
) {
  const file = await uploadFile(user, { name: 'Umsatz.csv', type: 'text/csv', content: csv })
  model.behave(calls(query('c1', sql)), says('Done.'))
  const sessionId = crypto.randomUUID()
  const messages = [{ role: 'user', content: 'All rows?', attachments: [{ id: file.id }] }]
  await send(user, { sessionId, messages })
  const { messages: stored } = await user.call('sessions.read', { params: { sessionId } })
  const result = stored.at(-1)?.tool_calls[0]?.result
  const tables = [{ table: 'umsatz', file_id: file.id, key: 't1' }]
  return { file, sessionId, result, again: { sql, tables, from: 0 } }
}
const ordered = rows.map(({ cents }) => cents / 100).toSorted((a, b) => a - b)

it(
  'a long result stays a table in the stored message, pages, and is downloaded whole by its owner alone',
  { tags: 'long' },
  async () => {
    const [user, other] = await Promise.all([stack.newUser(), stack.newUser()])
    const { file, result, again } = await askForRows(user)
    const data = result?.data as { rows: unknown[][]; total_rows: number }
    expect(data.total_rows).toBe(5_000)
    expect(data.rows.length).toBeGreaterThan(100)
    expect(data.rows[0]).toHaveLength(2)
    const page = await user.call('documents.query', { body: { ...again, format: 'rows', from: 4_900 } })
    expect(page).toMatchObject({ columns: ['region', 'umsatz_eur'], total_rows: 5_000 })
    expect('rows' in page && page.rows.map(([, value]) => value)).toEqual(ordered.slice(4_900))
    const download = await user.call('documents.query', { body: { ...again, format: 'csv' } })
    expect(download).toMatchObject({ csv_rows: 5_000, total_rows: 5_000 })
    const response = await fetch('url' in download ? download.url : '')
    expect(response.headers.get('content-disposition')).toContain('filename="umsatz.csv"')
    const lines = Buffer.from(await response.arrayBuffer())
      .toString()
      .split('\r\n')
    expect(lines).toHaveLength(5_002)
    expect(lines[0]).toBe('\u{feff}region,umsatz_eur')
    expect(lines.slice(1, -1).map((line) => Number(line.split(',')[1]))).toEqual(ordered)
    for (const format of ['rows', 'csv'] as const) {
      const refused = await other.send('documents.query', { body: { ...again, format } })
      expect(refused).toMatchObject({ status: 404, body: { code: 'table_file_gone' } })
    }
    for (const [change, status, code] of [
      [{ sql: 'SELECT nothing FROM umsatz' }, 400, 'query_failed'],
      [{ tables: [{ ...again.tables[0], key: 't2' }] }, 404, 'table_file_gone'],
      [{ tables: [{ ...again.tables[0], table: 'x"' }] }, 400, 'bad_request'],
    ] as const) {
      const body = { ...again, ...change, format: 'rows' } as never
      expect(await user.send('documents.query', { body })).toMatchObject({ status, body: { code } })
    }
    await user.call('files.delete', { params: { attachmentId: file.id } })
    const gone = await user.send('documents.query', { body: { ...again, format: 'csv' } })
    expect(gone).toMatchObject({ status: 404, body: { code: 'table_file_gone' } })
  },
)

describe('the database of tables goes with its document', () => {
  const isStored = (key: string) =>
    existsSync(
      join(stack.dataDir, 'objects/records', `${createHash('sha256').update(key).digest('hex')}.json`),
    )
  type Way = (
    user: StackUser,
    ids: { fileId: string; sessionId: string; projectId: string },
  ) => Promise<unknown>
  it.each<[string, Way]>([
    [
      'that is deleted',
      (user, { fileId }) => user.call('files.delete', { params: { attachmentId: fileId } }),
    ],
    [
      'whose conversation is deleted',
      (user, { sessionId }) => user.call('sessions.delete', { params: { sessionId } }),
    ],
    [
      'whose message is deleted',
      async (user, { sessionId }) => {
        const { messages } = await user.call('sessions.read', { params: { sessionId } })
        const messageId = messages[0]?.id ?? ''
        await user.call('sessions.deleteTurn', { params: { sessionId, messageId } })
      },
    ],
    [
      'whose project is deleted',
      (user, { projectId }) =>
        user.call('projects.delete', { params: { projectId }, query: { conversations: 'delete' } }),
    ],
    ['whose user is erased', (user) => user.call('account.erase', { body: { confirm: 'DELETE' } })],
  ])('%s', { tags: 'long' }, async (name, go) => {
    const user = await stack.newUser()
    const ofProject = name.includes('project')
    const { project } = await user.call('projects.create', { body: { name: 'Sales' } })
    const file = await uploadFile(user, {
      name: 'goals.csv',
      type: 'text/csv',
      content: 'region,goal\nNorth,1.5\nSouth,2\n',
    })
    if (ofProject)
      await user.call('projects.update', {
        params: { projectId: project.id },
        body: { add_files: [file.id] },
      })
    const sessionId = crypto.randomUUID()
    model.behave(calls(query('c1', 'SELECT * FROM goals')), says('Done.'))
    const attachments = ofProject ? [] : [{ id: file.id }]
    await send(user, {
      sessionId,
      ...(ofProject && { project_id: project.id }),
      messages: [{ role: 'user', content: 'Goals?', attachments }],
    })
    const again = {
      sql: 'SELECT * FROM goals',
      tables: [{ table: 'goals', file_id: file.id, key: 't1' }],
      from: 0,
    }
    const result = await user.call('documents.query', { body: { ...again, format: 'csv' } })
    const csvKey = 'url' in result ? new URL(result.url).pathname.replace(/^.*(?=exports\/)/, '') : ''
    const keys = [`users/${user.sub}/${file.id}/tables-1`, csvKey]
    expect(keys.map(isStored)).toEqual([true, true])
    await go(user, { fileId: file.id, sessionId, projectId: project.id })
    // a CSV expires within two days; an erasure takes it along
    expect(keys.map(isStored)).toEqual([false, !name.includes('erased')])
  })
})
