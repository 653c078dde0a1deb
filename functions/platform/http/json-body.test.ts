import { expect, it } from 'vitest'
import { parseJsonBody } from './json-body.ts'

const parse = (body: string | null, isBase64Encoded = false) =>
  parseJsonBody(body, { isBase64Encoded, maxBytes: 20_000 })

it('returns the parsed JSON, and undefined for no body', () => {
  expect(parse('{"a":[1,"]{"]}')).toEqual({ a: [1, ']{'] })
  expect(parse(null)).toBeUndefined()
  expect(parse(Buffer.from('{"ä":1}').toString('base64'), true)).toEqual({ ä: 1 })
})

it.each([
  ['text that is no JSON', '{"a":', 'bad_request'],
  ['nesting 33 deep', '['.repeat(33) + ']'.repeat(33), 'bad_request'],
  ['nesting 10,000 deep', '['.repeat(10_000), 'bad_request'],
  ['__proto__ at the top', '{"__proto__":{"admin":true}}', 'bad_request'],
  ['__proto__ inside', '{"a":[{"__proto__":1}]}', 'bad_request'],
  ['more bytes than allowed', JSON.stringify('ä'.repeat(10_000)), 'body_too_large'],
])('refuses %s', (_, body, code) => {
  expect(() => parse(body)).toThrow(expect.objectContaining({ code }))
})

it('returns only well-formed strings', () => {
  expect(parse('["a\\ud800b","\\ud83d\\udc4b"]')).toEqual(['a\ufffdb', '👋'])
})

it('accepts a nesting of 32, and brackets in strings', () => {
  expect(parse('['.repeat(32) + ']'.repeat(32))).toBeDefined()
  expect(parse(JSON.stringify(['['.repeat(100), '\\"['.repeat(100)]))).toBeDefined()
})

it('refuses bytes that are not UTF-8', () => {
  const body = Buffer.from([0x22, 0xff, 0xfe, 0x22]).toString('base64')
  expect(() => parse(body, true)).toThrow(expect.objectContaining({ status: 400 }))
})
