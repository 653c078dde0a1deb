import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { queryFile, withFolder } from '../../../test/support/tables.ts'
import { queryLimits } from './run-query.ts'

const csv = 'region,amount\nNorth,1\nSouth,2\nNorth,0.5\nEast,\n'
const query = (sql: string, limits = {}) => queryFile('a.csv', csv, sql, limits)

it('a statement runs in a process of its own', async () => {
  expect(await query('SELECT 1 a', queryLimits)).toEqual({ columns: ['a'], rows: [[1]], total_rows: 1 })
})

describe('a statement', () => {
  it('reads the tables, and its numbers are exact', async () => {
    expect(
      await query('SELECT region, sum(amount) s, count(*) FROM t1 GROUP BY 1 ORDER BY s DESC; -- all'),
    ).toEqual({
      columns: ['region', 's', 'count(*)'],
      rows: [
        ['South', 2, 1],
        ['North', 1.5, 2],
        ['East', null, 1],
      ],
      total_rows: 3,
    })
    // whole numbers are real, so that a share is none of integers
    expect(await query('SELECT sum(amount) / count(*), avg(amount), 1 / 2.0 FROM t1')).toMatchObject({
      rows: [[0.875, 3.5 / 3, 0.5]],
    })
  })

  it('gets at most 200 rows, and their number', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `r${index},${index}`).join('\n')
    const answer = await queryFile('a.csv', `name,value\n${rows}\n`, 'SELECT * FROM t1 ORDER BY value')
    expect(answer).toMatchObject({ total_rows: 300 })
    expect('rows' in answer && answer.rows.length).toBe(200)
    const long = await query("SELECT printf('%.3000c', 'x') FROM t1 a, t1 b, t1 c", { characters: 10_000 })
    expect(long).toMatchObject({ total_rows: 64 })
    expect('rows' in long && long.rows.length).toBe(3)
  })

  it('writes what JSON does not know', async () => {
    expect(await query("SELECT 9007199254740993, 9e999, x'00ff', 12, NULL")).toMatchObject({
      rows: [['9007199254740993', 'Infinity', "x'00ff'", 12, null]],
    })
  })

  it('that is wrong gets what SQLite says, and the columns', async () => {
    expect(await query('SELECT amuont FROM t1')).toEqual({
      error: 'no such column: amuont',
      columns: ['t1: region, amount'],
    })
  })

  it.each([
    ["lower('MÜNCHEN')", 'münchen'],
    ["upper('é')", 'É'],
    ["'Червоний' LIKE '%черв%'", 1],
    ["'Ärzte' LIKE 'a%'", 0],
    ["'50% (x)' LIKE '50!% (_)' ESCAPE '!'", 1],
    ["NULL LIKE 'a'", null],
    ["'x1' REGEXP '^x[0-9]'", 1],
    ['(SELECT stddev(amount) FROM t1)', 0.763762616],
    ['(SELECT var_pop(amount) FROM t1 WHERE amount IS NULL)', null],
    ['(SELECT median(amount) FROM t1)', 1],
  ])('has functions for all letters, and those of other databases: %s', async (expression, value) => {
    const answer = await query(`\`\`\`sql\nSELECT ${expression};\n\`\`\``)
    const found = 'rows' in answer ? answer.rows[0]?.[0] : answer
    expect(typeof found === 'number' ? Number(found.toFixed(9)) : found).toBe(value)
  })

  it('has parts of dates by their usual names', async () => {
    const expected: [expression: string, value: unknown][] = [
      ["date_trunc('month', '2026-03-31')", '2026-03-01'],
      ["date_trunc('QUARTER', '2026-05-31 14:05:00')", '2026-04-01'],
      ["date_trunc('week', '2026-01-01')", '2025-12-29'],
      ["date_trunc('hour', '2026-01-01 14:05:00')", '2026-01-01 14:00:00'],
      ["date_trunc('day', 'soon')", null],
      ["year('2026-03-31') * 100 + quarter('2026-03-31')", 202_601],
      ["date_part('week', '2027-01-01')", 53],
      ["date_part('doy', '2026-12-31')", 365],
    ]
    expect(await query(`SELECT ${expected.map(([expression]) => expression).join(', ')}`)).toMatchObject({
      rows: [expected.map(([, value]) => value)],
    })
  })

  it.each([
    ['SELECT extract(year FROM region), amount::int FROM t1', "date_part('year', d), for EXTRACT; CAST(x"],
    ["SELECT TOP 5 * FROM t1 WHERE region ILIKE 'n%'", 'LIKE, which ignores case, for ILIKE; LIMIT'],
    ["SELECT * FROM t1 PIVOT(sum(amount) FOR region IN ('North'))", 'FILTER (WHERE'],
    ["SELECT date_trunc('century', region) FROM t1", 'known: year, quarter'],
  ])('in words of another database is told those of SQLite: %s', async (sql, advice) => {
    const answer = await query(sql)
    expect('error' in answer && answer.error).toContain(advice)
  })

  it('finds all columns in a table', async () => {
    expect(await query('SELECT "table", name, type, empty FROM all_columns')).toMatchObject({
      rows: [
        ['t1', 'region', 'text', 0],
        ['t1', 'amount', 'number', 1],
      ],
    })
  })
})

describe('a CSV of a result', () => {
  /** @returns the answer, and the file that was written */
  const write = (
    name: string,
    content: string,
    sql: string,
    { timeMs, ...limits }: { timeMs?: number; maxRows?: number; maxBytes?: number; isJson?: boolean } = {},
  ) =>
    withFolder(async (folder) => {
      const path = join(folder, 'result.csv')
      const csv = { path, maxRows: 100_000, maxBytes: 1_000_000, ...limits }
      const answer = await queryFile(name, content, sql, { csv, ...(timeMs && { timeMs }) })
      return { answer, text: 'error' in answer ? undefined : readFileSync(path, 'utf8') }
    })

  it('has all rows, numbers as they are, nothing for NULL, and no formula', async () => {
    const { answer, text } = await write('a.csv', 'name,value\n=1+1,-1.5\n"a,b",\n', 'SELECT * FROM t1')
    expect(answer).toEqual({ columns: ['name', 'value'], rows: [], total_rows: 2, csv_rows: 2 })
    expect(text).toBe('\u{feff}name,value\r\n\'=1+1,-1.5\r\n"a,b",\r\n')
  })

  it('as lines of JSON keeps the types of its values', async () => {
    const sql = "SELECT name, value, '007' AS code FROM t1"
    const { text } = await write('a.csv', 'name,value\n=1+1,-1.5\n"a\nb",\n', sql, { isJson: true })
    expect(text).toBe('["name","value","code"]\n["=1+1",-1.5,"007"]\n["a\\nb",null,"007"]\n')
  })

  it('ends at its limits, and counts the others', async () => {
    const rows = `n\n${Array.from({ length: 500 }, (_, index) => index).join('\n')}\n`
    const few = await write('a.csv', rows, 'SELECT * FROM t1', { maxRows: 100 })
    expect(few.answer).toMatchObject({ total_rows: 500, csv_rows: 100 })
    const small = await write('a.csv', rows, 'SELECT * FROM t1', { maxBytes: 60 })
    expect(small.answer).toMatchObject({ total_rows: 500, csv_rows: 16 })
    expect(small.text?.split('\r\n')).toHaveLength(18)
  })

  it('of an endless statement is none', async () => {
    const endless = 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r'
    const { answer } = await write('a.csv', csv, endless, { timeMs: 100 })
    expect(answer).toHaveProperty('error')
  })
})

it('rows from a later one on are the same as those of the whole result', async () => {
  expect(await query('SELECT region, amount FROM t1', { from: 2, rows: 1 })).toEqual({
    columns: ['region', 'amount'],
    rows: [['North', 0.5]],
    total_rows: 4,
  })
})

it('columns that are called like SQL, or alike, are queried by harmless names', async () => {
  const hostile = '"x""; DROP TABLE t1; --",select,select,"a) FROM t1; --"\n1,2,3,4\n5,6,7,8\n'
  expect(
    await queryFile('a.csv', hostile, 'SELECT sum(x_drop_table_t1), sum(select_), sum(select_2) FROM t1'),
  ).toMatchObject({ rows: [[6, 8, 10]] })
})

describe('a hostile statement is refused', () => {
  it.each([
    ['a write', 'INSERT INTO t1 VALUES (1, 2)'],
    ['a deletion', 'DELETE FROM f1.t1'],
    ['a new table', 'CREATE TABLE x (a)'],
    ['a dropped view', 'DROP VIEW t1'],
    ['another file', "ATTACH '/etc/passwd' AS x"],
    ['a copy', "VACUUM INTO '/tmp/stolen'"],
    ['a pragma', 'PRAGMA database_list'],
    ['a pragma as a table', 'SELECT * FROM pragma_database_list'],
    ['the paths of files', 'SELECT * FROM sqlite_master WHERE 1'],
    ['an extension', "SELECT load_extension('x')"],
    ['a second statement', 'SELECT 1; DELETE FROM f1.t1'],
    ['a transaction', 'BEGIN'],
    ['nothing', '-- nothing'],
    ['a deep expression', `SELECT ${'('.repeat(300)}1${')'.repeat(300)} + ${'1+'.repeat(300)}1`],
    ['memory at once', 'SELECT length(zeroblob(1000000000))'],
    ['a huge text', "SELECT printf('%.900000000c', 'x')"],
    ['a text that doubles', `SELECT ${'replace('.repeat(60)}'x'${", 'x', 'xx')".repeat(60)}`],
    ['a long pattern', `SELECT 'a' LIKE '${'%a'.repeat(200)}'`],
  ])('%s', async (_, sql) => {
    expect(await query(sql)).toHaveProperty('error')
  })
})

describe('an endless statement is ended', () => {
  const late = { error: 'The statement took longer than 0.1 seconds and was ended. Make it simpler.' }

  it('by its time', async () => {
    const sql = 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r'
    expect(await query(sql, { timeMs: 100 })).toMatchObject(late)
  })

  it('a product, by its time', { tags: 'long' }, async () => {
    const sql =
      'SELECT count(*) FROM t1 a, t1 b, t1 c, t1 d, t1 e, t1 f, t1 g, t1 h, t1 i, t1 j, t1 k, t1 l, t1 m'
    expect(await query(sql, { timeMs: 100 })).toMatchObject(late)
  })

  it.each([
    [
      'a list of distinct rows',
      'WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r) SELECT DISTINCT n FROM r',
    ],
    [
      'texts that are joined',
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT group_concat(n, 'x') OVER (ORDER BY n) FROM r",
    ],
  ])('%s, by time or memory', { tags: 'long' }, async (_, sql) => {
    expect(await query(sql, { timeMs: 500, memoryMb: 40 })).toHaveProperty('error')
  })

  it('by its memory', async () => {
    const sql =
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT json_group_array(printf('%.1000c', n)) FROM r"
    expect(await query(sql, { timeMs: 60_000, memoryMb: 20 })).toMatchObject({
      error: expect.stringMatching(/needed more than 20 MB|too big/) as string,
    })
  })
})
