import { describe, expect, it } from 'vitest'
import { queryFile } from '../../../test/support/tables.ts'

const csv = 'region,amount\nNorth,1\nSouth,2\nNorth,0.5\nEast,\n'
const query = (sql: string, limits = {}) => queryFile('a.csv', csv, sql, limits)

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

  it('finds all columns in a table', async () => {
    expect(await query('SELECT "table", name, type, empty FROM all_columns')).toMatchObject({
      rows: [
        ['t1', 'region', 'text', 0],
        ['t1', 'amount', 'number', 1],
      ],
    })
  })
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
    ['memory at once', 'SELECT length(zeroblob(1000000000))'],
    ['a second statement', 'SELECT 1; DELETE FROM f1.t1'],
    ['a transaction', 'BEGIN'],
    ['nothing', '-- nothing'],
    ['a deep expression', `SELECT ${'('.repeat(300)}1${')'.repeat(300)} + ${'1+'.repeat(300)}1`],
    ['a huge text', "SELECT printf('%.900000000c', 'x')"],
  ])('%s', async (_, sql) => {
    expect(await query(sql)).toHaveProperty('error')
  })
})

describe('an endless statement is ended', () => {
  it.each([
    ['recursion', 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r'],
    [
      'a product',
      'SELECT count(*) FROM t1 a, t1 b, t1 c, t1 d, t1 e, t1 f, t1 g, t1 h, t1 i, t1 j, t1 k, t1 l, t1 m',
    ],
  ])('%s, by its time', async (_, sql) => {
    expect(await query(sql, { timeMs: 300 })).toMatchObject({
      error: 'The statement took longer than 0.3 seconds and was ended. Make it simpler.',
    })
  })

  it('by its memory', async () => {
    const sql =
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT json_group_array(printf('%.1000c', n)) FROM r"
    expect(await query(sql, { timeMs: 60_000, memoryMb: 20 })).toMatchObject({
      error: expect.stringMatching(/needed more than 20 MB|too big/) as string,
    })
  })
})
