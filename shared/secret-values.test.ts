import { expect, it } from 'vitest'
import { checkSecretValue, InvalidSecretValue, isHeaders, parseHeaders } from './secret-values.ts'

it.each([
  ['{"X-Team": "a", "authorization": " Basic eA== "}', { 'x-team': 'a', authorization: 'Basic eA==' }],
  ['x-team: a\n\nCF-Access-Client-Id: b:c \n', { 'x-team': 'a', 'cf-access-client-id': 'b:c' }],
])('headers are JSON or lines: %j', (text, headers) => {
  expect(parseHeaders(text)).toEqual(headers)
})

it.each([
  '',
  '{}',
  '[]',
  '{"a": 5}',
  '{"a": ""}',
  '{"a b": "c"}',
  '{"host": "a"}',
  'Content-Type: a',
  'x-key',
  '{"a": "ö"}',
  JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'a']))),
])('%j are no headers, and the error quotes nothing of them', (text) => {
  expect(isHeaders(text)).toBe(false)
  expect(() => parseHeaders(text)).toThrow(InvalidSecretValue)
  expect(() => checkSecretValue(text, 'headers')).toThrow(/^The headers must be JSON such as/)
})

it('a secret that no setting names yet may hold headers', () => {
  expect(() => checkSecretValue('{"x-team": "a"}', 'unknown')).not.toThrow()
  expect(() => checkSecretValue('{"a": 5}', 'unknown')).toThrow(/valid/)
})
