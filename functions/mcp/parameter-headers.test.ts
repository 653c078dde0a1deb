import { describe, expect, it } from 'vitest'
import { findHeaderProblem } from './parameter-headers.ts'

const buildHeaderParameter = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name })
const withProperties = (properties: Record<string, unknown>) => ({ type: 'object', properties })

describe('headers of parameters (SEP-2243)', () => {
  it.each([
    ['none', withProperties({ a: { type: 'number' } })],
    [
      'of each type that is allowed',
      withProperties({
        a: buildHeaderParameter('A'),
        b: buildHeaderParameter('B', 'integer'),
        c: buildHeaderParameter('C', 'boolean'),
      }),
    ],
    ['of a nested parameter', withProperties({ a: withProperties({ b: buildHeaderParameter('A') }) })],
    ['a parameter that has the name of the keyword', withProperties({ 'x-mcp-header': { type: 'string' } })],
    [
      'an example that looks like one',
      withProperties({ a: { type: 'object', examples: [buildHeaderParameter('')] } }),
    ],
  ])('are valid: %s', (_, schema) => {
    expect(findHeaderProblem(schema)).toBeUndefined()
  })

  it.each([
    ['an empty name', withProperties({ a: buildHeaderParameter('') }), /valid name/],
    ['a name that is not a string', withProperties({ a: buildHeaderParameter(1) }), /valid name/],
    ['a space in the name', withProperties({ a: buildHeaderParameter('My Region') }), /valid name/],
    ['a name that is not ASCII', withProperties({ a: buildHeaderParameter('Région') }), /valid name/],
    [
      'a control character in the name',
      withProperties({ a: buildHeaderParameter('Region\t1') }),
      /valid name/,
    ],
    ['a number', withProperties({ a: buildHeaderParameter('A', 'number') }), /text, integer or boolean/],
    ['an object', withProperties({ a: buildHeaderParameter('A', 'object') }), /text, integer or boolean/],
    ['no type', withProperties({ a: { 'x-mcp-header': 'A' } }), /text, integer or boolean/],
    [
      'the same name twice, in another case',
      withProperties({ a: buildHeaderParameter('A'), b: buildHeaderParameter('a') }),
      /same header/,
    ],
    ['the root', { ...buildHeaderParameter('A', 'object') }, /no parameter/],
    [
      'an item of a list',
      withProperties({ a: { type: 'array', items: buildHeaderParameter('A') } }),
      /no parameter/,
    ],
    ['an alternative', { anyOf: [withProperties({ a: buildHeaderParameter('A') })] }, /no parameter/],
    ['a definition', { $defs: { a: buildHeaderParameter('A') } }, /no parameter/],
  ])('are invalid: %s', (_, schema, problem) => {
    expect(findHeaderProblem(schema)).toMatch(problem)
  })
})
