import { expect, it } from 'vitest'
import { isOfTex, joinAccents } from './pdf-accents.ts'

it.each([
  ['Herv´e J´egou, L´aszl´o Luk´acs', 'Hervé Jégou, László Lukács'],
  ['S¨ackinger, ¨Uber, na¨ıve', 'Säckinger, Über, naïve'],
  ['O˘guz, Baudiˇs, Erd˝os, H`an, S˜ao', 'Oğuz, Baudiš, Erdős, Hàn, São'],
  ['Franc¸ois, ˚Angstr¨om', 'François, Ångström'],
  ['http://a.test/˜anna, x ˆ y, ˜b, d´t', 'http://a.test/˜anna, x ˆ y, ˜b, d´t'],
])('accents of %s are joined with their letters', (text, joined) => {
  expect(joinAccents(text)).toBe(joined)
})

it.each([
  [['pdfTeX-1.40.25', 'LaTeX with hyperref'], true],
  [['GPL Ghostscript 9.5', 'dvips(k) 5.86'], true],
  [['xdvipdfmx (20220710)', undefined], true],
  [['Microsoft Word', 'iText 5.5'], false],
  [[undefined, 7], false],
])('programs of TeX are known by their names: %j', (programs, expected) => {
  expect(isOfTex(...programs)).toBe(expected)
})
