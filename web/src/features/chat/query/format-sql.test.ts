import { expect, it } from 'vitest'
import { formatSql } from './format-sql.ts'

it.each([
  ['select a from t where b = 1', 'select a\nfrom t\nwhere b = 1'],
  [
    'SELECT a, b FROM t LEFT JOIN u ON t.id = u.id ORDER BY a',
    'SELECT a, b\nFROM t\nLEFT JOIN u ON t.id = u.id\nORDER BY a',
  ],
  ['select \'x from y\' from "a from b"', 'select \'x from y\'\nfrom "a from b"'],
  ["select 'it''s from' from t", "select 'it''s from'\nfrom t"],
  ['select a from (select b from u) limit 3', 'select a\nfrom (select b from u)\nlimit 3'],
  ['select a /* not from here */ from t', 'select a /* not from here */\nfrom t'],
  ["select a /* it's */ from t where b = 1", "select a /* it's */\nfrom t\nwhere b = 1"],
  ['select a from t -- where it is', 'select a\nfrom t -- where it is'],
  ['select a\nfrom t where b', 'select a\nfrom t where b'],
  ["select 'open from t", "select 'open from t"],
  [
    'select a is distinct from b, c IS NOT DISTINCT FROM d from t',
    'select a is distinct from b, c IS NOT DISTINCT FROM d\nfrom t',
  ],
  ['select distinct a from t', 'select distinct a\nfrom t'],
  ['select a\tfrom  t', 'select a\nfrom  t'],
])('%j is shown as %j', (sql, formatted) => {
  expect(formatSql(sql)).toBe(formatted)
})
