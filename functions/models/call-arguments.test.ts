import { expect, it } from 'vitest'
import { parseArguments } from './call-arguments.ts'

it.each<[string, unknown]>([
  ['{"a":1,"b":{"c":null}}', { a: 1, b: { c: null } }],
  [' {} ', {}],
  ['', {}],
  [' \n', {}],
  ['null', {}],
  [' null\n', {}],
  ['[1]', { unreadable: '[1]' }],
  ['3', { unreadable: '3' }],
  ['"text"', { unreadable: '"text"' }],
  ['{oops', { unreadable: '{oops' }],
  ['x null', { unreadable: 'x null' }],
  // a number that JavaScript would round
  ['12345678901234567890', { unreadable: '12345678901234567890' }],
])('a call with %j has the arguments %j', (text, args) => {
  expect(parseArguments(text)).toEqual(args)
})

it('numbers stay as the model wrote them', () => {
  const text = '{"id":12345678901234567890}'
  expect(JSON.stringify(parseArguments(text))).toBe(text)
})
