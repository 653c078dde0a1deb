import { expect, it } from 'vitest'
import { aReadDocument } from '../../test/support/read-documents.ts'
import { AttachmentNotFound } from '../files/errors.ts'
import type { StoredFile } from '../files/file-row.ts'
import type { TableInfo } from '../files/stored-tables.ts'
import { repeatQuery } from './repeat-query.ts'
import type { QueryAnswer, QueryRequest } from './tables/query-contract.ts'
import { maxQueryFiles } from './tables/query-limits.ts'

const table: TableInfo = { name: '', range: 'A1:B3', rows: 2, columns: [], columnCount: 0, sample: [] }
const sales: StoredFile = { ...aReadDocument('a', 'text'), tables: [table, table] }
const found: QueryAnswer = { columns: ['x'], rows: [[1]], total_rows: 7, csv_rows: 5 }
const named = (file_id: string, key = 't1', name = 'sales') => ({ table: name, file_id, key })

/** A query again, over the file `a` of its user. */
function open({ file = sales, answer = found }: { file?: StoredFile | Error; answer?: QueryAnswer } = {}) {
  const requests: QueryRequest[] = []
  const deps = {
    files: {
      find: async (_: string, id: string) => {
        if (file instanceof Error) throw file
        if (id !== file.id) throw new AttachmentNotFound(`no file ${id}`)
        return file
      },
    },
    store: {
      signUrl: async (key: string) => `https://bucket.example/${key}`,
      signLink: async (key: string, { disposition }: { disposition: string }) =>
        `https://bucket.example/${key}?${disposition}`,
      presignPost: async ({ key }: { key: string }) => ({ url: 'https://bucket.example', fields: { key } }),
    },
    queryTables: async (request: QueryRequest) => {
      requests.push(request)
      return answer
    },
  } as unknown as Parameters<typeof repeatQuery>[0]
  const run = (tables: ReturnType<typeof named>[]) =>
    repeatQuery(deps, 'ann', { sql: 'SELECT 1', tables, format: 'rows', from: 200 })
  return { requests, run }
}

const gone = { status: 404, code: 'table_file_gone' }

it('runs the statement over the tables that it names, from the row on', async () => {
  const { run, requests } = open()
  expect(await run([named('a'), named('a', 't2', 'costs')])).toEqual({
    columns: ['x'],
    rows: [[1]],
    total_rows: 7,
  })
  expect(requests).toEqual([
    {
      sql: 'SELECT 1',
      files: [{ url: 'https://bucket.example/users/ann/a/tables-1', names: { t1: 'sales', t2: 'costs' } }],
      from: 200,
    },
  ])
})

it.each<[string, Parameters<typeof open>[0], string]>([
  ['a file that is deleted', { file: new AttachmentNotFound('no file a') }, 't1'],
  ['a file whose upload has not ended', { file: { ...sales, state: 'incoming' } }, 't1'],
  ['a file that has no tables any more', { file: aReadDocument('a', 'text') }, 't1'],
  ['a table behind the last one', {}, 't3'],
  ['a table before the first one', {}, 't0'],
  ['a key that has no number', {}, 't'],
])('says of %s that the table is gone, and asks nobody', async (_, options, key) => {
  const { run, requests } = open(options)
  await expect(run([named('a', key)])).rejects.toMatchObject(gone)
  expect(requests).toEqual([])
})

it('says so of a database that is deleted before the query', async () => {
  const { run } = open({ answer: { error: 'no such table', columns: [], isGone: true } })
  await expect(run([named('a')])).rejects.toMatchObject(gone)
})

it('distinguishes failures', async () => {
  const failed = { status: 400, code: 'query_failed' }
  await expect(
    open({ answer: { error: 'no such column', columns: [] } }).run([named('a')]),
  ).rejects.toMatchObject(failed)
  const many = Array.from({ length: maxQueryFiles + 1 }, (_, index) => named(`f${index}`))
  await expect(open().run(many)).rejects.toMatchObject(failed)
  const outage = new Error('the table is down')
  await expect(open({ file: outage }).run([named('a')])).rejects.toBe(outage)
})
