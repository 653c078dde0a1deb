import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withFolder } from '../../../test/support/tables.ts'
import { parseExactJson } from '../../platform/exact-json.ts'
import { planRecords, toRecordTable } from './records.ts'
import { writeRecords } from './write-records.ts'

const deals = Array.from({ length: 6 }, (_, index) => ({
  id: `0${index}`,
  properties: { amount: `${index}.50`, closeDate: `2026-03-0${index + 1}T14:05:00Z` },
  open: index % 2 === 0,
  labels: ['a', 'b'],
  order: index,
}))

describe('a list of objects is a table', () => {
  it('wherever it stands in a result, with the fields of inner objects, typed by their values', () => {
    for (const data of [deals, { deals, next: null }, { data: { page: 1, items: deals } }]) {
      const records = toRecordTable(data)
      expect(records?.rows).toHaveLength(6)
      expect(records && planRecords(records).map(({ name, plan }) => [name, plan.type])).toEqual([
        ['id', 'text'],
        ['properties_amount', 'number'],
        ['properties_close_date', 'date'],
        ['open', 'boolean'],
        ['labels', 'text'],
        ['order_', 'number'],
      ])
    }
  })

  const lines = deals.map(({ id, order }) => [id, order])
  const names = ['id', 'amount']
  it.each<[string, unknown, string[]]>([
    ['columns beside them', { columns: names, rows: lines }, names],
    [
      'columns that are objects',
      { result: { fields: names.map((name) => ({ name, type: 1 })), rows: lines } },
      names,
    ],
    ['a header as their first row', { range: 'A1:B7', values: [names, ...lines] }, names],
    ['a header, and nothing around them', [names, ...lines], names],
    ['two columns of one name', { headers: ['id', 'id'], data: lines }, ['id', 'id 2']],
    ['rows that end early', { columns: [...names, 'note'], rows: lines }, [...names, 'note']],
  ])('also as rows with %s', (_, data, titles) => {
    const records = toRecordTable(data)
    expect(records?.titles).toEqual(titles)
    expect(records?.rows.map((row) => row.slice(0, 2))).toEqual(lines)
  })

  it('that SQLite reads, lists within it as JSON', async () => {
    const records = toRecordTable(deals)
    const row = await withFolder((folder) => {
      const path = join(folder, 'a.sqlite')
      writeRecords(records ? [records] : [], path)
      using database = new DatabaseSync(path)
      return database
        .prepare(
          'SELECT sum(properties_amount) AS sum, max(properties_close_date) AS last, sum(open) AS open, labels ->> 1 AS label, id FROM t1',
        )
        .get()
    })
    expect(row).toEqual({ sum: 18, last: '2026-03-06 14:05:00', open: 3, label: 'b', id: '05' })
  })

  it('whose long numbers stay exact, as text', () => {
    const text = `[${'{"id": 12345678901234567890},'.repeat(5)}{"id": 1}]`
    expect(toRecordTable(parseExactJson(text))?.rows[0]).toEqual(['12345678901234567890'])
  })
})

it.each([
  ['few objects', deals.slice(0, 4)],
  ['a list of texts', ['a', 'b', 'c', 'd', 'e']],
  ['objects and others', [...deals, 'x']],
  ['objects that have nothing in common', deals.map((_, index) => ({ [`a${index}`]: 1 }))],
  ['objects without fields', deals.map(() => ({}))],
  ['a list too deep', { a: { b: { c: { d: deals } } } }],
  ['rows without names', { rows: deals.map(({ order }) => [order, order]) }],
  ['rows of other names', { columns: ['a'], rows: deals.map(({ order }) => [order, order]) }],
  ['places on a map', { type: 'LineString', coordinates: deals.map(({ order }) => [order, 1.5]) }],
  ['a text', JSON.stringify(deals)],
  ['nothing', null],
])('%s are no table', (_, data) => {
  expect(toRecordTable(data)).toBeUndefined()
})
