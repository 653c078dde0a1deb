import { createRequire } from 'node:module'
import { describe, expect, it, vi } from 'vitest'
import { cacheExpressions, type Parse } from './expression-cache.ts'

const require = createRequire(import.meta.url)

/** dynalite's parser as its package has it, whether or not the emulator has replaced it. */
function loadParser(name: 'condition' | 'update' | 'projection'): Parse {
  const path = require.resolve(`dynalite/db/${name}Parser`)
  const { [path]: shared } = require.cache
  delete require.cache[path]
  const { parse } = require(path) as { parse: Parse }
  if (shared) require.cache[path] = shared
  return parse
}

type Values = Record<string, Record<string, unknown>>
interface Request {
  readonly names?: Record<string, string>
  readonly values?: Values
}

/** What a parser makes of a request, with what it leaves unused; twice the same where it changes nothing else. */
function run(parse: Parse, expression: string, { names, values }: Request) {
  const markUnused = (all: object = {}) =>
    Object.fromEntries(Object.keys(all).map((key) => [key, true as const]))
  const context = {
    attrNames: names,
    attrVals: values,
    unusedAttrNames: markUnused(names),
    unusedAttrVals: markUnused(values),
    isReserved: (name: string) => name === 'status',
    compare: (_: string, one: { S: string }, other: { S: string }) => one.S > other.S,
  }
  let result: unknown
  try {
    result = parse(expression, { context })
  } catch (error) {
    result = String(error)
  }
  return { result, unused: [Object.keys(context.unusedAttrNames), Object.keys(context.unusedAttrVals)] }
}

const text = (S: string) => ({ S })
const number = (N: string) => ({ N })

const requests: [parser: 'condition' | 'update' | 'projection', expression: string, ...Request[]][] = [
  [
    'condition',
    'attribute_exists(PK) AND heartbeatAtMs < :now',
    { values: { ':now': number('1') } },
    { values: { ':now': number('2') } },
  ],
  [
    'condition',
    '#s = :a OR (NOT #s IN (:a, :b))',
    { names: { '#s': 'status' }, values: { ':a': text('x'), ':b': text('y') } },
    { names: { '#s': 'state' }, values: { ':a': text('y'), ':b': text('z') } },
  ],
  [
    'condition',
    'PK = :pk AND begins_with(SK, :sk)',
    { values: { ':pk': text('U#1'), ':sk': text('M#') } },
    { values: { ':pk': text('U#2'), ':sk': number('1') } },
    { values: { ':pk': text('U#3'), ':sk': text('N#') } },
  ],
  [
    'condition',
    'SK BETWEEN :from AND :to',
    { values: { ':from': text('a'), ':to': text('b') } },
    { values: { ':from': text('b'), ':to': text('a') } },
  ],
  [
    'condition',
    'attribute_type(a, :type)',
    { values: { ':type': text('S') } },
    { values: { ':type': text('no type') } },
  ],
  ['condition', 'status = :a', { values: { ':a': text('x') } }, { values: { ':a': text('y') } }],
  ['condition', 'a = = :a', { values: { ':a': text('x') } }, { values: { ':a': text('y') } }],
  ['condition', 'a = :missing', { values: { ':a': text('x') } }, {}],
  [
    'condition',
    'constructor = :a',
    { values: { ':a': text('x'), ':more': text('z') } },
    { values: { ':a': text('y'), ':more': text('w') } },
  ],
  [
    'update',
    'SET a = :a, #b.c[0] = if_not_exists(d, :zero) + :one REMOVE e ADD f :one',
    { names: { '#b': 'b' }, values: { ':a': text('x'), ':zero': number('0'), ':one': number('1') } },
    { names: { '#b': 'g' }, values: { ':a': { M: {} }, ':zero': number('5'), ':one': number('7') } },
  ],
  ['update', 'SET a = a + :one', { values: { ':one': number('1') } }, { values: { ':one': text('1') } }],
  ['update', 'SET a = :a, a.b = :a', { values: { ':a': text('x') } }, { values: { ':a': text('y') } }],
  [
    'projection',
    '#a, b.c, PK',
    { names: { '#a': 'a', '#unused': 'u' } },
    { names: { '#a': 'z', '#unused': 'u' } },
  ],
]

it.each(requests)('%s "%s" is the parser’s result, each time', (name, expression, ...all) => {
  const parse = loadParser(name)
  const cachedParse = cacheExpressions(parse)
  for (const request of [...all, ...all])
    expect(run(cachedParse, expression, request)).toEqual(run(parse, expression, request))
})

describe('an expression', () => {
  const expression = 'SET a = :a'
  const request = (value: string) => ({ values: { ':a': text(value) } })

  it('is parsed once for all values of a type, and again only if its tree was changed', () => {
    const parse = vi.fn<Parse>(loadParser('update'))
    const cachedParse = cacheExpressions(parse)
    const first = run(cachedParse, expression, request('x')).result as { sections: { path: string[] }[] }
    first.sections[0]?.path.push('changed')
    expect(run(cachedParse, expression, request('y'))).toEqual(
      run(loadParser('update'), expression, request('y')),
    )
    expect(parse).toHaveBeenCalledTimes(1)
  })

  it('gets the request’s own values, however large: only the tree is cached', () => {
    const cachedParse = cacheExpressions(loadParser('update'))
    for (const value of ['x', 'y']) {
      const { values } = request(value)
      const { sections } = run(cachedParse, expression, { values }).result as { sections: { val: unknown }[] }
      expect(sections[0]?.val).toBe(values[':a'])
    }
  })

  it('does not fill the memory, however many different ones there are', () => {
    const parse = vi.fn<Parse>(loadParser('projection'))
    const cachedParse = cacheExpressions(parse)
    for (let name = 0; name <= 1_000; name += 1) run(cachedParse, `a${name}`, {})
    run(cachedParse, 'a1000', {})
    expect(parse).toHaveBeenCalledTimes(1_001)
    run(cachedParse, 'a0', {})
    expect(parse).toHaveBeenCalledTimes(1_002)
  })
})
