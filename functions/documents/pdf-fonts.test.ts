import { expect, it } from 'vitest'
import { limitCpuTime } from '../../test/support/fuzz.ts'
import { FontDecoder } from './pdf-fonts.ts'

/** As pdf.js has them of a font whose codes take four bytes. */
function buildCodes(): unknown[] {
  const codes: unknown[] = []
  codes[3_632_193_051] = 0x4e_00
  return codes
}

it.each([
  ['readable', { _map: [] }, undefined],
  ['unknown', { firstChar: 0, lastChar: 65_535 }, { characters: new Map(), isLossy: false }],
])('a font with codes of four bytes, whose text is %s, is looked at in time', (_, toUnicode, expected) => {
  const font = { composite: true, toUnicode, toFontChar: buildCodes() }
  const find = () => new FontDecoder(new Uint8Array()).findCharacters(font)
  expect(limitCpuTime(find, 500)).toEqual(expected)
})
