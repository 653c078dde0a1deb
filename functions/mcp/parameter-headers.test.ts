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
    ['an empty name', withProperties({ a: buildHeaderParameter('') }), 'header_name'],
    ['a name that is not a string', withProperties({ a: buildHeaderParameter(1) }), 'header_name'],
    ['a space in the name', withProperties({ a: buildHeaderParameter('My Region') }), 'header_name'],
    ['a name that is not ASCII', withProperties({ a: buildHeaderParameter('Région') }), 'header_name'],
    [
      'a control character in the name',
      withProperties({ a: buildHeaderParameter('Region\t1') }),
      'header_name',
    ],
    ['a number', withProperties({ a: buildHeaderParameter('A', 'number') }), 'header_type'],
    ['an object', withProperties({ a: buildHeaderParameter('A', 'object') }), 'header_type'],
    ['no type', withProperties({ a: { 'x-mcp-header': 'A' } }), 'header_type'],
    [
      'the same name twice, in another case',
      withProperties({ a: buildHeaderParameter('A'), b: buildHeaderParameter('a') }),
      'header_twice',
    ],
    ['the root', { ...buildHeaderParameter('A', 'object') }, 'header_place'],
    [
      'an item of a list',
      withProperties({ a: { type: 'array', items: buildHeaderParameter('A') } }),
      'header_place',
    ],
    ['an alternative', { anyOf: [withProperties({ a: buildHeaderParameter('A') })] }, 'header_place'],
    ['a definition', { $defs: { a: buildHeaderParameter('A') } }, 'header_place'],
  ])('are invalid: %s', (_, schema, problem) => {
    expect(findHeaderProblem(schema)).toBe(problem)
  })
})
