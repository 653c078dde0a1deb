import { expect, it } from 'vitest'
import { NewText } from './new-text.ts'
import { limitCpuTime } from '../../../test/support/fuzz.ts'

function read(pieces: readonly string[]): string {
  const text = new NewText()
  return pieces.map((piece) => text.take(piece)).join('')
}

it.each([
  [['The table', 'The table has', 'The table has', 'The table has rows.'], 'The table has rows.'],
  [['I', 'I can', 'I can help'], 'I can help'],
  [['', 'The table', '', 'The table has'], 'The table has'],
  [
    ['A', ' sentence of some words', 'A sentence of some words and more'],
    'A sentence of some words and more',
  ],
  // the last one is a piece
  [['The table', 'The table has', ' rows.'], 'The table has rows.'],
])('what a server repeats is no part of a text: %j', (pieces, text) => {
  expect(read(pieces)).toBe(text)
})

it.each([
  [['na', ' na', ' na na']],
  [['1', '10', '100']],
  [['#', '##', ' Title']],
  [['I know', ' that', " that's so"]],
  [['So it is. ', 'So it is. ']],
  [['ha', ' ha', ' haha']],
  [['Hello', '']],
])('words that are alike stay: %j', (pieces) => {
  expect(read(pieces)).toBe(pieces.join(''))
})

it('takes a time that grows with the text', () => {
  const pieces = Array.from({ length: 300_000 }, (_, index) => `word ${index} `)
  expect(() => limitCpuTime(() => read(pieces), 2_000)).not.toThrow()
})
