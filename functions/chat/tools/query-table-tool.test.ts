import { expect, it, vi } from 'vitest'
import { aReadDocument } from '../../../test/support/read-documents.ts'
import type { QueryAnswer, QueryRequest } from '../../documents/tables/query-contract.ts'
import type { StoredFile } from '../../files/file-row.ts'
import type { TableInfo } from '../../files/stored-tables.ts'
import { queryTableTool } from './query-table-tool.ts'
import { sayQuery } from '#shared/sentences/queries.ts'
import type { ResultTable } from './result-tables.ts'

const table = (changes: Partial<TableInfo> = {}): TableInfo => ({
  name: '',
  range: 'A1:B3',
  rows: 2,
  columns: [{ name: 'amount', type: 'number', empty: 0 }],
  columnCount: 1,
  sample: [],
  ...changes,
})
const aFile = (id: string, name: string, ...tables: TableInfo[]): StoredFile => ({
  ...aReadDocument(id, 'text'),
  name,
  ...(tables.length > 0 && { tables }),
})
const found: QueryAnswer = { columns: ['x'], rows: [[1]], total_rows: 1 }

/** A tool over these files. `reread`: what the table has after files were read anew; `results`: lists of tools */
function openTool(
  files: readonly StoredFile[],
  answer: QueryAnswer = found,
  { reread = files, results = [] }: { reread?: readonly StoredFile[]; results?: ResultTable[] } = {},
) {
  const requests: QueryRequest[] = []
  const startReading = vi.fn<() => Promise<void>>(async () => undefined)
  const store = { signUrl: async (key: string) => `https://bucket.example/${key}` }
  let isRead = false
  const deps = {
    files: {
      findMany: async () => {
        const rows = isRead ? reread : files
        isRead = true
        return new Map(rows.map((file) => [file.id, file]))
      },
    },
    store,
    startReading,
  } as unknown as Parameters<typeof queryTableTool>[0]
  const tool = queryTableTool(deps, 'ann', {
    listFiles: async () => [...files],
    listResultTables: () => results,
    queryTables: async (request) => {
      requests.push(request)
      return answer
    },
  })
  return { tool, requests, startReading, run: (sql: string) => tool.run({ sql }, AbortSignal.timeout(5_000)) }
}

it('runs without approval, and changes nothing', () => {
  expect(openTool([]).tool).toMatchObject({ name: 'query_table', writes: false })
  // models lose decimals, and the times of a last day
  expect(openTool([]).tool.description).toContain('1.0 * count(*)')
  expect(openTool([]).tool.description).toContain('BETWEEN leaves out the last day')
})

it('attaches the files whose tables the statement names, and says which they are', async () => {
  const { run, requests } = openTool([
    aFile('a', 'sales.csv', table()),
    aFile('b', 'sales.csv', table()),
    aFile(
      'c',
      'Plan.xlsx',
      table({ name: 'north', sheet: 'North' }),
      table({ name: 'south', sheet: 'South' }),
    ),
    aFile('d', 'letter.txt'),
  ])
  expect(await run('SELECT * FROM SALES_2 JOIN north USING (amount)')).toEqual({
    ...found,
    sources: [
      { table: 'sales_2', file: 'sales.csv', range: 'A1:B3', file_id: 'b', key: 't1' },
      { table: 'north', file: 'Plan.xlsx', sheet: 'North', range: 'A1:B3', file_id: 'c', key: 't1' },
    ],
  })
  expect(requests).toEqual([
    {
      sql: 'SELECT * FROM SALES_2 JOIN north USING (amount)',
      files: [
        { url: 'https://bucket.example/users/ann/b/tables-1', names: { t1: 'sales_2' } },
        { url: 'https://bucket.example/users/ann/c/tables-1', names: { t1: 'north', t2: 'south' } },
      ],
    },
  ])
})

it('attaches ten files at most, those of all tables where none is named', async () => {
  const { run, requests } = openTool(
    Array.from({ length: 12 }, (_, index) => aFile(`f${index}`, `n${index}.csv`, table())),
  )
  await run('SELECT * FROM all_columns')
  expect(requests[0]?.files).toHaveLength(10)
})

it('gives back what is wrong with a statement, with the tables', async () => {
  const { run } = openTool([aFile('a', 'sales.csv', table())], { error: 'no such table: x', columns: [] })
  expect(await run('SELECT * FROM x')).toMatchObject({ error: 'no such table: x', tables: ['sales'] })
})

it('sends the lists that a statement names, and says of one that is gone how to get it back', async () => {
  const results = ['result_1_list_deals', 'result_2_list_deals'].map((name) => ({
    name,
    source: { integration: 'HubSpot', title: 'List deals' },
    records: { titles: ['amount'], rows: [[1]] },
  }))
  const { run, requests } = openTool([aFile('a', 'sales.csv', table())], found, { results })
  expect(await run('SELECT * FROM result_2_list_deals')).toMatchObject({
    sources: [{ table: 'result_2_list_deals', integration: 'HubSpot', title: 'List deals' }],
  })
  expect(requests[0]?.files).toEqual([
    { records: [results[1]?.records], names: { t1: 'result_2_list_deals' } },
  ])
  // those of all where none is named
  await run('SELECT * FROM all_columns')
  expect(requests[1]?.files).toHaveLength(2)
  const gone = openTool([], { error: 'no such table: result_9_x', columns: [] }, { results })
  expect(await gone.run('SELECT * FROM result_9_x')).toEqual({
    error: 'no such table: result_9_x. Tables of results last until their reply ends: call the tool again.',
    codes: [
      { code: 'query', params: { reason: 'sqlite', message: 'no such table: result_9_x' } },
      { code: 'query', params: { reason: 'result_gone' } },
    ],
    tables: ['result_1_list_deals', 'result_2_list_deals'],
  })
})

it('refuses lists that are too long to be sent', async () => {
  const records = { titles: ['a'], rows: [['x'.repeat(4_100_000)]] }
  const { run, requests } = openTool([], found, {
    results: [{ name: 'result_1_x', source: { integration: 'X', title: 'X' }, records }],
  })
  expect(await run('SELECT * FROM result_1_x')).toMatchObject({
    error: expect.stringContaining('too long') as string,
  })
  expect(requests).toEqual([])
})

it('stores numbers as they are, and as texts those that rows cannot hold', () => {
  const stored = [0, 1.5, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1e-100, -1e-100, 'x', null]
  const beyond = [2 ** 53, -(2 ** 53), 1e300, 9.9e-101, -9.9e-101]
  const { tool } = openTool([])
  expect(tool.toStoredResult?.({ ...found, rows: [stored, beyond] })).toEqual({
    ...found,
    rows: [stored, ['9007199254740992', '-9007199254740992', '1e+300', '9.9e-101', '-9.9e-101']],
  })
})

it('says that there are no tables, and asks nobody', async () => {
  const { run, requests } = openTool([aFile('d', 'letter.txt')])
  expect(await run('SELECT 1')).toMatchObject({
    total_rows: 0,
    note: sayQuery('query.no_tables').text,
    codes: [{ code: 'query', params: { reason: 'no_tables' } }],
  })
  expect(requests).toEqual([])
})
