import { expect, it } from 'vitest'
import { queryFile } from '../../../test/support/tables.ts'
import { adaptStatement } from './adapt-statement.ts'

it.each([
  ['SELECT CAST(a AS DATE) FROM t1', 'SELECT date(a ) FROM t1'],
  ['select cast ( a as timestamp(3) with time zone )', 'select datetime ( a )'],
  ["CAST(CAST(a AS DATETIME) || ' AS DATE)' AS TIME)", "time(datetime(a ) || ' AS DATE)' )"],
  ['try_cast(a AS REAL), SAFE_CAST(a AS STRING)', 'CAST(a AS REAL), CAST(a AS TEXT)'],
  [
    "a >= DATE '2026-03-01' AND b < timestamp\n'2026-03-01 10:00'",
    "a >=  '2026-03-01' AND b < \n'2026-03-01 10:00'",
  ],
])('%s is adapted', (sql, adapted) => {
  expect(adaptStatement(sql)).toBe(adapted)
})

it.each([
  'SELECT a AS date FROM (SELECT b AS date)',
  'SELECT \'CAST(a AS DATE)\', "CAST(a AS DATE)" -- CAST(a AS DATE)',
  '/* CAST(a AS DATE) */ SELECT [CAST(a AS DATE)], `DATE`',
  "SELECT date 'Day', CAST(a AS INTEGER), CAST(a AS DECIMAL(10, 2)), cast, date(a, '2026-01-01')",
  "SELECT 'never closed CAST(a AS DATE)",
  'SELECT ) CAST(a AS DATE',
])('%s stays as it is', (sql) => {
  expect(adaptStatement(sql)).toBe(sql)
})

it('a cast to a date is the day, and no number', async () => {
  const csv = 'at,n\n2026-03-31 23:30:00,1\n2026-03-31 08:00:00,2\n2026-04-01 00:00:00,3\n'
  const sql =
    "SELECT CAST(at AS DATE) d, sum(n) FROM t1 WHERE at >= DATE '2026-03-31' GROUP BY CAST(at AS DATE)"
  expect(await queryFile('a.csv', csv, sql)).toMatchObject({
    rows: [
      ['2026-03-31', 3],
      ['2026-04-01', 3],
    ],
  })
})
