import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Markdown } from './markdown.tsx'
import { formatTableAsCsv, formatTableAsMarkdown } from './table-text.ts'

const renderTable = (markdown: string) => {
  const table = render(<Markdown text={markdown} streaming={false} />).container.querySelector('table')
  if (!table) throw new Error('no table')
  return table
}

it.each([
  ['| a | b |\n| - | - |\n| 1 | two words |', 'a,b\r\n1,two words\r\n'],
  ['| a, b | "c" |\n| - | - |\n| x<br>y | |', '"a, b","""c"""\r\n"x\ny",\r\n'],
  ['| **a** | `b \\| c` |\n| - | - |\n| [d](https://e.example) | f |', 'a,b | c\r\nd,f\r\n'],
])('formats %j as CSV by RFC 4180', (markdown, csv) =>
  expect(formatTableAsCsv(renderTable(markdown))).toBe(csv),
)

it('escapes cells that a spreadsheet would run as formulas, and leaves numbers as they are', () => {
  const table = renderTable(
    '| =1+1 | +a | -b | @c |\n| - | - | - | - |\n| -5 | +3.5 | -1,200.5 % | =HYPERLINK("x") |\n| -1+cmd | − | a=b | 1-2 |',
  )
  expect(formatTableAsCsv(table)).toBe(
    `'=1+1,'+a,'-b,'@c\r\n-5,+3.5,"-1,200.5 %","'=HYPERLINK(""x"")"\r\n'-1+cmd,−,a=b,1-2\r\n`,
  )
})

it.each([
  '| a | b | c |\n| --- | :-: | --: |\n| **1** | *2* | ~~3~~ |\n| `x \\| y` | [d](<https://e.example/>) | \\*no\\* |\n',
  '| a | b |\n| --- | :-- |\n| x<br>y | \\$5 and \\$6 |\n',
])('formats a table as its original Markdown: %j', (markdown) =>
  expect(formatTableAsMarkdown(renderTable(markdown))).toBe(markdown),
)
