import { expect, it } from 'vitest'
import { cleanData, cleanText, plainLine, htmlToText } from './untrusted-text.ts'

it('removes invisible characters and those that reverse text, and cuts the text', () => {
  expect(cleanText(' a\u0000b\u200bc\u202ed\u2066e\u001b[31m\r\nf\tg ')).toBe('abcde[31m\nf\tg')
  expect(cleanText('x'.repeat(1_001))).toBe(`${'x'.repeat(1_000)}…`)
  expect(cleanText('äöü 漢字 👍')).toBe('äöü 漢字 👍')
  expect([cleanText(undefined), cleanText(7), cleanText({})]).toEqual(['', '', ''])
})

it('extracts the text of HTML', () => {
  expect(
    htmlToText(
      '<head><title>t</title></head><style>p{}</style><p>Hello&nbsp;<b>Ann</b></p><div>5 &lt; 6 &amp;amp; &#x41;&#66;&unknown;</div><script>alert(1)</script>',
    ),
  ).toBe('Hello Ann\n5 < 6 &amp; AB&unknown;')
  expect(htmlToText('&#9999999;&#x110000;')).toBe('')
  expect(htmlToText('one<br>two<br/>three')).toBe('one\ntwo\nthree')
})

it('cleans the texts and names of data and keeps its structure', () => {
  expect(cleanData({ 'a\u0000': ['b\u202e', 1, null, true, { c: 'd\u200b' }] })).toEqual({
    a: ['b', 1, null, true, { c: 'd' }],
  })
  expect(cleanData('a\tb\nc\u2069')).toBe('a\tb\nc')
})

it('keeps a text of the maximum length, and never cuts a character in two', () => {
  expect(cleanText('abc', 3)).toBe('abc')
  expect(cleanText(' abc ', 3)).toBe('abc')
  expect(cleanText('abcd', 3)).toBe('abc…')
  expect(cleanText('ab😀d', 3)).toBe('ab…')
})

it.each([
  ['<p>One</p><p>Two</p>', 'One\nTwo'],
  ['<h1>One</h1>Two', 'One\nTwo'],
  ['<ul><li>One</li><li>Two</li></ul>', 'One\nTwo'],
  ['<tr><td>One</td><td>Two</td></tr><tr><td>Three</td></tr>', 'One Two\nThree'],
  ['One<BR CLEAR="all">Two', 'One\nTwo'],
  ['One<b>Two</b>Three', 'One Two Three'],
  ['One <hr> \n\n Two', 'One\nTwo'],
  ['a  \t b', 'a b'],
  ['<style>p{}', ''],
  ['<STYLE media="all">p{}</STYLE>x', 'x'],
  ['<script>a</script>x<script>b</script>y', 'x y'],
  ['<header>x</header>', 'x'],
  ['&quot;&apos;&AMP;&gt;', '"\'&>'],
  ['&#x1F44D;&#128077;', '👍👍'],
  ['&#x110000;x', 'x'],
  ['&#1114111;', '\u{10ffff}'],
  ['&;&#;&#x;&toolongname;', '&;&#;&#x;&toolongname;'],
  ['5 < 6 > 4', '5 4'],
  ['5 < 6', '5 < 6'],
  ['5 < 6 <b>is</b> so', '5 < 6 is so'],
  ['One<br<a>Two <p title="<">Three', 'One\nTwo Three'],
  ['Gr&uuml;&szlig;e &ndash; &Uuml;ber 5&euro;, it&rsquo;s', 'Grüße – Über 5€, it’s'],
  ['<head><title>T</title><meta><body>Hello', 'Hello'],
  ['<style>p{}</style >Hello', 'Hello'],
  ['a<!-- not > shown -->b<!--> c<!---> d<!-- no end', 'a b c d'],
  ['<!--[if mso]><p>Outlook</p><![endif]--><!--[if !mso]><!-->Others<!--<![endif]-->', 'Others'],
  ['a <div style="display:none;max-height:0">b <div>c</div> d</div>e', 'a e'],
  ["a<span STYLE='color:red; Display : NONE !important'>b</span>c", 'a c'],
  ['a<div hidden>b</div><p style="mso-hide:all">c</p>d', 'a d'],
  ['<p class="hidden none" title="hidden">a</p><div hidden><div hidden>b</div></div>c', 'a\nc'],
  ['<p style=display:none>a</p><p data-style="display:none">b</p><p aria-hidden="true">c</p>', 'b\nc'],
  // an end tag may be left out, and a picture has none
  ['<p style="display:none">a<p>b</p>c', 'a b\nc'],
  ['<img style="display:none">a', 'a'],
  ['Hello&nbsp;&zwnj;&nbsp;&#847;&nbsp;\r\nyou', 'Hello\nyou'],
])('%j is read as %j', (html, text) => expect(htmlToText(html)).toBe(text))

it.each([
  [
    '<a href="https://x.example/a?b=1&amp;c=2">Join <b>now</b></a>!',
    'Join now (https://x.example/a?b=1&c=2) !',
  ],
  ['<a href="https://x.example/">x.example</a>', 'x.example (https://x.example/)'],
  ['<a href="https://x.example/">https://x.example</a>', 'https://x.example'],
  ["<a href='http://x.example'>a</a> <a href='javascript:1'>b</a> <a name=c>c</a>", 'a b c'],
  ['<a href="https://x.example/"><img></a>', ''],
  [`<a href="https://x.example/${'x'.repeat(500)}">a</a>`, 'a'],
  ['<div hidden><a href="https://x.example/">a</a></div>b', 'b'],
])('%j has its links: %j', (html, text) => expect(htmlToText(html, { withLinks: true })).toBe(text))

it.each([
  ['elements without an end', '<div hidden>'],
  ['links around links', '<a href="https://x.example/">'],
  ['comments', '<!--'],
  ['a style', '<p style="'],
  ['quotation marks', `<p hid"'`],
])('reads many %s in linear time', (_, part) => {
  const html = part.repeat(20_000)
  expect(htmlToText(`${html}${'</a>'.repeat(20_000)}`, { withLinks: true })).toBeTypeOf('string')
})

it('removes blank letters, and variation selectors that spell a hidden text', () => {
  const hiddenText = String.fromCodePoint(
    0x3164,
    0x115f,
    0x61c,
    0xffa0,
    0x34f,
    0x2800,
    0xe0041,
    0xe0101,
    0xe0142,
  )
  expect(cleanText(`a${hiddenText}b ❤️`)).toBe('ab ❤️')
  expect(cleanData({ [`a${hiddenText}b`]: hiddenText })).toEqual({ ab: '' })
  expect(plainLine(`Gmail${hiddenText}`, 100)).toBe('Gmail')
  expect(plainLine(`Gm${hiddenText}ail ❤️`, 100)).toBe('Gm ail ❤️')
})
