import { isUtf8 } from 'node:buffer'
import { expect, it } from 'vitest'
import { anyJson, arbitraryText, fc, limitCpuTime, backtrackingText, stringify } from '../support/fuzz.ts'
import { BadRequest, BodyTooLarge } from '../../functions/platform/errors.ts'
import { parseJsonBody } from '../../functions/platform/http/json-body.ts'

const maxBytes = 64 * 1024
const parse = (body: string, isBase64Encoded = false) => parseJsonBody(body, { isBase64Encoded, maxBytes })

/** The parsed body, or the error response; any other error is a bug. */
function parseOrRefuse(body: string, isBase64Encoded = false): unknown {
  try {
    return parse(body, isBase64Encoded)
  } catch (error) {
    if (error instanceof BadRequest || error instanceof BodyTooLarge) return undefined
    throw error
  }
}

const isWhole = (text: string) => text === text.toWellFormed()

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [key, ...listTexts(one)])
}

it('returns JSON as it was sent, as text and as base64', () => {
  const json = fc
    .jsonValue({ maxDepth: 5, stringUnit: 'grapheme' })
    .filter((value) => JSON.stringify(value) !== undefined)
  fc.assert(
    fc.property(json, (value) => {
      const body = JSON.stringify(value)
      fc.pre(!body.includes('__proto__'))
      const expected = JSON.parse(body) as unknown
      expect(parse(body)).toEqual(expected)
      expect(parse(Buffer.from(body).toString('base64'), true)).toEqual(expected)
    }),
  )
})

it('any body is parsed without lone surrogates and prototypes, or refused', () => {
  const body = fc.oneof(
    arbitraryText(),
    anyJson().map((value) => stringify(value)),
    backtrackingText(['{"a":', '[', ']', '}', '"', ',']),
  )
  fc.assert(
    fc.property(body, fc.boolean(), (text, isBase64) => {
      const value = limitCpuTime(() => parseOrRefuse(text, isBase64))
      for (const one of listTexts(value)) {
        expect(one).not.toBe('__proto__')
        expect(isWhole(one)).toBe(true)
      }
    }),
  )
})

it('invalid UTF-8 is refused, in a string of JSON or alone', () => {
  const inString = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) =>
    Buffer.concat([
      Buffer.from('"'),
      // without the characters that end or escape a string
      bytes.filter((byte) => byte >= 32 && byte !== 34 && byte !== 92),
      Buffer.from('"'),
    ]),
  )
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), inString), (bytes) => {
      const read = parseOrRefuse(Buffer.from(bytes).toString('base64'), true)
      if (!isUtf8(bytes)) expect(read).toBeUndefined()
    }),
    { examples: [[Buffer.from('22ff22', 'hex')]] },
  )
})
