import { expect, it } from 'vitest'
import { formatPage } from '../../test/support/pdf-pages.ts'
import type { TextItem } from './pdf-pieces.ts'

type Item = TextItem & { hasEOL?: boolean }
/** Puts each line below the one before. */
function layOut(items: readonly Item[]): TextItem[] {
  let line = 0
  return items.map(({ hasEOL, ...item }) => {
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = item.transform
    const moved = {
      ...item,
      transform: b === 0 ? [a, b, c, d, x, y - line * 14] : [a, b, c, d, line * 14, x],
    }
    if (hasEOL) line += 1
    return moved
  })
}

/** Letters of 10 points, 5 points wide each. */
const item = (str: string, x: number, { width = str.length * 5, hasEOL = false, skew = 0 } = {}): Item => ({
  str,
  hasEOL,
  transform: [10, skew, -skew, 10, x, 700],
  width,
  height: 10,
})
const gap = (x: number, width: number): Item => ({ ...item(' ', x, { width }), height: 0 })
const end = (str: string, x: number) => item(str, x, { hasEOL: true })

it.each<[string, Item[], string]>([
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
    'a cell that nearly reaches the next column',
    [
      item('Title', 0),
      gap(25, 75),
      item('Author', 100),
      gap(130, 70),
      end('Price', 200),
      item('Physics', 0),
      gap(35, 65),
      item('Ann', 100),
      gap(115, 85),
      end('9.50', 200),
      item('Foundations of all', 0, { width: 94 }),
      gap(94, 6),
      item('Ben', 100),
      gap(115, 85),
      end('7.00', 200),
    ],
    'Title\tAuthor\tPrice\nPhysics\tAnn\t9.50\nFoundations of all\tBen\t7.00',
  ],
  [
    'a number that is aligned right and nearly touched by its text',
    [
      item('a', 0),
      gap(5, 95),
      item('lamp', 100),
      gap(120, 60),
      end('120', 180),
      item('b', 0),
      gap(5, 95),
      item('chair', 100),
      gap(125, 60),
      end('75', 185),
      item('c', 0),
      gap(5, 95),
      item('a long table', 100, { width: 71 }),
      gap(171, 4),
      end('1999', 175),
    ],
    'a\tlamp\t120\nb\tchair\t75\nc\ta long table\t1999',
  ],
  [
    'words that begin where a column does in one line only',
    [
      item('a', 0),
      gap(5, 95),
      end('one', 100),
      item('b', 0),
      gap(5, 55),
      item('words', 60, { width: 35 }),
      gap(95, 5),
      end('of it', 100),
    ],
    'a\tone\nb\twords of it',
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
    'a turned table',
    [
      item('A', 0, { skew: 10 }),
      { ...gap(5, 95), transform: [0, 10, -10, 0, 0, 0] },
      item('B', 100, { skew: 10, hasEOL: true }),
      item('1', 0, { skew: 10 }),
      item('2', 100, { skew: 10, hasEOL: true }),
    ].map((one) => ({ ...one, transform: [0, ...one.transform.slice(1)] })),
    'A\tB\n1\t2',
  ],
  ['blank lines around it', [end('', 0), end('x', 0), end(' ', 0)], 'x'],
  ['a gap that is not wide', [item('A', 0), gap(5, 12), end('B', 17)], 'A B'],
  ['a gap that is wide', [item('A', 0), gap(5, 12.1), end('B', 17.1)], 'A\tB'],
  ['a wide gap before any letter', [gap(0, 90), end('B', 100)], 'B'],
  [
    'one line with a gap, between others',
    [end('one', 0), item('A', 0), gap(5, 95), end('B', 100), end('two is much longer than the gap', 0)],
    'one\nA\tB\ntwo is much longer than the gap',
  ],
  ['blank lines within it', [end('one', 0), end('', 0), end('two', 0)], 'one\ntwo'],
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
    'A\tB\n1\t2\nx',
  ],
  ['a line that goes back by less than a letter', [item('one', 10), end('two', 16)], 'onetwo'],
  ['a line that goes back by exactly a letter', [item('one', 0), end('two', 5)], 'onetwo'],
  ['a line that goes back by more', [item('one', 0), end('two', 4.9)], 'one\ntwo'],
  ['a space that goes back', [item('one', 0), { ...item(' ', 0), hasEOL: false }, end('two', 15)], 'one two'],
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
  expect(formatPage(layOut(items))).toBe(text)
})

/** A text at a place. */
const at = (str: string, x: number, y: number, height = 10): TextItem => ({
  str,
  transform: [height, 0, 0, height, x, y],
  width: str.length * height * 0.5,
  height,
})

it('joins the lines of wrapped cells, whatever their order in the file', () => {
  const items = [
    at('Name', 0, 700),
    at('Address', 100, 700),
    at('Sum', 300, 700),
    at('Ann', 0, 676),
    at('Harbour Street 7,', 100, 676),
    at('0150 Oslo', 100, 663),
    at('120', 300, 676),
    at('Bo', 0, 640),
    at('Mill Road', 100, 640),
    at('only', 100, 627),
    at('Cy', 0, 604),
    at('75', 300, 604),
  ]
  const text = 'Name\tAddress\tSum\nAnn\tHarbour Street 7, 0150 Oslo\t120\nBo\tMill Road only\t\nCy\t\t75'
  expect(formatPage(items)).toBe(text)
  expect(formatPage(items.toReversed())).toBe(text)
})

it('keeps rows of numbers apart that stand closely below each other', () => {
  const rows = [700, 688, 676, 640, 628].flatMap((y, index) => [
    at(`Row ${index}`, 0, y),
    at(`${index}00`, 100, y),
  ])
  expect(formatPage(rows)).toBe('Row 0\t000\nRow 1\t100\nRow 2\t200\nRow 3\t300\nRow 4\t400')
})

it.each([
  [
    'line by line',
    (left: TextItem[], right: TextItem[]) => left.flatMap((item, index) => [item, right[index] ?? item]),
  ],
  ['column by column', (left: TextItem[], right: TextItem[]) => [...left, ...right]],
])('reads columns of text one after the other, written %s', (_, order) => {
  const line = (side: string, index: number) => `${side} line ${index} of some sentence that goes on`
  const left = [0, 1, 2, 3, 4].map((index) => at(line('left', index), 0, 700 - index * 14))
  // on base lines of their own
  const right = [0, 1, 2, 3, 4].map((index) => at(line('right', index), 260, 697 - index * 14))
  const text = [
    ...[0, 1, 2, 3, 4].map((index) => line('left', index)),
    ...[0, 1, 2, 3, 4].map((index) => line('right', index)),
  ]
  expect(formatPage(order(left, right))).toBe(text.join('\n'))
})

it.each([
  ['a raised number', [at('10', 0, 700), at('5', 10, 704, 6), at('cells', 16, 700)], '10^5 cells'],
  ['a raised number of the same size', [at('10', 0, 700), at('5', 10, 704)], '10^5'],
  ['a lowered number', [at('H', 0, 700), at('2', 5, 698, 6), at('O', 8, 700)], 'H_2O'],
  ['the number of a note', [at('1', 0, 704, 6), at('Measured.', 5, 700)], '^1 Measured.'],
  ['a smaller line below', [at('Title', 0, 700), at('by Ann', 0, 690, 6)], 'Title\nby Ann'],
])('marks %s', (_, items, text) => {
  expect(formatPage(items)).toBe(text)
})

it('marks what a line strikes, and not what it underlines or divides', () => {
  const items = [at('old price, new', 0, 700)]
  const strike = { from: 0, to: 46, y: 703, thickness: 0.5 }
  expect(formatPage(items, { lines: [strike] })).toBe('~~old price~~, new')
  for (const other of [{ y: 698 }, { to: 400 }, { thickness: 5 }])
    expect(formatPage(items, { lines: [{ ...strike, ...other }] })).toBe('old price, new')
})

it('puts addresses behind their texts', () => {
  const items = [at('see the annex, please', 0, 700)]
  const links = [{ rect: [40, 698, 65, 710], url: 'https://a.example/x' }]
  expect(formatPage(items, { links })).toBe('see the annex (https://a.example/x), please')
  expect(
    formatPage([at('https://a.example/x', 0, 700)], {
      links: [{ rect: [0, 698, 95, 710], url: 'https://a.example/x' }],
    }),
  ).toBe('https://a.example/x')
})

it.each([
  ['above', 698, 'see the annex (https://a.example/x)\nsee the annex'],
  ['below', 684, 'see the annex\nsee the annex (https://a.example/x)'],
])('puts an address on the line %s alone where it belongs to it', (_, y, text) => {
  const items = [at('see the annex', 0, 700), at('see the annex', 0, 686)]
  expect(formatPage(items, { links: [{ rect: [40, y, 65, y + 12], url: 'https://a.example/x' }] })).toBe(text)
})

it.each([
  [-12, -12],
  [-8, 8],
  [8, -8],
  [12, 12],
])(
  'puts an address behind a word that begins %i and ends %i points from where its letters are expected',
  (from, to) => {
    const items = [at('please consider the annex tomorrow', 0, 700)]
    // `the annex`, in letters of 5 points
    const links = [{ rect: [80 + from, 698, 125 + to, 710], url: 'https://a.example/x' }]
    expect(formatPage(items, { links })).toBe('please consider the annex (https://a.example/x) tomorrow')
  },
)

it('puts an address into a word of which it is a part', () => {
  const links = [{ rect: [0, 698, 50, 710], url: 'https://a.example/x' }]
  expect(formatPage([at('footnotemark12345', 0, 700)], { links })).toBe(
    'footnotema (https://a.example/x)rk12345',
  )
})

it('puts no address behind turned text that is elsewhere', () => {
  const turned = { ...at('internal use', 0, 0), transform: [0, 10, -10, 0, 0, 100] }
  // the place that the turned text would have if it were horizontal
  const links = [{ rect: [100, -2, 165, 10], url: 'https://a.example/x' }]
  expect(formatPage([at('see the annex', 100, 0), turned], { links })).toBe(
    'see the annex (https://a.example/x)\ninternal use',
  )
})

it('orders the columns of right-to-left text from the right', () => {
  const cells = [at('المبلغ', 0, 700), at('الاسم', 100, 700), at('12', 0, 680), at('علاء', 100, 680)]
  expect(formatPage(cells.map((item) => ({ ...item, dir: /\d/.test(item.str) ? 'ltr' : 'rtl' })))).toBe(
    'الاسم\tالمبلغ\nعلاء\t12',
  )
})

it('puts a centred header above its cells', () => {
  const cells = [at('x', 0, 680), at('12', 100, 680), at('y', 0, 660), at('7', 100, 660)]
  expect(formatPage([at('A', 0, 700), at('Sum', 130, 700), ...cells])).toBe('A\tSum\nx\t12\ny\t7')
})

it('reads a text that is drawn twice for its boldness once, and equal cells each', () => {
  const items = [at('Sum', 50, 700), at('Sum', 50.2, 700), at('Sum', 50, 680), at('Sum', 250, 680)]
  expect(formatPage(items)).toBe('Sum\nSum\tSum')
})

it('keeps rows of numbers apart whose header stands as closely, above another table', () => {
  const row = (y: number, ...cells: string[]) =>
    cells.flatMap((cell, index) => (cell === '' ? [] : [at(cell, index * 100, y)]))
  const items = [
    ...row(700, 'Item', 'Qty', 'Price'),
    ...row(684, 'Lamp', '40', '22.00'),
    ...row(668, 'Screw', '', '0.10'),
    ...row(630, 'City', 'People', 'Area'),
    ...row(614, 'Oslo', '7', '454'),
  ]
  expect(formatPage(items)).toBe(
    'Item\tQty\tPrice\nLamp\t40\t22.00\nScrew\t\t0.10\nCity\tPeople\tArea\nOslo\t7\t454',
  )
})

it('reads the signs of a list with their texts, and those of a table in their cells', () => {
  const list = [item('•', 0), gap(5, 20), end('one two', 25), item('•', 0), gap(5, 20), end('three', 25)]
  expect(formatPage(layOut(list))).toBe('• one two\n• three')
  const table = [
    item('Part', 0),
    gap(20, 80),
    item('A', 100),
    gap(105, 15),
    end('B', 120),
    item('x', 0),
    gap(5, 95),
    item('•', 100),
    gap(105, 15),
    end('•', 120),
  ]
  expect(formatPage(layOut(table))).toBe('Part\tA\tB\nx\t•\t•')
})

it('divides amounts that stand closer than cells do, and no digits of one number', () => {
  const numbers = (...cells: string[]) =>
    cells.flatMap((cell, index) =>
      index === 0
        ? [item(cell, 0)]
        : [gap(index * 50 - 10, 10), item(cell, index * 50, { hasEOL: index === cells.length - 1 })],
    )
  const rows = [
    ...numbers('1,239.00', '4,160.89', '(344.09)'),
    ...numbers('2,224.89', '1,972.20', '3,083.76'),
  ]
  expect(formatPage(layOut(rows))).toBe('1,239.00\t4,160.89\t(344.09)\n2,224.89\t1,972.20\t3,083.76')
  const joined = [
    item('3,083.76', 0),
    gap(40, 8),
    end('3,837.98 11,118.83', 48),
    ...numbers('1.00', '2.00', '3.00'),
  ]
  expect(formatPage(layOut(joined))).toBe('3,083.76\t3,837.98\t11,118.83\n1.00\t2.00\t3.00')
  expect(formatPage(layOut([item('256', 0), gap(15, 10), item('36', 25), gap(35, 10), end('30', 45)]))).toBe(
    '256 36 30',
  )
})

it('divides cells that stand as closely as words at the lines between them', () => {
  const items = layOut([
    item('Part 10', 0),
    gap(35, 12),
    end('10', 47),
    item('Part 9', 0),
    gap(30, 17),
    end('9', 47),
  ])
  const text = (x: number, low: number, high: number) => formatPage(items, { walls: [{ x, low, high }] })
  expect(text(41, 680, 720)).toBe('Part 10\t10\nPart 9\t9')
  // one that is not between them
  expect(text(20, 680, 720)).toBe('Part 10 10\nPart 9\t9')
  expect(text(41, 0, 600)).toBe('Part 10 10\nPart 9\t9')
})

it('puts titles on the left and numbers on the right of a cell into one column', () => {
  const items = layOut([
    // a cell over two columns
    item('2026', 101),
    gap(121, 180),
    end('Total', 301),
    item('Plan', 101),
    gap(121, 80),
    end('Real', 201),
    item('North', 1),
    gap(26, 149),
    item('1,200', 175),
    gap(200, 75),
    item('1,150', 275),
    gap(300, 75),
    end('2,350', 375),
    item('South', 1),
    gap(26, 149),
    item('1,300', 175),
    gap(200, 175),
    end('1,300', 375),
  ])
  const wall = (x: number, high = 712) => ({ x, low: 654, high })
  const rows = ['North\t1,200\t1,150\t2,350', 'South\t1,300\t\t1,300']
  expect(formatPage(items, { walls: [wall(0), wall(100), wall(200, 696), wall(300), wall(400)] })).toBe(
    ['\t2026\t\tTotal', '\tPlan\tReal\t', ...rows].join('\n'),
  )
  // walls that do not go around a text tell nothing of its cell
  expect(formatPage(items, { walls: [wall(300)] })).toBe(formatPage(items))
})

/** Lines of 10 points at a distance of 12, the first at this height. */
const column = (x: number, from: number, lines: readonly string[]) =>
  lines.map((str, line): TextItem => ({
    str,
    transform: [10, 0, 0, 10, x, from - line * 12],
    width: str.length * 5,
    height: 10,
  }))
const prose = Array.from({ length: 10 }, (_, line) => `the registrant keeps records of part ${line} and`)
const names = Array.from({ length: 10 }, (_, line) => `13.${line} Scope`)

it('reads a list beside a column of text behind it, where their lines do not meet', () => {
  const items = [...column(0, 700, prose), ...column(260, 695, names)]
  expect(formatPage(items)).toBe([...prose, ...names].join('\n'))
})

it.each([
  ['lines meet', column(260, 700, names)],
  [
    'lines of one side stand apart',
    names.slice(0, 5).flatMap((name, line) => column(260, 695 - line * 24, [name])),
  ],
])('reads texts beside each other as a table where their %s', (_, right) => {
  const text = formatPage([...column(0, 700, prose), ...right])
  expect(text.indexOf('13.0 Scope')).toBeLessThan(text.indexOf('part 9'))
})

it('reads tables and columns of text, whichever stands above', () => {
  const table = [
    ['Part', 'Sum', 'Town'],
    ['Scope', '12', 'Oslo'],
    ['Costs', '7', 'Moss'],
  ]
  const cells = (from: number) =>
    table.flatMap((row, line) =>
      row.map((cell, index) => at(cell, [0, 100, 260][index] ?? 0, from - line * 12)),
    )
  const text = (from: number) => [...column(0, from, prose), ...column(260, from, prose)]
  const rows = table.map((row) => row.join('\t')).join('\n')
  const words = [...prose, ...prose].join('\n')
  expect(formatPage([...cells(800), ...text(700)])).toBe(`${rows}\n${words}`)
  expect(formatPage([...text(800), ...cells(600)])).toBe(`${words}\n${rows}`)
})

it('joins rows between lines, and not between bars', () => {
  const rows = [
    ['Name', 'Town', 'Note'],
    ['Ann', 'Oslo', 'late'],
    ['Berg', 'Norway', ''],
    ['Bo', 'Moss', 'paid'],
    ['Lund', 'Norway', ''],
  ]
  const items = rows.flatMap((row, line) =>
    row.flatMap((cell, index) => (cell === '' ? [] : [at(cell, index * 100, 700 - line * 20)])),
  )
  const read = (thickness: number) =>
    formatPage(items, { lines: [692, 652].map((y) => ({ from: 0, to: 240, y, thickness })) })
  expect(read(1)).toBe('Name\tTown\tNote\nAnn Berg\tOslo Norway\tlate\nBo Lund\tMoss Norway\tpaid')
  expect(read(5)).toBe(rows.map((row) => row.join('\t')).join('\n'))
})

it('puts a text that is centred beside several rows into the first of them', () => {
  const rows = ['Ochre', 'Slate', 'Blue'].flatMap((name, row) => [
    at(name, 102, 700 - row * 20),
    at(`${row + 7}`, 202, 700 - row * 20),
  ])
  const items = [at('Tiles', 2, 680), ...rows]
  const own = [0, 100].map((x) => ({ x, low: 655, high: 715 }))
  const inner = [655, 675, 695].flatMap((low) => [100, 200].map((x) => ({ x, low, high: low + 20 })))
  expect(formatPage(items, { walls: [...own, ...inner] })).toBe('Tiles\tOchre\t7\n\tSlate\t8\n\tBlue\t9')
  expect(formatPage(items, { walls: own })).toBe('\tOchre\t7\nTiles\tSlate\t8\n\tBlue\t9')
})

it('keeps what stands above and below a table with rules between its rows', () => {
  const rows = [
    ['Client: Aster', 'Project: Web'],
    ['Contact: Ruiz', 'Period: May'],
    ['Task', '', 'Hours'],
    ['Concept', '', '20'],
    ['Total', '', '84'],
    ['Travel is not included.'],
    ['Fees are net.'],
  ]
  const heights = [700, 690, 678, 663, 648, 636, 626]
  const items = rows.flatMap((row, line) =>
    row.flatMap((cell, index) => (cell === '' ? [] : [at(cell, index * 200, heights[line] ?? 0)])),
  )
  const lines = [674, 659].map((y) => ({ from: 0, to: 460, y, thickness: 1 }))
  expect(
    formatPage(items, { lines })
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual(rows.map((row) => row.join('\t')))
})

it('keeps rows apart of which one cell goes on and another does not', () => {
  const rows = [
    ['Name', 'Address', 'Pieces', 'Sum'],
    ['Ann', 'Harbour Street 7, third', 'five', '120'],
    ['', 'floor', '75', ''],
    ['Bo', 'Main Road 12', 'two', '310'],
  ]
  const items = rows.flatMap((row, line) =>
    row.flatMap((cell, index) => (cell === '' ? [] : [at(cell, index * 150, 700 - line * 14)])),
  )
  expect(formatPage(items)).toBe(rows.map((row) => row.join('\t')).join('\n'))
})

it('blocks beside each other stay rows, whose base lines alternate or which have dashes, dates and empty cells', () => {
  const left = ['Bill to', 'Acme Ltd', 'High Street', 'Leeds'].map((text, row) => at(text, 0, 700 - row * 14))
  const right = [
    ['Invoice', '77'],
    ['Date', '1 May 2026'],
    ['Due', '-'],
  ].flatMap(([label = '', value = ''], row) => [
    at(label, 200, 693 - row * 14),
    at(value, 300, 693 - row * 14),
  ])
  expect(formatPage([...left, ...right])).toBe(
    'Bill to\n\tInvoice\t77\nAcme Ltd\t\t\n\tDate\t1 May 2026\nHigh Street\t\t\n\tDue\t-\nLeeds',
  )
})
