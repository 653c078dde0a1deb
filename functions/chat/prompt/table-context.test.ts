import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { aReadDocument } from '../../../test/support/read-documents.ts'
import { readTables, withFolder } from '../../../test/support/tables.ts'
import { queryLimits, runChild } from '../../documents/tables/run-query.ts'
import type { TableInfo } from '../../files/stored-tables.ts'
import { describeTables, nameTables } from './table-context.ts'

const aTable = (changes: Partial<TableInfo> = {}): TableInfo => ({
  name: '',
  range: 'A1:B50001',
  rows: 50_000,
  columns: [
    { name: 'region', type: 'text', empty: 0 },
    { name: 'umsatz_eur', title: 'Umsatz in €', type: 'number', unit: '€', empty: 12 },
  ],
  columnCount: 2,
  sample: [['North', 1.5]],
  ...changes,
})
const aFile = (id: string, name: string, ...tables: TableInfo[]) => ({
  ...aReadDocument(id, 'text'),
  name,
  tables,
})
const listNames = (...files: ReturnType<typeof aFile>[]) =>
  [...nameTables(files).values()].flat().map(({ name }) => name)

describe('a table is called', () => {
  it('like its file or its sheet, and the second of one name gets a number', () => {
    expect(
      listNames(
        aFile('a', 'Sales 2026.csv', aTable()),
        aFile('b', 'sales-2026.csv', aTable()),
        aFile('c', 'Book.xlsx', aTable({ name: 'sheet1', sheet: 'Sheet1' })),
        aFile('d', 'Plan.xlsx', aTable({ name: 'north' }), aTable({ name: 'sheet2' })),
        aFile('e', '2026.csv', aTable()),
        aFile('f', 'all_columns.csv', aTable()),
      ),
    ).toEqual(['sales_2026', 'sales_2026_2', 'book', 'north', 'sheet2', 'n_2026', 'file_all_columns'])
  })

  it('after its file too where its own name is a range alone, the usual one of a program, or one of a result', () => {
    const nameIn = (name: string, ...others: TableInfo[]) =>
      listNames(aFile('a', 'Budget.xlsx', aTable({ name }), ...others))[0]
    expect(nameIn('b2_xfd10')).toBe('budget_b2_xfd10')
    for (const name of ['b2', 'b2_d', 'my_b2_d9', 'b2_d9_may']) expect(nameIn(name)).toBe(name)
    expect([nameIn('tabelle_1'), nameIn('tabelle_1', aTable({ name: 'may' }))]).toEqual([
      'budget',
      'tabelle_1',
    ])
    expect([nameIn('my_sheet1'), nameIn('sheet1_may')]).toEqual(['my_sheet1', 'sheet1_may'])
    expect([nameIn('result_1'), nameIn('my_result_1')]).toEqual(['file_result_1', 'my_result_1'])
  })

  it('the same when another file follows', () => {
    const files = [aFile('a', 'x.csv', aTable()), aFile('b', 'x.csv', aTable())]
    const before = listNames(...files)
    expect(listNames(...files, aFile('c', 'x.csv', aTable())).slice(0, 2)).toEqual(before)
  })
})

it('every table is read under its name, whatever its file is called', async () => {
  const titles =
    'sqlite_sales SQLite_master sqlite_schema pragma_table_info dbstat dbstat_2024 all_columns json_each main'
  const names = listNames(...titles.split(' ').map((title) => aFile(title, `${title}.csv`, aTable())))
  const built = await readTables('a.csv', 'a,b\n1,2\n')
  await withFolder(async (folder) => {
    const path = join(folder, 'a.sqlite')
    writeFileSync(path, zstdDecompressSync(built?.bytes ?? Buffer.of()))
    const count = (counted: readonly string[], named = counted) =>
      runChild({
        sql: counted.map((name) => `SELECT count(*) FROM ${name}`).join(' UNION ALL '),
        files: named.map((name) => ({ path, names: { t1: name } })),
        limits: queryLimits,
      })
    expect(await count(names)).toMatchObject({ rows: names.map(() => [1]) })
    expect(await count(['all_columns'], names)).toMatchObject({ rows: [[2 * names.length]] })
    // one that SQLite refuses takes no other with it
    expect(await count(['sales'], ['sqlite_x', 'sales'])).toMatchObject({ rows: [[1]] })
  })
})

it('describes rows, place, columns, units and empty cells, and first rows where the prompt has no others', () => {
  const table = aTable({ sheet: 'May', name: 'may', leftOut: 'row 50002, the sum of the others: “Total”' })
  const named = nameTables([aFile('a', 'b.xlsx', table)])
  const whole = `Tables for query_table:
may: 50,000 rows (sheet "May", A1:B50001; left out: row 50002, the sum of the others: “Total”)
columns: region text, umsatz_eur number € ("Umsatz in €"; 12 empty)`
  expect(describeTables(named, () => false).get('a')).toBe(whole)
  expect(describeTables(named, () => true).get('a')).toBe(`${whole}\nfirst rows: ["North",1.5]`)
})

it('stays short, whatever files there are, and says where the rest stands', () => {
  const columns = Array.from({ length: 100 }, (_, index) => ({
    name: `a_rather_long_name_of_a_column_${index}`,
    type: 'text' as const,
    empty: 0,
  }))
  const files = Array.from({ length: 60 }, (_, index) =>
    aFile(
      String(index),
      `f${index}.xlsx`,
      ...Array.from({ length: 50 }, (__, n) => aTable({ name: `t_${n}`, columns })),
    ),
  )
  const described = describeTables(nameTables(files), () => true)
  expect([...described.values()].join('').length).toBeLessThan(40_000)
  expect(described.get('0')).toContain('SELECT * FROM all_columns')
  expect(described.get('0')?.length).toBeLessThanOrEqual(3_100)
})
