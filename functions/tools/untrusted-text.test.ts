import { expect, it } from 'vitest'
import { cleanText, textOfHtml } from './untrusted-text.ts'

it('loses what cannot be seen or turns the text around, and has an end', () => {
  expect(cleanText(' a\u0000b\u200bc\u202ed\u2066e\u001b[31m\r\nf\tg ')).toBe('abcde[31m\nf\tg')
  expect(cleanText('x'.repeat(1_001))).toBe(`${'x'.repeat(1_000)}…`)
  expect(cleanText('äöü 漢字 👍')).toBe('äöü 漢字 👍')
  expect([cleanText(undefined), cleanText(7), cleanText({})]).toEqual(['', '', ''])
})

it('takes the text out of HTML', () => {
  expect(
    textOfHtml(
      '<head><title>t</title></head><style>p{}</style><p>Hello&nbsp;<b>Ann</b></p><div>5 &lt; 6 &amp;amp; &#x41;&#66;&unknown;</div><script>alert(1)</script>',
    ),
  ).toBe('Hello Ann\n5 < 6 &amp; AB&unknown;')
  expect(textOfHtml('&#9999999;&#x110000;')).toBe('')
  expect(textOfHtml('one<br>two<br/>three')).toBe('one\ntwo\nthree')
})
