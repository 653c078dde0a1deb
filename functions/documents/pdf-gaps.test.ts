import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readPdfPage } from '../../test/support/pdf-pages.ts'

// pdf.js warns of fonts, which reading text does not need; the product drops the output of its thread
beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

/** Reads a page of one font. Letters of Courier are 0.6 of their height wide. */
const readPage = (content: string, font = 'Courier') =>
  readPdfPage(content, `<< /Type /Font /Subtype /Type1 /BaseFont /${font} >>`)
const draw = (text: string, x: number, y: number, size = 10, before = '') =>
  `BT ${before} /F ${size} Tf ${x} ${y} Td (${text}) Tj ET\n`
const drawRows = (rows: readonly (readonly (readonly [text: string, x: number])[])[]) =>
  rows.flatMap((cells, row) => cells.map(([text, x]) => draw(text, x, 700 - 14 * row))).join('')

const toText = (rows: readonly (readonly string[])[]) => rows.map((cells) => cells.join('\t')).join('\n')

describe.each([2, 3, 4, 5.5, 8])('cells that stand %f points behind the longest one before', (gap) => {
  it('are cells of a table', async () => {
    const rows = [
      ['Article', 'Colour', 'Maker', 'Stock'],
      ['Table lamp', 'white', 'Nordlys', '12'],
      ['Screw', 'grey', 'Hansen AS', '1400'],
      ['Desk', 'oak', 'Bergmann', '7'],
      ['Long shelf board', 'brown', 'Moe', '30'],
      ['Chair', 'black', 'Nordlys', '115'],
    ]
    const starts = [0, 1, 2, 3].map((column) =>
      [0, 1, 2].reduce(
        (sum, one) =>
          one < column ? sum + Math.max(...rows.map((row) => row[one]?.length ?? 0)) * 6 + gap : sum,
        50,
      ),
    )
    const drawn = drawRows(rows.map((row) => row.map((text, column) => [text, starts[column] ?? 0])))
    expect(await readPage(drawn)).toBe(toText(rows))
  })

  it('are two columns of a list', async () => {
    const rows = [
      ['Anna Berg', 'Oslo'],
      ['Bo Lund', 'Bergen'],
      ['Cara Dahl', 'Moss'],
      ['Dan Moe', 'Hamar'],
      ['Eva Rustad', 'Bodo'],
      ['Finn Hagen', 'Voss'],
    ] as const
    expect(
      await readPage(
        drawRows(
          rows.map(([name, town]) => [
            [name, 50],
            [town, 110 + gap],
          ]),
        ),
      ),
    ).toBe(toText(rows))
  })

  it('are texts behind numbers that are aligned right', async () => {
    const rows = [
      ['1,204', 'Lamp', 'white'],
      ['17', 'Screw', 'grey'],
      ['9', 'Desk', 'oak'],
      ['12,000', 'Bolt', 'steel'],
      ['250', 'Chair', 'black'],
    ] as const
    const drawn = drawRows(
      rows.map(([number, name, colour]) => [
        [number, 86 - number.length * 6],
        [name, 86 + gap],
        [colour, 116 + 2 * gap],
      ]),
    )
    expect(await readPage(drawn)).toBe(toText(rows))
  })
})

describe('words are no cells', () => {
  it.each([
    [
      'that follow words of the same length',
      (row: number) => [
        ['Mill', 50],
        [`Road ${row}`, 77],
      ],
    ],
    [
      'that follow the number of a list item',
      (row: number) => [
        [`${row + 1}.`, 50],
        ['The parties', 65],
      ],
    ],
    [
      'that follow the sign of a list item',
      (row: number) => [
        ['*', 50],
        [`item ${row}`, 59],
      ],
    ],
    [
      'that stand a letter apart',
      (row: number) => [
        ['word'.slice(row % 3), 50],
        ['next', 56 + 6 * (4 - (row % 3))],
      ],
    ],
    [
      'of groups of digits',
      (row: number) => [
        ['98'.slice(row % 2), 50 + 6 * (row % 2)],
        ['452', 65],
        ['180', 86],
      ],
    ],
  ] satisfies [string, (row: number) => [string, number][]][])('%s', async (_, toRow) => {
    const text = await readPage(drawRows([0, 1, 2, 3, 4, 5].map((row) => toRow(row))))
    expect(text).not.toContain('\t')
  })

  it('in a paragraph whose words are placed one by one', async () => {
    const words =
      'the registrant keeps all of its records for at least ten years after the end of each'.split(' ')
    const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((row) => {
      let x = 50
      return [...words.slice(row), ...words.slice(0, row)].map((word): [string, number] => {
        x += word.length * 6 + 2.5
        return [word, x - word.length * 6 - 2.5]
      })
    })
    expect(await readPage(drawRows(rows))).not.toContain('\t')
  })
})

describe('texts that stand as closely as words are', () => {
  const texts = draw('Part 10', 50, 700) + draw('10', 100, 700)

  it.each([
    ['divided by a line between them', '96 690 m 96 712 l S', 'Part 10\t10'],
    ['divided by a thin bar between them', '95 690 1 22 re f', 'Part 10\t10'],
    ['divided by the right side of a box', '48 690 48 22 re S', 'Part 10\t10'],
    ['divided by the left side of a box', '96 690 40 22 re S', 'Part 10\t10'],
    ['joined before a line below them', '96 600 m 96 690 l S', 'Part 10 10'],
    ['joined on a coloured area', '40 690 56 22 re f', 'Part 10 10'],
    ['joined beside a tick', '96 699 m 96 705 l S', 'Part 10 10'],
  ])('%s', async (_, drawn, text) => {
    expect(await readPage(`${drawn} ${texts}`)).toBe(text)
  })
})

describe('a heading whose letters stand apart is read as words', () => {
  const body = draw('The annual report covers the year.', 72, 600, 11, '0 Tc')
  const letters = (text: string, gap: number) =>
    `BT /F 14 Tf 72 700 Td [${Array.from(text, (letter) => (letter === ' ' ? '-600' : `(${letter})-${gap}`)).join(' ')}] TJ ET\n`
  const places = (text: string) =>
    Array.from(text, (letter, index) => (letter === ' ' ? '' : draw(letter, 72 + 16 * index, 700, 14))).join(
      '',
    )

  it.each([
    ...[1, 2, 3, 4, 6, 10].map((spacing): [string, string] => [
      `by ${spacing} points`,
      draw('ANNUAL REPORT 2026', 72, 700, 14, `${spacing} Tc`),
    ]),
    ['by numbers between them', letters('ANNUAL REPORT 2026', 300)],
    ['by places of their own', places('ANNUAL REPORT 2026')],
    ['by blanks, and words by two', draw('A N N U A L  R E P O R T  2 0 2 6', 72, 700, 14)],
  ])('%s', async (_, heading) => {
    expect(await readPage(heading + body, 'Helvetica')).toBe(
      'ANNUAL REPORT 2026\nThe annual report covers the year.',
    )
  })

  it.each([
    ['a short word', 'H E A D I N G', 'HEADING'],
    ['letters of which nobody knows where a word ends', 'A N N U A L R E P O R T', 'A N N U A L R E P O R T'],
    ['an alphabet', 'A B C D E F G H', 'A B C D E F G H'],
    ['digits', '2 5 6 3 6 3 0', '2 5 6 3 6 3 0'],
    ['few letters', 'N S E W', 'N S E W'],
  ])('typed with blanks: %s', async (_, typed, text) => {
    expect(await readPage(draw(typed, 72, 700, 14), 'Helvetica')).toBe(text)
  })
})
