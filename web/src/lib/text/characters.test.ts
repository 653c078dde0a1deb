import { expect, it } from 'vitest'
import { splitCharacters } from './characters.ts'

it.each([
  ['Mika', ['M', 'i', 'k', 'a']],
  ['', []],
  ['Zoë', ['Z', 'o', 'ë']],
  ['e\u0301a', ['e\u0301', 'a']],
  ['👩‍🚀!', ['👩‍🚀', '!']],
  ['a\r\nb', ['a', '\r\n', 'b']],
])('splits %j into the characters that a reader sees', (text, characters) => {
  expect(splitCharacters(text)).toEqual(characters)
})
