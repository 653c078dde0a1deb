import { expect, it } from 'vitest'
import { formatPage, type TextItem } from './pdf-lines.ts'

/** Letters of 10 points, 5 points wide each. */
const item = (
  str: string,
  x: number,
  { width = str.length * 5, hasEOL = false, skew = 0 } = {},
): TextItem => ({
  str,
  hasEOL,
  transform: [10, skew, -skew, 10, x, 700],
  width,
  height: 10,
})
const gap = (x: number, width: number): TextItem => ({ ...item(' ', x, { width }), height: 0 })
const end = (str: string, x: number) => item(str, x, { hasEOL: true })

it.each<[string, TextItem[], string]>([
  ['words', [item('one', 0), gap(15, 3), end('two', 18), end('three', 0)], 'one two\nthree'],
  [
    'a table with an empty cell',
    [
      item('A', 0),
      gap(5, 95),
      item('B', 100),
      gap(105, 95),
      end('C', 200),
      item('1', 0),
      gap(5, 195),
      end('3', 200),
    ],
    'A\tB\tC\n1\t\t3',
  ],
  [
    'numbers that are aligned right',
    [item('Name', 0), gap(20, 60), end('Units', 80), item('x', 0), gap(5, 85), end('123', 90)],
    'Name\tUnits\nx\t123',
  ],
  [
    'a row with one cell between others',
    [item('A', 0), gap(5, 95), end('B', 100), end('total', 0), item('1', 0), gap(5, 95), end('2', 100)],
    'A\tB\ntotal\t\n1\t2',
  ],
  [
    'text below a table',
    [item('A', 0), gap(5, 95), end('B', 100), item('1', 0), gap(5, 95), end('2', 100), end('end', 0)],
    'A\tB\n1\t2\nend',
  ],
  [
    'text across the columns',
    [
      item('A', 0),
      gap(5, 95),
      end('B', 100),
      end('this is a paragraph below', 0),
      item('1', 0),
      gap(5, 95),
      end('2', 100),
    ],
    'A\tB\nthis is a paragraph below\n1\t2',
  ],
  ['a line that ends unmarked', [item('Oslo', 0), end('Mill Road 2', 0)], 'Oslo\nMill Road 2'],
  [
    'turned text',
    [
      item('up', 0, { skew: 10 }),
      { ...gap(0, 90), transform: [0, 10, -10, 0, 0, 0] },
      item('down', 0, { skew: 10 }),
    ],
    'up down',
  ],
  ['blank lines around it', [end('', 0), end('x', 0), end(' ', 0)], 'x'],
  ['nothing', [], ''],
])('a page of %s', (_, items, text) => {
  expect(formatPage(items)).toBe(text)
})
