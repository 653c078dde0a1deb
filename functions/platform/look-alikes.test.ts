import { expect, it } from 'vitest'
import { foldLookAlikes } from './look-alikes.ts'

it.each([
  ['Gmai\u217c', 'a Roman numeral'],
  ['Gm\u0430il', 'Cyrillic'],
  ['\u0262\u1d0d\u1d00\u026a\u029f', 'small capitals'],
  ['\uff27\uff4d\uff41\uff49\uff4c', 'full width'],
  ['\u{1d406}\u{1d426}\u{1d41a}\u{1d422}\u{1d425}', 'mathematical letters'],
  ['\u24bc\u24dc\u24d0\u24d8\u24db', 'letters in circles'],
  ['\u{1f156}\u{1f15c}\u{1f150}\u{1f158}\u{1f15b}', 'white letters in black circles'],
  ['\u{1f1ec}\u{1f1f2}\u{1f1e6}\u{1f1ee}\u{1f1f1}', 'halves of flags'],
  ['\u13c0ma\u0131l', 'Cherokee, and an i without its dot'],
  ['G.m\u00e0\u200bil', 'an accent, a dot and a space without width'],
  ['Grnai1', 'letters of Latin that look like another'],
  ['GMA|L', 'a bar'],
  ['Gmail\u3164', 'a blank letter of Hangul at the end'],
  ['Gm\u115fail', 'a Hangul letter without width'],
])('%s looks the same as Gmail: %s (M5)', (name) => {
  expect(foldLookAlikes(name)).toBe(foldLookAlikes('Gmail'))
})

it('keeps other names distinct, also in other scripts', () => {
  const names = [
    'Gmail',
    'Mail',
    'Gmail tools',
    'Notes',
    'Notion',
    'Zoom',
    'Jira',
    '\u5fae\u4fe1',
    '\u0417\u0430\u043c\u0435\u0442\u043a\u0438',
  ]
  const folded = names.map(foldLookAlikes)
  expect(new Set(folded).size).toBe(names.length)
  expect(folded).not.toContain('')
  expect(foldLookAlikes('\u{1f389} -')).toBe('')
})
