import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Markdown } from './markdown.tsx'
import { formatTableAsCsv, formatTableAsMarkdown } from './table-text.ts'

const show = (markdown: string) => {
  const table = render(<Markdown text={markdown} streaming={false} />).container.querySelector('table')
  if (!table) throw new Error('no table')
  return table
}

it.each([
  ['| a | b |\n| - | - |\n| 1 | two words |', 'a,b\r\n1,two words\r\n'],
  ['| a, b | "c" |\n| - | - |\n| x<br>y | |', '"a, b","""c"""\r\n"x\ny",\r\n'],
  ['| **a** | `b \\| c` |\n| - | - |\n| [d](https://e.example) | f |', 'a,b | c\r\nd,f\r\n'],
])('copies %j as CSV by RFC 4180', (markdown, csv) => expect(formatTableAsCsv(show(markdown))).toBe(csv))

it('keeps cells text that a spreadsheet would run, and numbers numbers', () => {
  const table = show(
    '| =1+1 | +a | -b | @c |\n| - | - | - | - |\n| -5 | +3.5 | -1,200.5 % | =HYPERLINK("x") |\n| -1+cmd | − | a=b | 1-2 |',
  )
  expect(formatTableAsCsv(table)).toBe(
    `'=1+1,'+a,'-b,'@c\r\n-5,+3.5,"-1,200.5 %","'=HYPERLINK(""x"")"\r\n'-1+cmd,−,a=b,1-2\r\n`,
  )
})

it.each([
  '| a | b | c |\n| --- | :-: | --: |\n| **1** | *2* | ~~3~~ |\n| `x \\| y` | [d](<https://e.example/>) | \\*no\\* |\n',
  '| a | b |\n| --- | :-- |\n| x<br>y | \\$5 and \\$6 |\n',
])('copies a table as the markdown that it came from: %j', (markdown) =>
  expect(formatTableAsMarkdown(show(markdown))).toBe(markdown),
)
