import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it } from 'vitest'
import { addFunctions } from './query-functions.ts'

// `run-query.test.ts` has them in the process of a query

const databases: DatabaseSync[] = []
afterEach(() => {
  for (const database of databases.splice(0)) database.close()
})

/** The value of an expression over the numbers 2, 4 and 9 of a table and an empty cell. */
function evaluate(expression: string): unknown {
  const database = new DatabaseSync(':memory:')
  databases.push(database)
  addFunctions(database)
  database.exec("CREATE TABLE t (n); INSERT INTO t VALUES (2), (4.0), (9), (NULL), ('x')")
  return Object.values(database.prepare(`SELECT ${expression}`).get() ?? {})[0]
}

it.each([
  ["lower('MÜNCHEN')", 'münchen'],
  ["upper('straße é')", 'STRASSE É'],
  ["lower(x'C384')", 'ä'],
  ["upper(x'C3A4')", 'Ä'],
  ['lower(12)', '12'],
  ['lower(NULL)', null],
  ['upper(NULL)', null],
])('%s has the case of all letters', (expression, value) => {
  expect(evaluate(expression)).toBe(value)
})

it.each([
  ["'Червоний' LIKE '%черв%'", 1],
  ["'abc' LIKE 'a_c'", 1],
  ["'abbc' LIKE 'a_c'", 0],
  ["'a' || char(10) || 'c' LIKE 'a_c'", 1],
  ["'a.c' LIKE 'a.c'", 1],
  ["'abc' LIKE 'a.c'", 0],
  ["'xabc' LIKE 'abc'", 0],
  ["'abcx' LIKE 'abc'", 0],
  ["'(x) [y] 50%' LIKE '(x) [y] 50!%' ESCAPE '!'", 1],
  ["'(x) [y] 50x' LIKE '(x) [y] 50!%' ESCAPE '!'", 0],
  ["'a!b' LIKE 'a!!b' ESCAPE '!'", 1],
  // the same pattern means something else without an escape
  ["('a%' LIKE 'a!%' ESCAPE '!') + 10 * ('a!b' LIKE 'a!%')", 11],
  ["x'616263' LIKE 'ABC'", 1],
  ['12 LIKE 12', 1],
  ["NULL LIKE 'a'", null],
  ["'a' LIKE NULL", null],
  ["'a' LIKE 'a' ESCAPE NULL", null],
])('%s is %j', (expression, value) => {
  expect(evaluate(expression)).toBe(value)
})

it('LIKE takes patterns of 200 characters, as SQLite does', () => {
  const expression = (length: number) => `'${'a'.repeat(length)}' LIKE '${'A'.repeat(length)}'`
  expect(evaluate(expression(200))).toBe(1)
  expect(() => evaluate(expression(201))).toThrow('LIKE or GLOB pattern too complex')
})

it.each([
  ["'x1' REGEXP '^x[0-9]$'", 1],
  ["'y1' REGEXP '^x'", 0],
  ["'ä' REGEXP '^.$'", 1],
  ["'X' REGEXP 'x'", 0],
  ["NULL REGEXP 'x'", null],
  ["'x' REGEXP NULL", null],
])('%s is %j', (expression, value) => {
  expect(evaluate(expression)).toBe(value)
})

it('more patterns than are kept have the same results', () => {
  const tests = Array.from({ length: 250 }, (_, index) => `('n${index}' REGEXP '^n${index}$')`)
  expect(evaluate(`${tests.join(' + ')} + ${tests.join(' + ')}`)).toBe(500)
})

it.each([
  [['stddev', 'stdev', 'stddev_samp'], Math.sqrt(13), null],
  [['variance', 'var_samp'], 13, null],
  [['stddev_pop', 'stdevp'], Math.sqrt(26 / 3), 0],
  [['var_pop'], 26 / 3, 0],
])('%j are of numbers alone', (names, ofThree, ofOne) => {
  for (const name of names) {
    expect(evaluate(`(SELECT ${name}(n) FROM t)`)).toBeCloseTo(ofThree)
    expect(evaluate(`(SELECT ${name}(n) FROM t WHERE n = 2)`)).toBe(ofOne)
    expect(evaluate(`(SELECT ${name}(n) FROM t WHERE n = 0)`)).toBeNull()
  }
})
