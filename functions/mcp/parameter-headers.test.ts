import { describe, expect, it } from 'vitest'
import { findHeaderProblem } from './parameter-headers.ts'

const header = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name })
const withProperties = (properties: Record<string, unknown>) => ({ type: 'object', properties })

describe('headers of parameters (SEP-2243)', () => {
  it.each([
    ['none', withProperties({ a: { type: 'number' } })],
    [
      'of each type that is allowed',
      withProperties({ a: header('A'), b: header('B', 'integer'), c: header('C', 'boolean') }),
    ],
    ['of a nested parameter', withProperties({ a: withProperties({ b: header('A') }) })],
    ['a parameter that has the name of the keyword', withProperties({ 'x-mcp-header': { type: 'string' } })],
    ['an example that looks like one', withProperties({ a: { type: 'object', examples: [header('')] } })],
  ])('are valid: %s', (_, schema) => {
    expect(findHeaderProblem(schema)).toBeUndefined()
  })

  it.each([
    ['an empty name', withProperties({ a: header('') }), /valid name/],
    ['a name that is not a string', withProperties({ a: header(1) }), /valid name/],
    ['a space in the name', withProperties({ a: header('My Region') }), /valid name/],
    ['a name that is not ASCII', withProperties({ a: header('Région') }), /valid name/],
    ['a control character in the name', withProperties({ a: header('Region\t1') }), /valid name/],
    ['a number', withProperties({ a: header('A', 'number') }), /text, integer or boolean/],
    ['an object', withProperties({ a: header('A', 'object') }), /text, integer or boolean/],
    ['no type', withProperties({ a: { 'x-mcp-header': 'A' } }), /text, integer or boolean/],
    [
      'the same name twice, in another case',
      withProperties({ a: header('A'), b: header('a') }),
      /same header/,
    ],
    ['the root', { ...header('A', 'object') }, /no parameter/],
    ['an item of a list', withProperties({ a: { type: 'array', items: header('A') } }), /no parameter/],
    ['an alternative', { anyOf: [withProperties({ a: header('A') })] }, /no parameter/],
    ['a definition', { $defs: { a: header('A') } }, /no parameter/],
  ])('are invalid: %s', (_, schema, problem) => {
    expect(findHeaderProblem(schema)).toMatch(problem)
  })
})
