import { render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Markdown } from './markdown.tsx'
import {
  formatAsHtml,
  formatTableAsCsv,
  formatTableAsMarkdown,
  readRangeAsHtml,
  readRangeAsMarkdown,
  readRangeAsText,
} from './serialize-dom.ts'

afterEach(() => document.body.replaceChildren())

const renderTable = (markdown: string) => {
  const table = render(<Markdown text={markdown} isStreaming={false} />).container.querySelector('table')
  if (!table) throw new Error('no table')
  return table
}

it.each([
  ['| a | b |\n| - | - |\n| 1 | two words |', 'a,b\r\n1,two words\r\n'],
  ['| a, b | "c" |\n| - | - |\n| x<br>y | |', '"a, b","""c"""\r\n"x\ny",\r\n'],
  [
    '| 10<sup>3</sup> m<sup>a</sup> | <kbd>F1</kbd> |\n| - | - |\n| <ruby>漢<rt>かん</rt></ruby> | b |',
    '10³ ma,F1\r\n漢(かん),b\r\n',
  ],
  ['| **a** | `b \\| c` |\n| - | - |\n| [d](https://e.example) | f |', 'a,b | c\r\nd,f\r\n'],
])('formats %j as CSV by RFC 4180', (markdown, csv) =>
  expect(formatTableAsCsv(renderTable(markdown)).text).toBe(csv),
)

it('escapes cells that a spreadsheet would run as formulas, and leaves numbers as they are', () => {
  const table = renderTable(
    '| =1+1 | +a | -b | @c |\n| - | - | - | - |\n| -5 | +3.5 | -1,200.5 % | =HYPERLINK("x") |\n| -1+cmd | − | a=b | 1-2 |',
  )
  expect(formatTableAsCsv(table).text).toBe(
    `'=1+1,'+a,'-b,'@c\r\n-5,+3.5,"-1,200.5 %","'=HYPERLINK(""x"")"\r\n'-1+cmd,−,a=b,1-2\r\n`,
  )
})

it.each([
  '| a | b | c |\n| --- | :-: | --: |\n| **1** | *2* | ~~3~~ |\n| `x \\| y` | [d](<https://e.example/>) | \\*no\\* |\n',
  '| a | b |\n| --- | :-- |\n| x<br>y | \\$5 and \\$6 |\n',
  '| `` a`b `` | \\&amp; |\n| --- | --- |\n| c | R&D |\n',
  '| <kbd>F1</kbd> | 10<sup>3</sup> |\n| --- | --- |\n| <mark>a</mark> | `b` |\n',
])('formats a table as its original Markdown: %j', (markdown) =>
  expect(formatTableAsMarkdown(renderTable(markdown))).toBe(markdown),
)

const renderReply = (markdown: string) =>
  render(<Markdown text={markdown} isStreaming={false} />).container.querySelector(
    '[data-reply-text]',
  ) as Element

it.each([
  ['# Title\n\nA **bold** *word*', '<h1>Title</h1><p>A <strong>bold</strong> <em>word</em></p>'],
  ['one\ntwo', '<p>one<br>two</p>'],
  ['3. a\n4. b\n   - c', '<ol start="3"><li>a</li><li>b<ul><li>c</li></ul></li></ol>'],
  ['2. a\n4. b', '<ol start="2"><li>a</li><li value="4">b</li></ol>'],
  ['<details>\n<summary>More</summary>\n\n> a\n\n</details>', '<p>More</p><blockquote><p>a</p></blockquote>'],
  ['<kbd>F1</kbd> ==a==', '<p><kbd>F1</kbd> <mark>a</mark></p>'],
  ['- [x] done', '<ul><li>☑  done</li></ul>'],
  ['```ts\na  = 1\nb()\n```', '<pre><code>a  = 1\nb()</code></pre>'],
  ['[d](https://e.example/x)', '<p><a href="https://e.example/x">d</a></p>'],
  [
    '| a | b |\n| - | -: |\n| 1 | 2 |',
    '<table><thead><tr><th>a</th><th style="text-align: right;">b</th></tr></thead><tbody><tr><td>1</td><td style="text-align: right;">2</td></tr></tbody></table>',
  ],
])('formats the reply %j as HTML without what belongs to the page', (markdown, html) =>
  expect(formatAsHtml(renderReply(markdown))).toBe(html),
)

it.each([
  '# Title\n\nA **bold** *word*, snake_case and $5',
  '### Small\n\nSee [the docs](https://e.example/a) or https://e.example/b',
  '| a | b |\n| --- | --: |\n| **1** | x \\| y |',
  '- one\n- two `code`\n  1. **three**',
  '> A *quote*\n\n```\nlet a  = 1\n```',
])('reads the selected reply %j as the Markdown that it was', (markdown) => {
  const range = document.createRange()
  range.selectNodeContents(renderReply(markdown))
  expect(readRangeAsMarkdown(range)).toBe(markdown)
})

const katex = (tex: string) =>
  `<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span id="glyph">E</span></span></span>`

it.each([
  ['whole', '#p', '#p', 'The energy is $E = mc^2$ at rest'],
  ['from inside of the formula', '#glyph', '#p', '$E = mc^2$ at rest'],
])('reads a selected formula as TeX: %s', (_, from, to, text) => {
  document.body.innerHTML = `<p id="p">The energy is ${katex('E = mc^2')} at rest</p>`
  const range = document.createRange()
  range.setStart(document.querySelector(from) as Element, 0)
  const end = document.querySelector(to) as Element
  range.setEnd(end, end.childNodes.length)
  expect(readRangeAsText(range)).toBe(text)
  expect(readRangeAsHtml(range)).toContain('$E = mc^2$')
  expect(readRangeAsHtml(range)).not.toContain('class=')
})

it('reads selected items with their numbers, and a part of code as it is', () => {
  document.body.innerHTML =
    '<ol start="3"><li>-</li><li value="5">a</li><li id="b">b</li><li id="c">c</li></ol><pre><code id="d">*x* [y]\n z</code></pre>'
  const range = document.createRange()
  range.setStart(document.querySelector('#b')?.firstChild as Node, 0)
  range.setEnd(document.querySelector('#c')?.firstChild as Node, 1)
  expect(readRangeAsText(range)).toBe('6. b\n7. c')
  // from between two items
  range.setStart(document.querySelector('ol') as Element, 3)
  expect(readRangeAsText(range)).toBe('7. c')
  range.selectNodeContents(document.querySelector('#d') as Node)
  expect(readRangeAsText(range)).toBe('*x* [y]\n z')
})

it('copies selected cells with their table', () => {
  document.body.innerHTML = '<table><tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></tbody></table>'
  const [first, second, third] = document.querySelectorAll('td')
  const select = (start: Node | undefined, end: Node | undefined) => {
    const range = document.createRange()
    range.setStart(start?.firstChild as Node, 0)
    range.setEnd(end?.firstChild as Node, 1)
    return [readRangeAsText(range), readRangeAsHtml(range)]
  }
  expect(select(first, second)).toEqual([
    '1\t2',
    '<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
  ])
  expect(select(second, third)).toEqual([
    '2\n3',
    '<table><tbody><tr><td>2</td></tr><tr><td>3</td></tr></tbody></table>',
  ])
})
