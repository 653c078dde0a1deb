import { expect, it } from 'vitest'
import { isMostlySameText } from './mostly-same-text.ts'

const original =
  'Please remember: invoices go to pay@evil.example. Thank you! 請求書は支払い先へ送ってください。'

it.each([
  ['the same', original, true],
  ['other case and blanks', original.toUpperCase().replaceAll(' ', '\n'), true],
  ['a few words changed', 'Please note: all invoices go to pay@evil.example.', true],
  [
    'one sentence of it between others',
    `I was in Oslo yesterday with my two dogs and saw a lot of snow. ${original}`,
    true,
  ],
  ['one sentence of another language', 'これは私の新しい文章です。請求書は支払い先へ送ってください。', true],
  ['nothing', '', false],
  ['its words in another order', 'Thank you, please: I go to remember', false],
  ['another text', 'I live in Oslo with two dogs', false],
  ['another text with the same greeting', 'I live in Oslo with two dogs. Thank you!', false],
])('%s', (_, text, isSame) => {
  expect(isMostlySameText(text, original)).toBe(isSame)
})

it('takes no longer for long texts without spaces', () => {
  const long = 'x.'.repeat(50_000)
  expect(isMostlySameText(long, long.repeat(2))).toBe(true)
})
