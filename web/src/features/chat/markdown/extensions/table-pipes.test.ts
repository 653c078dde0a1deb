import { expect, it } from 'vitest'
import { literalPipe } from '../source-marks.ts'
import { markTablePipes } from './table-pipes.ts'

const head = '| a | b |\n| --- | --- |\n'

it.each([
  ['inline code', '| `x|y` | c |', `| \`x${literalPipe}y\` | c |`],
  ['inline code after an escaped backslash', '| C:\\\\`x|y` | c |', `| C:\\\\\`x${literalPipe}y\` | c |`],
  ['an escaped backtick, which begins no code', '| \\`x|y` |', '| \\`x|y` |'],
])('a pipe in %s', (_, row, marked) => {
  expect(markTablePipes(head + row)).toBe(head + marked)
})
