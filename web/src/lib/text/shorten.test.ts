import { expect, it } from 'vitest'
import { shorten } from './shorten.ts'

it.each([
  ['abcdef', 'abcdef'],
  ['abcdefg', 'abc...'],
  ['ab😀defg', 'ab...'],
])('shortens %j to %j', (text, expected) => expect(shorten(text, 6)).toBe(expected))
