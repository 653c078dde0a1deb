import { expect, it } from 'vitest'
import { queryFile } from '../../../test/support/tables.ts'
import { findMisuse } from './check-columns.ts'

const types = new Map([
  ['day', 'date'],
  ['sent at', 'date'],
  ['price', 'text'],
  ['n', 'number'],
])
const findProblem = (sql: string) => {
  const found = findMisuse(sql, types)
  return found && 'problem' in found ? found.problem : undefined
}

it.each([
  'SELECT day - sent_at FROM t1',
  'SELECT n + t1.day FROM t1',
  'SELECT max("Day")-1, day+1 FROM t1',
  'SELECT sum(t1.day) FROM t1',
  'SELECT AVG ( [Sent at] ) FROM t1',
  "SELECT '2026-03-31' - day",
  'SELECT max(day) - min(day) FROM t1',
  'SELECT n - MAX(t1.day) FROM t1',
  "SELECT date('now') - day",
  "SELECT date(max(day), '+1 day') - n, 1",
  'SELECT avg(date(day)) FROM t1',
])('%s calculates with a text', (sql) => {
  expect(findProblem(sql)).toContain('julianday')
})

it.each(["strftime('%b', day)", "STRFTIME ( '%Y %B', day)", "strftime('%%%A', day)", "strftime('%y', day)"])(
  '%s has a form that is unknown',
  (sql) => {
    expect(findProblem(sql)).toContain('strftime of SQLite has no %')
  },
)

it.each([
  "SELECT julianday(day) - julianday('2026-01-01'), date(day, '-1 day'), count(day), max(day) FROM t1",
  "SELECT day || '-' || n, n - 1, -n FROM t1 ORDER BY day, n",
  "SELECT doc -> 'day', day->>'$.a' FROM t1",
  'WITH d AS (SELECT julianday(day) AS day FROM t1) SELECT day - 1 FROM d',
  'SELECT day - 1 FROM (SELECT julianday(day) day FROM t1)',
  "SELECT 'day - 1', day(day) - 1 -- day - 1",
  "SELECT strftime('%Y-%m', day), strftime('100%%', day), strftime(form, day)",
  "SELECT max(day), min(day), date('now') || '-', time(day), n - 1 FROM t1 WHERE day BETWEEN date('now', '-7 days') AND date('now')",
  "SELECT strftime('%s', date(day)) - strftime('%s', min(day)), date FROM t1",
  'SELECT (day), sum(n) FROM t1 GROUP BY (day)',
])('%s is right', (sql) => {
  expect(findProblem(sql)).toBeUndefined()
})

it.each([
  'SELECT sum(price) FROM t1',
  'SELECT avg ( DISTINCT t1."Price" ) FROM t1',
  'SELECT round(price, 2), total(n) FROM t1',
  'SELECT percentile(price, 90) FROM t1',
  'SELECT n * price FROM t1',
  'SELECT * FROM t1 WHERE price > 5',
  'SELECT * FROM t1 WHERE price<= -1',
  'SELECT * FROM t1 WHERE 1.5 < price AND n > 1',
  'SELECT * FROM t1 WHERE 10 >= price',
  'SELECT * FROM t1 WHERE price BETWEEN 1 AND 2',
])('%s takes a text for a number', (sql) => {
  expect(findMisuse(sql, types)).toEqual({ column: 'price' })
})

it.each([
  "SELECT sum(CAST(replace(price, ',', '') AS REAL)), count(price), max(price), sum(length(price)) FROM t1",
  "SELECT * FROM t1 WHERE price = 12 OR price > 'a' OR price <> 5 OR n > 5 ORDER BY price, 1",
  'SELECT sum(price) FROM (SELECT CAST(p AS REAL) AS price FROM t1)',
  "SELECT price || ' EUR', sum(n) FROM t1 GROUP BY price HAVING sum(n) > 5",
])('%s is right', (sql) => {
  expect(findMisuse(sql, types)).toBeUndefined()
})

it('a sum over texts is refused with what they are', async () => {
  const csv = 'item,price\na,"$1,200"\nb,€5\nc,7\n'
  expect(await queryFile('a.csv', csv, 'SELECT sum(price) FROM t1')).toMatchObject({
    error: expect.stringMatching(
      /^price holds texts, not numbers \(several units: \$, €\): '\$1,200', '€5', '7'\./,
    ) as string,
  })
})

it('a statement that calculates with dates as texts is told so, and not 0', async () => {
  const csv = 'day,paid,n\n2026-03-31,2026-04-02,1\n2026-03-01,2026-03-05,2\n'
  const query = (sql: string) => queryFile('a.csv', csv, sql)
  expect(await query('SELECT paid - day FROM t1')).toMatchObject({
    error: expect.stringContaining('paid is a date or a time, which is a text in SQLite') as string,
    columns: ['t1: day, paid, n'],
  })
  expect(await query('SELECT sum(n - 1), julianday(max(paid)) - julianday(min(day)) FROM t1')).toMatchObject({
    rows: [[1, 32]],
  })
})
