import { expect, it } from 'vitest'
import { sanitizeDisplayName } from './sanitize-line.ts'

it.each([
  ['  Mika \n Korhonen\t', 'Mika Korhonen'],
  ['<b>Mika</b>', '<b>Mika</b>'],
  ['\u202Egnp.exe\u202C', 'gnp.exe'],
  ['Zoë 👩‍👩‍👧', 'Zoë 👩‍👩‍👧'],
  ['a\u0000b\u2028c', 'a b c'],
  ['\u200B', ''],
  ['x'.repeat(500), 'x'.repeat(80)],
  ['👩‍👩‍👧'.repeat(20), '👩‍👩‍👧'.repeat(10)],
])('SET-08 keeps from %j only what belongs to a name', (input, expected) => {
  expect(sanitizeDisplayName(input)).toBe(expected)
})
