import { expect, it } from 'vitest'
import { fold, forEachTerm } from './text-compare.ts'

function listTerms(text: string, stem = (word: string) => word): string[] {
  const terms: string[] = []
  forEachTerm(fold(text), stem, (term) => terms.push(term))
  return terms
}

it.each([
  ['apostrophes', 'l’été ʼ ´', "l'ete ' '"],
  ['dashes', 'a–b—c−d‐e‑f', 'a-b-c-d-e-f'],
  ['full width', 'ＡＢＣ１２３', 'abc123'],
  ['half width', 'ｶﾞｷﾞ', 'ガギ'],
  ['letters without a decomposition', 'Straße Łódź Đà smørrebrød Œuvre', 'strasse lodz da smorrebrod oeuvre'],
  ['a capital that the lower case makes two', 'İstanbul ISTANBUL ıstanbul', 'istanbul istanbul istanbul'],
  ['accents in one sign and in two', 'Ångström ÉLAN', fold('Ångström ÉLAN'.normalize('NFD'))],
  ['Greek and Cyrillic accents', 'Άλφα ёлка', 'αλφα елка'],
  ['Arabic points and the long stroke', 'كِتَابٌ كـتاب', 'كتاب كتاب'],
  ['Persian letters', 'کی', 'كي'],
  ['Hebrew points', 'שָׁלוֹם', 'שלום'],
  ['Thai signs stay', 'ที่นี่', 'ที่นี่'],
  ['Devanagari signs stay', 'हिन्दी', 'हिन्दी'],
  ['voice marks of kana stay', 'ガカ パハ', 'ガカ パハ'],
  ['what has no width', 'so\u00adft\u200b hy\ufeffphen', 'soft hyphen'],
  ['ligatures and numbers of one sign', 'ﬁn ½ ²', 'fin 1⁄2 2'],
])('folds %s', (_, text, expected) => {
  expect(fold(text)).toBe(expected)
})

it.each([
  ['P-4471', ['p4471', '4471']],
  ['P 4471', ['p', '4471']],
  ['1,234,567', ['1234567']],
  ['1 234 567', ['1234567']],
  ['1.234.567', ['1234567']],
  ['1’234’567', ['1234567']],
  ['1\u202f234\u202f567', ['1234567']],
  ['1234567', ['1234567']],
  ['6,25', ['625']],
  ['6.25', ['625']],
  ['DE89 3704 0044 0532 0130 00', ['de89370400440532013000']],
  ['DE89370400440532013000', ['de89370400440532013000']],
  ['2026-11-27', ['20261127', '2026']],
  ['+43 316 774 2209', ['433167742209', '3167742209', '7742209']],
  ['0316/774-2209', ['03167742209', '7742209']],
  ["aujourd'hui", ['aujourdhui', 'aujourd']],
  ["'quoted'", ['quoted']],
])('%s has the terms %j', (text, expected) => {
  expect(listTerms(text)).toEqual(expect.arrayContaining(expected))
})

it.each([
  ['東京都', ['東京', '京都', '都']],
  ['水', ['水']],
  ['한국어', ['한국', '국어', '어']],
  ['data資料', ['data', '資料', '料']],
])('%s, written without blanks, has pairs', (text, expected) => {
  expect(listTerms(text)).toEqual(expected)
})

it('a short end of a number is no term: a date is not found by its day', () => {
  expect(listTerms('2026-11-27')).not.toContain('1127')
})

it('numbers of neighbouring words are not joined with them', () => {
  expect(listTerms('in 2026 the')).toEqual(['in', '2026', 'the'])
})

it('words are emitted with their stems, and long ones by their beginning', () => {
  expect(listTerms('Running', (word) => word.replace(/ning$/, ''))).toEqual(['running', 'run'])
  expect(listTerms('a'.repeat(100))).toEqual(['a'.repeat(48)])
})
