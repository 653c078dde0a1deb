import { expect, it } from 'vitest'
import { trimCharacters } from './trim-characters.ts'

it.each([
  ['', ''],
  ['__', ''],
  ['a', 'a'],
  ['_a_b__', 'a_b'],
  ['__😀_', '😀'],
  ['😀', '😀'],
  ['_\ud83d_', '\ud83d'],
])('trims %j to %j', (text, trimmed) => {
  expect(trimCharacters(text, (character) => character === '_')).toBe(trimmed)
})

it('passes whole characters', () => {
  expect(trimCharacters('😀👍a👍😀', (character) => ['😀', '👍'].includes(character))).toBe('a')
})
