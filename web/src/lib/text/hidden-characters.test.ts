import { expect, it } from 'vitest'
import { revealHiddenCharacters, removeHiddenCharacters } from './hidden-characters.ts'

it.each([
  ['zero-width characters and direction marks', '\u200b\u200c\u200d\u200e\u200f\u202e\u2066\u061c'],
  ['soft hyphens and invisible operators', '\u00ad\u180e\u2061\u2062\u2063\u2064\ufeff'],
  ['blank letters', '\u3164\u115f\u1160\uffa0\u2800\u17b4'],
  ['tag characters and variation selectors', '\u{e0001}\u{e0041}\u{e007f}\ufe00\ufe0f\u{e0100}\u034f'],
  ['control characters and line separators', '\0\u0007\r\u001b\u0085\u2028\u2029'],
  ['lone surrogates and private-use characters', '\ud800\ue000\u{f0000}'],
])('reveals and removes %s (H3)', (_, characters) => {
  for (const character of characters) {
    const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    expect(revealHiddenCharacters(`a${character}b`)).toBe(`a[U+${point}]b`)
    expect(removeHiddenCharacters(`a${character}b`)).toBe('ab')
  }
})

it.each(['Grüße aus Köln,\n\tAnn', '👩‍👩‍👧 ❤️ 1️⃣ 👍🏽 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می‌خواهم', 'क्‍ष', 'שלום, 漢字, 한국어'])(
  'leaves %j as it is',
  (text) => {
    expect(revealHiddenCharacters(text)).toBe(text)
    expect(removeHiddenCharacters(text)).toBe(text)
  },
)
