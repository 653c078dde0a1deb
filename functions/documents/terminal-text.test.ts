import { expect, it } from 'vitest'
import { showTerminal } from './terminal-text.ts'

it.each([
  ['colours', '\u001b[0;31mred\u001b[0m', 'red'],
  ['a damaged escape', '\u009b[31mred', 'red'],
  ['cleared lines and moves', 'a\u001b[K\u001b[2Kb\u001b[?25l\u001b[1A', 'ab'],
  ['links', '\u001b]8;;https://a.example\u0007here\u001b]8;;\u0007, \u001b]0;title\u001b\\x', 'here, x'],
  ['lists in brackets', 'x\n[1, 2]\n[a]', 'x\n[1, 2]\n[a]'],
  ['progress', '10%|#  |\r 50%|## |\r100%|###|\n done', '100%|###|\n done'],
  ['a shorter line over a longer one', '12345\rab', 'ab345'],
  ['an end before the next line', 'a\r', 'a'],
  ['ends of lines of Windows', 'a\r\nb\r\r\nc', 'a\nb\nc'],
  ['backspaces', '1/3\b\b\b2/3', '2/3'],
])('a terminal shows %s', (_, text, shown) => {
  expect(showTerminal(text)).toBe(shown)
})
