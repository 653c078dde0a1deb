import { expect, it } from 'vitest'
import { parseExactJson, toNearestNumbers, toPlainNumbers } from './exact-json.ts'

/** Numbers and what becomes of them as plain data. RFC 8259 section 6: implementations differ in range and precision. */
const numbers: [string, unknown][] = [
  ['0', 0],
  ['-1.5', -1.5],
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740993', '9007199254740993'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['1e21', 1e21],
  ['1E400', '1E400'],
  ['10.00', 10],
  ['1.0', 1],
  ['-0', -0],
  ['100000000000000000000000', 1e23],
  ['0.1234567890123456789', '0.1234567890123456789'],
]

it.each(numbers)('the number %s is written as it was read, and plain data has its value', (source, plain) => {
  const text = `{"list":[${source}],"id":${source}}`
  const value = parseExactJson(text)
  expect(JSON.stringify(value)).toBe(text)
  expect(toPlainNumbers(value)).toEqual({ list: [plain], id: plain })
  expect(toNearestNumbers(value)).toEqual({ list: [Number(source)], id: Number(source) })
})

it('data without such numbers is not copied', () => {
  const value = parseExactJson('{"a":[1,{"b":"9007199254740993"}],"c":null}')
  expect(toPlainNumbers(value)).toBe(value)
  expect(value).toEqual({ a: [1, { b: '9007199254740993' }], c: null })
})

it('the names of fields can be refused', () => {
  const refuse = (key: string) => {
    if (key === '__proto__') throw new SyntaxError('refused')
  }
  expect(() => parseExactJson('{"a":{"__proto__":1}}', refuse)).toThrow('refused')
})
