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
  ['a gap that is not wide', [item('A', 0), gap(5, 12), end('B', 17)], 'A B'],
  ['a gap that is wide', [item('A', 0), gap(5, 12.1), end('B', 17.1)], 'A\tB'],
  ['a wide gap before any letter', [gap(0, 90), end('B', 100)], ' B'],
  [
    'one line with a gap, between others',
    [end('one', 0), item('A', 0), gap(5, 95), end('B', 100), end('two is much longer than the gap', 0)],
    'one\nA\tB\ntwo is much longer than the gap',
  ],
  ['blank lines within it', [end('one', 0), end('', 0), end('two', 0)], 'one\n\ntwo'],
  [
    'blank lines below a table',
    [
      item('A', 0),
      gap(5, 95),
      end('B', 100),
      item('1', 0),
      gap(5, 95),
      end('2', 100),
      end('', 0),
      end('x', 0),
    ],
    'A\tB\n1\t2\n\nx',
  ],
  ['a line that goes back by less than a letter', [item('one', 10), end('two', 16)], 'onetwo'],
  ['a line that goes back by exactly a letter', [item('one', 0), end('two', 5)], 'onetwo'],
  ['a line that goes back by more', [item('one', 0), end('two', 4.9)], 'one\ntwo'],
  ['a space that goes back', [item('one', 0), { ...item(' ', 0), hasEOL: false }, end('two', 15)], 'one two'],
  [
    'turned text that goes back',
    [item('one', 0, { skew: 10 }), item('two', 0, { skew: 10, hasEOL: true })],
    'onetwo',
  ],
  [
    'cells that would share a column',
    [
      item('A', 0),
      gap(5, 95),
      item('B', 100, { width: 100, hasEOL: true }),
      item('1', 110),
      gap(115, 35),
      end('2', 150),
    ],
    'A\tB\n1\t2',
  ],
  [
    'a table after a table of other columns',
    [
      item('A', 0),
      gap(5, 95),
      end('B', 100),
      item('1', 0),
      gap(5, 95),
      end('2', 100),
      item('long text over both', 0, { width: 150 }),
      gap(150, 50),
      end('C', 200),
      item('x', 0),
      gap(5, 195),
      end('y', 200),
    ],
    'A\tB\n1\t2\nlong text over both\tC\nx\ty',
  ],
  [
    'cells whose ends meet',
    [item('A', 0, { width: 50 }), gap(50, 50), end('B', 100), item('1', 50), gap(55, 45), end('2', 100)],
    'A\tB\n1\t2',
  ],
  [
    'text above a table',
    [end('x', 0), item('A', 0), gap(5, 95), end('B', 100), item('1', 0), gap(5, 95), end('2', 100)],
    'x\nA\tB\n1\t2',
  ],
  [
    'two tables of the same columns with text between them',
    [
      item('A', 0),
      gap(5, 95),
      end('B', 100),
      end('this is a paragraph between', 0),
      item('C', 0),
      gap(5, 195),
      end('D', 200),
      item('1', 0),
      gap(5, 195),
      end('2', 200),
    ],
    'A\tB\nthis is a paragraph between\nC\tD\n1\t2',
  ],
  ['nothing', [], ''],
])('a page of %s', (_, items, text) => {
  expect(formatPage(items)).toBe(text)
})
