import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { xlsx, type Cell } from '../../../test/support/documents.ts'
import { queryFile, readTables } from '../../../test/support/tables.ts'
import { toNumberCell } from './cells.ts'
import { toText } from './convert-cell.ts'
import { maxInfoCharacters } from '../../files/stored-tables.ts'

const describeFile = async (name: string, content: string | Uint8Array) =>
  ((await readTables(name, content))?.info ?? []).map(({ columns, sample, rows, range, leftOut }) => ({
    range,
    rows,
    columns: columns.map((column) => `${column.name} ${column.type}`),
    sample,
    ...(leftOut !== undefined && { leftOut }),
  }))
/** The values of one column of a csv. */
async function typeOf(cells: readonly string[], { separator = ';', title = 'value' } = {}) {
  const text = [`id${separator}${title}`, ...cells.map((cell, index) => `a${index}${separator}${cell}`)].join(
    '\n',
  )
  const [table] = (await readTables('a.csv', text))?.info ?? []
  return { ...table?.columns[1], values: table?.sample.map((row) => row[1]) }
}
const sheet = (rows: readonly (readonly Cell[])[]) => describeFile('a.xlsx', xlsx({ Sales: rows }))

describe('a csv', () => {
  it.each([
    [
      'commas',
      'a,b\n1,2.5\n3,4\n',
      [
        [1, 2.5],
        [3, 4],
      ],
    ],
    [
      'semicolons and decimal commas',
      'a;b\n1;2,5\n3;1.234,50\n',
      [
        [1, 2.5],
        [3, 1_234.5],
      ],
    ],
    ['tabs', 'a\tb\n1\t2.5\n', [[1, 2.5]]],
    ['a line that names the separator', 'sep=|\r\na|b\r\n1|2.5\r\n', [[1, 2.5]]],
    ['quotes, separators and line ends in cells', 'a,b\n"x, ""y""\nz",2\n', [['x, "y"\nz', 2]]],
    [
      'a quote that is never closed',
      'a,b\n1,"x\n2,y\n3,z\n',
      [
        [1, '"x'],
        [2, 'y'],
        [3, 'z'],
      ],
    ],
    ['a quote within a cell', 'a,b\n5" pipe,1\n', [['5" pipe', 1]]],
    [
      'missing and further cells',
      'a,b,c\n1\n1,2,3\n',
      [
        [1, null, null],
        [1, 2, 3],
      ],
    ],
    [
      'empty lines',
      '\na,b\n\n1,2\n\n3,4\n',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'rows that are each followed by an empty line',
      'name,n\r\r\nx,1\r\r\ny,2\r\r\n',
      [
        ['x', 1],
        ['y', 2],
      ],
    ],
    [
      'rows that are each followed by an empty line, of which the last has no name',
      'name,n\n\nAnn,1\n\nCleo,2\n\n,3\n',
      [
        ['Ann', 1],
        ['Cleo', 2],
        [null, 3],
      ],
    ],
    [
      'a quote that is never closed, before others that are',
      'id,name,age\n1,"John,25\n2,"Bob",35\n3,"Said ""hi""\nand left",40\n',
      [
        [1, '"John', 25],
        [2, 'Bob', 35],
        [3, 'Said "hi"\nand left', 40],
      ],
    ],
    [
      'codes that are written as formulas of texts',
      'code,n\n="00123",1\n"=""004""",2\n="a"&"b",3\n',
      [
        ['00123', 1],
        ['004', 2],
        ['="a"&"b"', 3],
      ],
    ],
    ['lines above its header', 'Report of May\nmade by hand\n\na,b\n1,2\n', [[1, 2]]],
    ['a byte order mark', '\ufeffa,b\n1,2\n', [[1, 2]]],
    [
      'comments around its header and among its rows',
      '# not yet begun\na,b,c\n# data, now\n1,2,3\n#4,5,6\n7,8,9\n',
      [
        [1, 2, 3],
        [7, 8, 9],
      ],
    ],
    ['comments of semicolons', '; made by hand\na,b\n; units\n1,2\n', [[1, 2]]],
    ['a comment as wide as its header', '# Ann, Ben\na,b\n1,2\n', [[1, 2]]],
    ['a header behind a hash', '#id,name\n1,x\n# end of the list\n', [[1, 'x']]],
    [
      'texts that begin with a hash',
      'tag,n\n#sale,1\nnew,2\nold,3\n',
      [
        ['#sale', 1],
        ['new', 2],
        ['old', 3],
      ],
    ],
    [
      'the nothing of databases',
      'a,b\n\\N,1\nx,\\N\n',
      [
        [null, 1],
        ['x', null],
      ],
    ],
  ])('with %s', async (_, text, sample) => {
    const [table] = await describeFile('a.csv', text)
    expect(table?.sample).toEqual(sample)
  })

  it('in cp1252, with an umlaut in a title', async () => {
    const bytes = Buffer.from('Größe;Preis in €\nklein;1,50\ngroß;2,25\nübergroß;3,75\n', 'latin1')
    bytes[bytes.indexOf(0xac)] = 0x80
    const [table] = await describeFile('a.csv', bytes)
    expect(table?.columns).toEqual(['größe text', 'preis_in_eur number'])
  })

  it.each<[string, string, number, string | undefined]>([
    [
      'a line without cells',
      'a,b,c\n1,x,2\n3,y,4\n***END OF FILE***\n',
      2,
      'row 4, a note: “***END OF FILE***”',
    ],
    ['notes', 'a;b\n1;x\nSource: town hall;\n(2 rows)\n', 1, 'rows 3 to 4, notes: “Source: town hall”'],
    ['a name without a value', 'name,phone\nAnn,1\nBen,\n', 2, undefined],
    ['names without cells', 'name,phone\nAnn,1\nCleo\nDan,2\nBen\n', 4, undefined],
    ['a value', 'a,b\n1,2\n3\n', 2, undefined],
  ])('that ends with %s', async (_, text, rows, leftOut) => {
    const [table] = await describeFile('a.csv', text)
    expect([table?.rows, table?.leftOut]).toEqual([rows, leftOut])
  })

  it('has the header of rows that are each followed by an empty line', async () => {
    const columns = async (text: string) => (await describeFile('a.csv', text))[0]?.columns
    expect(await columns('name,n\n\nx,1\n\ny,2\n')).toEqual(['name text', 'n number'])
    expect(await columns('name,city\n\nAnn,Rome\n\nBen,Oslo\n')).toEqual(['name text', 'city text'])
    expect(await columns('Account,Main\n\nday,n\n\n2026-01-02,1\n')).toEqual(['day date', 'n number'])
    expect(await columns('Account,Main\n\nday,n\n2026-01-02,1\n')).toEqual(['day date', 'n number'])
  })

  it('without a header has numbered columns', async () => {
    for (const first of [
      '<p class="x">Text</p>',
      'ann@example.org',
      'https://example.org/1',
      'x'.repeat(201),
    ])
      expect(await describeFile('a.csv', `Ann,${first}\nBen,y\n`)).toMatchObject([{ rows: 2 }])
    expect(await describeFile('a.csv', 'Ann,1999\nBen,2001\nCleo,1987\n')).toMatchObject([
      { rows: 3, columns: ['column_a text', 'column_b number'] },
    ])
    expect(await describeFile('a.csv', '1,2026-01-02\n3,2026-01-03\n')).toMatchObject([
      { rows: 2, columns: ['column_a number', 'column_b date'] },
    ])
  })
})

it.each([
  [
    'years',
    ',,2025,2025,2026,2026\n,,Plan,Real,Plan,Real\nRegion,City,,,,\nN,x,1,2,3,4\nN,y,5,6,7,8\n',
    [
      'region text',
      'city text',
      'n_2025_plan number',
      'n_2025_real number',
      'n_2026_plan number',
      'n_2026_real number',
    ],
    [
      ['N', 'x', 1, 2, 3, 4],
      ['N', 'y', 5, 6, 7, 8],
    ],
  ],
  [
    'names',
    ',North,North,South,South\n,Plan,Real,Plan,Real\na,1,2,3,4\nb,5,6,7,8\n',
    ['column_a text', 'north_plan number', 'north_real number', 'south_plan number', 'south_real number'],
    [
      ['a', 1, 2, 3, 4],
      ['b', 5, 6, 7, 8],
    ],
  ],
])('a csv has groups of columns that are written over each of them: %s', async (_, csv, columns, sample) => {
  expect(await describeFile('a.csv', csv)).toMatchObject([{ rows: 2, columns, sample }])
})

it('a csv keeps a first row of equal texts', async () => {
  const csv = 'name,before,after,n\n,open,open,\nBo,open,done,5\nCy,done,done,6\n'
  const [table] = await describeFile('a.csv', csv)
  expect([table?.rows, table?.sample[0]]).toEqual([3, [null, 'open', 'open', null]])
})

describe('the type of a column', () => {
  it.each<[string, string[], object]>([
    ['decimal commas', ['1.234,5', '2'], { type: 'number', values: [1_234.5, 2] }],
    ['decimal points', ['1,234.5', '2'], { type: 'number', values: [1_234.5, 2] }],
    ['spaces between groups', ['1 234,5', '2'], { type: 'number', values: [1_234.5, 2] }],
    ['groups of India', ['12,34,567.5', '2'], { type: 'number', values: [1_234_567.5, 2] }],
    [
      'commas between groups of whole numbers',
      ['1,234,567', '12,34,567', '1,234'],
      { type: 'number', values: [1_234_567, 1_234_567, 1_234] },
    ],
    ['points between groups of whole numbers', ['1.234.567', '1.234'], { values: [1_234_567, 1_234] }],
    ['minus signs and parentheses', ['-1', '−2', '(3)'], { type: 'number', values: [-1, -2, -3] }],
    ['a sign behind', ['5,00-', '£1,00+', '+£2'], { type: 'number', values: [-5, 1, 2] }],
    ['a dash as a minus sign', ['–1,5', '2'], { type: 'number', values: [-1.5, 2] }],
    [
      'the nothing of accountants',
      ['$ 1,234.56', '$ -', '$-', '$ (2.00)'],
      { type: 'number', unit: '$', values: [1_234.56, 0, 0] },
    ],
    ['the nothing of accountants, behind', ['-   €', '2,50 €'], { type: 'number', values: [0, 2.5] }],
    ['percent', ['12,5 %', '3 %'], { type: 'number', unit: '%', values: [0.125, 0.03] }],
    ['one currency', ['1,50 €', '€ 2'], { type: 'number', unit: '€', values: [1.5, 2] }],
    ['several currencies', ['1,50 €', '$2,00'], { type: 'text', note: 'several units: €, $' }],
    ['both decimal marks', ['1.5', '1,55'], { type: 'text' }],
    ['an exponent', ['1.5E3', '2e-2'], { type: 'number', values: [1_500, 0.02] }],
    ['leading zeros', ['01067', '80331'], { type: 'text', values: ['01067', '80331'] }],
    [
      'more digits than a number has',
      ['12345678901234567890'],
      { type: 'text', values: ['12345678901234567890'] },
    ],
    ['nothing', ['1', 'n/a', '-', ''], { type: 'number', empty: 3, values: [1, null, null] }],
    ['nothing, among texts', ['x', 'n/a'], { type: 'text', values: ['x', 'n/a'] }],
    [
      'errors of newer programs',
      ['1', '#SPILL!', '#GETTING_DATA'],
      { type: 'number', empty: 2, values: [1, null, null] },
    ],
    [
      'errors in Spanish',
      ['1', '#¿NOMBRE?', '#¡DIV/0!'],
      { type: 'number', empty: 2, values: [1, null, null] },
    ],
    [
      'errors in other languages',
      ['1', '#ÜBERLAUF!', '#Н/Д'],
      { type: 'number', empty: 2, values: [1, null, null] },
    ],
    [
      'errors of LibreOffice',
      ['1', 'Err:502', 'Fehler:508'],
      { type: 'number', empty: 2, values: [1, null, null] },
    ],
    ['nothing of statistics', ['1', '..', ':'], { type: 'number', empty: 2, values: [1, null, null] }],
    [
      'nothing of databases and people',
      ['1', '(null)', 'N.A.'],
      { type: 'number', empty: 2, values: [1, null, null] },
    ],
    ['no errors', ['1', '#1', '#A!'], { type: 'text', values: ['1', '#1', '#A!'] }],
    [
      'years first with blanks',
      ['2026. 3. 31.', '2026. 04. 01.'],
      { type: 'date', values: ['2026-03-31', '2026-04-01'] },
    ],
    ['days first', ['31.03.2026', '1.4.2026'], { type: 'date', values: ['2026-03-31', '2026-04-01'] }],
    ['months first', ['03/31/2026', '04/01/2026'], { type: 'date', values: ['2026-03-31', '2026-04-01'] }],
    ['undecidable dates', ['03/04/2026', '05/06/2026'], { type: 'text' }],
    ['both orders', ['31/03/2026', '03/31/2026'], { type: 'text' }],
    [
      'names of months',
      ['31 Mar 2026', '1. März 2026'],
      { type: 'date', values: ['2026-03-31', '2026-03-01'] },
    ],
    [
      'times on some days',
      ['2026-03-31T14:05:00Z', '2026-04-01'],
      { type: 'date', values: ['2026-03-31 14:05:00', '2026-04-01 00:00:00'] },
    ],
    [
      'times of a zone',
      ['2026-03-31T00:05:00+02:00'],
      { type: 'date', note: 'times in UTC', values: ['2026-03-30 22:05:00'] },
    ],
    [
      'names of days',
      [
        'Mon, 05 Jan 2026 10:00:00 +0100',
        'Tuesday, January 6, 2026',
        'Mi 07.01.2026',
        'lundi 5 janvier 2026',
      ],
      { type: 'date', values: ['2026-01-05 09:00:00', '2026-01-06 00:00:00', '2026-01-07 00:00:00'] },
    ],
    [
      'durations',
      ['1:30:00', '25:15:00', '-0:45:00'],
      { type: 'number', unit: 'hours', values: [1.5, 25.25, -0.75] },
    ],
    [
      'durations with fractions',
      ['24:56:18.90', '0:00:01,5'],
      { type: 'number', unit: 'hours', values: [89_778.9 / 3_600, 1.5 / 3_600] },
    ],
    ['times with fractions', ['9:00:00.250', '13:05:30'], { values: ['09:00:00.250', '13:05:30'] }],
    ['no zero before the point', ['.5', '-.25', '$.75'], { type: 'number', values: [0.5, -0.25, 0.75] }],
    ['thin spaces between groups', ['1\u2009234,5', '2'], { type: 'number', values: [1_234.5, 2] }],
    ['times of a day', ['9:00:00', '13:05:30'], { type: 'date', values: ['09:00:00', '13:05:30'] }],
    [
      'times of a zone in hours',
      ['2020-12-31 21:25:58.7+02', '2020-01-01T00:00:00-08'],
      { type: 'date', values: ['2020-12-31 19:25:58.700', '2020-01-01 08:00:00'] },
    ],
    [
      'times of twelve hours',
      ['12:48:22 AM', '12:48 pm', '11:50:12 PM'],
      { type: 'date', values: ['00:48:22', '12:48:00', '23:50:12'] },
    ],
    [
      'times of twelve hours on some days',
      ['1/31/2024 1:05 AM', '2/3/2024 12:30 pm'],
      { type: 'date', values: ['2024-01-31 01:05:00', '2024-02-03 12:30:00'] },
    ],
    [
      'March, which is Tuesday in other languages',
      ['Mar 31, 2026', 'Mar. 1, 2026 at 1:05 PM', 'mar. 31 mars 2026'],
      { type: 'date', values: ['2026-03-31 00:00:00', '2026-03-01 13:05:00', '2026-03-31 00:00:00'] },
    ],
    [
      'first days',
      ['1er avril 2026', '2 avril 2026'],
      { type: 'date', values: ['2026-04-01', '2026-04-02'] },
    ],
    ['short years', ['1/31/24', '2/3/24'], { type: 'date', values: ['2024-01-31', '2024-02-03'] }],
    ['codes like exponents', ['12E12', '1234'], { type: 'text', values: ['12E12', '1234'] }],
    ['a currency before parentheses', ['$(0.01)', '$ (3)', '(-2)'], { values: [-0.01, -3, -2] }],
    [
      'digits of Arabic and of full width',
      ['١٤٬٥٠٠٫٥', '１２．５'],
      { type: 'number', values: [14_500.5, 12.5] },
    ],
    ['marks that nobody sees', ['-\ufeff42', '\u200b17'], { type: 'number', values: [-42, 17] }],
    ['truth', ['true', 'FALSE'], { type: 'boolean', values: [1, 0] }],
    ['no dates', ['30.02.2026', '31.04.2026'], { type: 'text' }],
    ['versions', ['1.2.20', '1.3.21'], { type: 'text' }],
    [
      'a mark before three digits',
      ['1.849', '1.799'],
      {
        type: 'number',
        note: '1.849 is read as 1849: nothing tells the decimal mark',
        values: [1_849, 1_799],
      },
    ],
    ['a mark before three digits, and another', ['1.849', '1,5'], { type: 'number', values: [1_849, 1.5] }],
  ])('with %s', async (_, cells, expected) => {
    expect(await typeOf(cells)).toMatchObject(expected)
  })

  it('is the file’s decimal mark where the column does not tell', async () => {
    const [table] = await describeFile('a.csv', 'a\tb\n1.234\t0,5\n2.345\t1,5\n')
    expect(table?.sample).toEqual([
      [1_234, 0.5],
      [2_345, 1.5],
    ])
    const [other] = await describeFile('a.csv', 'a\tb\n1.234\tx\n2.345\ty\n')
    expect(other?.sample).toEqual([
      [1.234, 'x'],
      [2.345, 'y'],
    ])
  })

  it('is a text where the title says that it has versions', async () => {
    const cells = ['1.9', '1.10']
    for (const title of ['version', 'App Version', 'python_version', 'appVersion'])
      expect(await typeOf(cells, { title })).toMatchObject({ type: 'text', values: cells })
    expect(await typeOf(cells, { title: 'conversion rate' })).toMatchObject({ type: 'number' })
    expect(await typeOf(['1', '2'], { title: 'version' })).toMatchObject({ type: 'number' })
  })

  it('is years where the title says so, and else real numbers, of which a quotient is exact', async () => {
    expect(await typeOf(['2024', '2025'], { title: 'Jahr' })).toMatchObject({
      type: 'number',
      values: [2024, 2025],
    })
  })

  it('is dates without separators where the title says so', async () => {
    const cells = ['20260331', '', '20251231']
    expect(await typeOf(cells, { title: 'Belegdatum' })).toMatchObject({
      type: 'date',
      values: ['2026-03-31', null, '2025-12-31'],
    })
    expect(await typeOf(cells, { title: 'Order' })).toMatchObject({ type: 'number' })
    expect(await typeOf([...cells, '20261301'], { title: 'Date' })).toMatchObject({ type: 'number' })
  })

  it('keeps what is no number in a column of its own', async () => {
    const cells = [...Array.from({ length: 19 }, (_, index) => String(index)), 'unknown']
    const text = ['id,value', ...cells.map((cell, index) => `a${index},${cell}`)].join('\n')
    const [table] = (await readTables('a.csv', text))?.info ?? []
    expect(table?.columns.slice(1)).toEqual([
      { name: 'value', type: 'number', empty: 1 },
      { name: 'value_text', type: 'text', empty: 19, note: 'what is no number in value' },
    ])
  })
})

describe('a workbook', () => {
  it('has its values, not what it shows', async () => {
    const rows: Cell[][] = [
      ['Region', 'Amount', 'Day', 'Paid'],
      ['North', 1.23456789, { date: 46_112 }, true],
    ]
    expect(await sheet(rows)).toEqual([
      {
        range: 'A1:D2',
        rows: 1,
        columns: ['region text', 'amount number', 'day date', 'paid boolean'],
        sample: [['North', 1.23456789, '2026-03-31', 1]],
      },
    ])
  })

  it('leaves a last row out that is the sum of the others, and names it', async () => {
    const rows: Cell[][] = [
      ['Region', 'Amount'],
      ['North', 1.5],
      ['South', 2.5],
    ]
    expect(await sheet([...rows, ['Total', 4]])).toMatchObject([
      { rows: 2, leftOut: 'row 4, which sums up others: “Total” (a statement that names is_total has them)' },
    ])
    expect(await sheet([...rows, [], ['Summe', 4]])).toMatchObject([{ rows: 2 }])
    const [built] = (await readTables('a.xlsx', xlsx({ A: [...rows, ['Total', 5]] })))?.info ?? []
    expect(built).toMatchObject({ rows: 3, note: 'row 4 is called “Total”, and is not the sum of others' })
    expect(await sheet([...rows, ['East', 4]])).toMatchObject([{ rows: 3 }])
  })

  it('leaves a last row without a label out that is the sum of at least three others', async () => {
    const rows: Cell[][] = [
      ['Region', 'Amount', 'Units'],
      ['North', 1.5, 1],
      ['South', 2.5, 2],
      ['West', 3, 0],
    ]
    expect(await sheet([...rows, ['', 7, 3]])).toMatchObject([
      { rows: 3, leftOut: expect.stringContaining('row 5, which sums up others') as string },
    ])
    for (const last of [
      ['East', 7, 3],
      ['', 7, 4],
    ])
      expect(await sheet([...rows, last])).toMatchObject([{ rows: 4 }])
    expect(await sheet([...rows.slice(0, 3), ['', 4, 3]])).toMatchObject([{ rows: 3 }])
    // nothing is the sum of nothing
    expect(
      await sheet([['Region', 'Amount'], ...['North', 'South', 'West'].map((name) => [name, 0]), ['', 0]]),
    ).toMatchObject([{ rows: 4 }])
  })

  it('has durations below zero', () => {
    expect(toNumberCell('-0.0625', '-01:30:00')).toEqual({ value: -1.5, unit: 'clock' })
    expect(toText(toNumberCell('-0.0625', '-01:30:00'))).toBe('-01:30:00')
  })

  it('has titles above, and headers of two lines', async () => {
    const rows: Cell[][] = [
      ['Sales of the year'],
      ['', '2025', '', '2026', ''],
      ['Region', 'Q1', 'Q2', 'Q1', 'Q2'],
      ['North', 1, 2, 3, 4],
    ]
    expect(await sheet(rows)).toMatchObject([
      {
        range: 'A2:E4',
        columns: [
          'region text',
          'n_2025_q1 number',
          'n_2025_q2 number',
          'n_2026_q1 number',
          'n_2026_q2 number',
        ],
      },
    ])
  })

  it('has years as titles', async () => {
    expect(
      await sheet([
        ['Region', 2025, 2026],
        ['North', 10, 20],
      ]),
    ).toMatchObject([{ rows: 1, columns: ['region text', 'n_2025 number', 'n_2026 number'] }])
  })

  it('has numbers as titles, beside texts above values', async () => {
    const text = 'date,count,1.38,2.40\n30/01/2022,589,0,4\n29/01/2022,582,0,8\n'
    expect((await describeFile('a.csv', text))[0]?.columns).toEqual([
      'date date',
      'count number',
      'n_1_38 number',
      'n_2_40 number',
    ])
    expect(await describeFile('a.csv', 'Ann,unknown,1.5\nBen,3,2.5\n')).toMatchObject([{ rows: 2 }])
    expect(await describeFile('a.csv', 'n/a,-,1.5\n4,3,2.5\n')).toMatchObject([{ rows: 2 }])
  })

  it('has numbers that count on as titles', async () => {
    expect(
      await sheet([
        ['Region', 1, 2, 3],
        ['North', 10, 20, 30],
      ]),
    ).toMatchObject([{ rows: 1, columns: ['region text', 'n_1 number', 'n_2 number', 'n_3 number'] }])
  })

  it('says which rows are totals of others', async () => {
    const rows: Cell[][] = [
      ['Region', 'City', 'Amount'],
      ['North', 'A', 1],
      ['North', 'B', 2],
      ['North Total', '', 3],
      ['South', 'C', 4],
      ['Subtotal', '', 4],
      ['South', 'Total Wine', 9],
    ]
    const [table] = (await readTables('a.xlsx', xlsx({ A: rows })))?.info ?? []
    expect(table).toMatchObject({
      rows: 4,
      leftOut: '2 rows such as “North Total”, which sum up others (a statement that names is_total has them)',
    })
  })

  it('counts each total once, and says one thing of a last row that is called a total', async () => {
    const rows: Cell[][] = [
      ['North', 'A', 10],
      ['South', 'B', 20],
      ['East', 'C', 30],
    ]
    const describe = async (...all: Cell[][]) =>
      (await readTables('a.xlsx', xlsx({ A: [['Region', 'City', 'Amount'], ...all] })))?.info[0]
    expect(await describe(['Total', '', 60], ...rows)).toMatchObject({
      rows: 3,
      leftOut: expect.stringContaining('row 2, which sums up others: “Total”') as string,
    })
    expect(await describe(...rows, ['Total', '', 61])).toMatchObject({
      rows: 4,
      note: 'row 5 is called “Total”, and is not the sum of others',
    })
  })

  it.each<[string, Cell[][], number, number]>([
    [
      'subtotals of one column of names, and their sum',
      [
        ['North', 1],
        ['East', 2],
        ['Region A total', 3],
        ['South', 4],
        ['West', 5],
        ['Region B total', 9],
        ['Grand total', 12],
      ],
      4,
      12,
    ],
    [
      'totals above their rows',
      [
        ['Total', 12],
        ['Total A', 3],
        ['North', 1],
        ['East', 2],
        ['Total B', 9],
        ['South', 4],
        ['West', 5],
      ],
      4,
      12,
    ],
    [
      'accounts below which others are, and their result',
      [
        ['4000', 1000],
        ['4010', 500],
        ['40', 1500],
        ['5000', -300],
        ['5010', -700],
        ['50', -1000],
        ['', 500],
      ],
      4,
      500,
    ],
    [
      'accounts above others',
      [
        ['40', 1500],
        ['4000', 1000],
        ['4010', 500],
        ['50', -1000],
        ['5000', -300],
        ['5010', -700],
      ],
      4,
      500,
    ],
    [
      'nothing that only looks like it',
      [
        ['Total Wine', 6],
        ['1', 3],
        ['10', 1],
        ['11', 1],
        ['Totals', 12],
      ],
      5,
      23,
    ],
  ])('tells rows that sum up others: %s', async (_, rows, plain, sum) => {
    const bytes = xlsx({ A: [['Name', 'Amount'], ...rows] })
    const query = (sql: string) => queryFile('a.xlsx', bytes, sql)
    expect(await query('SELECT count(*), sum(amount) FROM t1')).toMatchObject({ rows: [[plain, sum]] })
    const marked = 'SELECT count(*) FILTER (WHERE is_total), count(*) FROM t1'
    const all = await query(rows.length > plain ? marked : 'SELECT 0, count(*) FROM t1')
    expect(all).toMatchObject({ rows: [[rows.length - plain, rows.length]] })
  })

  it('is where the workbook says: a table object with its totals, a name, a filter', async () => {
    const rows: Cell[][] = [
      ['Club budget'],
      [],
      ['Item', 'Qty'],
      ['Mugs', 10],
      ['Plates', 5],
      ['Total', 99],
      ['Weight', '12.5 kg'],
      ['Zip', '0150'],
    ]
    const parts = unzipSync(xlsx({ A: rows, B: rows, C: rows }))
    const change = (path: string, from: string, to: string) => {
      parts[path] = strToU8(new TextDecoder().decode(parts[path]).replace(from, to))
    }
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/table'
    parts['xl/worksheets/_rels/sheet1.xml.rels'] = strToU8(
      `<Relationships><Relationship Id="t" Type="${type}" Target="../tables/table1.xml"/></Relationships>`,
    )
    parts['xl/tables/table1.xml'] = strToU8('<table ref="A3:B6" totalsRowCount="1"/>')
    change(
      'xl/workbook.xml',
      '</sheets>',
      '</sheets><definedNames><definedName name="Items">B!$A$3:$B$5</definedName></definedNames>',
    )
    change('xl/worksheets/sheet3.xml', '</sheetData>', '</sheetData><autoFilter ref="A3:B5"/>')
    expect(await describeFile('a.xlsx', zipSync(parts))).toMatchObject([
      { range: 'A3:B6', rows: 2, columns: ['item text', 'qty number', 'is_total boolean'] },
      { range: 'A3:B5', rows: 2, columns: ['item text', 'qty number'] },
      { range: 'A3:B5', rows: 2 },
    ])
  })

  it('has a header before an empty row, and below lines of another width', async () => {
    expect(await sheet([['Item', 'Site', 'Net'], [], ['I1', '', 1.5], ['I2', '', 3]])).toMatchObject([
      { range: 'A1:C4', rows: 2, columns: ['item text', 'site text', 'net number'] },
    ])
    const datev = '"EXTF";700;21;"Stapel";9\nUmsatz;Kennzeichen\n1234,56;S\n99,9;H\n'
    expect(await describeFile('a.csv', datev)).toMatchObject([
      { range: 'A2:B4', rows: 2, columns: ['umsatz number', 'kennzeichen text'] },
    ])
    const plates = ['Plate,1,\n,1,2,3\nA,0.1,0.2,0.3\nB,0.4,0.5,0.6\n', 'Plate,2,\n,1,2,3\nA,1,2,3\n']
    expect(await describeFile('a.csv', plates.join(',,,\n'))).toMatchObject([
      { range: 'A2:D4', rows: 2 },
      { range: 'A7:D8', rows: 1 },
    ])
  })

  it('has units below its titles, of several parts too', async () => {
    const rows: Cell[][] = [
      ['Time', 'Speed', 'Flow'],
      ['s', 'm/s', 'kg/m³'],
      [0, 1.5, 3],
    ]
    expect(await sheet(rows)).toMatchObject([
      { rows: 1, columns: ['time_s number', 'speed_m_s number', 'flow_kg_m3 number'] },
    ])
    expect(await describeFile('a.csv', 'Part,Length\n,mm\nBoard,20\n')).toMatchObject([
      { rows: 1, columns: ['part text', 'length_mm number'] },
    ])
  })

  it('says that its first row is the sum of the others, and which of the last ones are averages', async () => {
    const rows: Cell[][] = [
      ['North', 10],
      ['South', 20],
      ['East', 30],
    ]
    const describe = async (...all: Cell[][]) =>
      (await readTables('a.xlsx', xlsx({ A: [['Region', 'Amount'], ...all] })))?.info[0]
    const leftOut = (which: string) => ({ rows: 3, leftOut: expect.stringContaining(which) as string })
    expect(await describe(['Total', 60], ...rows)).toMatchObject(
      leftOut('row 2, which sums up others: “Total”'),
    )
    expect(await describe(['Total', 61], ...rows)).toMatchObject({
      rows: 4,
      note: 'row 2 is called “Total”, and is not the sum of others',
    })
    expect(await describe(...rows, ['Average', 20])).toMatchObject(
      leftOut('row 5, which sums up others: “Average”'),
    )
    expect(await describe(...rows, ['Total', 60], ['Mean', 20])).toMatchObject(
      leftOut('2 rows such as “Total”'),
    )
  })

  it('names all rows of a merged cell, and counts its number once', async () => {
    const parts = unzipSync(
      xlsx({
        A: [
          ['Species', 'N', 'Sum'],
          ['virginica', 1, 3],
          ['', 2, ''],
          ['setosa', 4, 4],
        ],
      }),
    )
    const path = Object.keys(parts).find((name) => name.includes('worksheets/')) ?? ''
    const merged = ['A2:A3', 'C2:C3', 'A4:A1048576', 'B:B'].map((ref) => `<mergeCell ref="${ref}"/>`)
    parts[path] = strToU8(
      new TextDecoder()
        .decode(parts[path])
        .replace('</sheetData>', `</sheetData><mergeCells>${merged.join('')}</mergeCells>`),
    )
    expect(await describeFile('a.xlsx', zipSync(parts))).toMatchObject([
      {
        sample: [
          ['virginica', 1, 3],
          ['virginica', 2, null],
          ['setosa', 4, 4],
        ],
      },
    ])
  })

  it('has the column of names that an empty column divides from the others', async () => {
    expect(
      await sheet([
        ['PROGRESS'],
        [],
        ['Task', '', 'Owner', 'Days', '', 'Remark'],
        ['Design', '', 'Ana', 3, '', 'late'],
        ['Build', '', 'Bo', 4, '', 'open'],
      ]),
    ).toMatchObject([
      {
        range: 'A3:F5',
        columns: ['task text', 'column_b text', 'owner text', 'days number', 'column_e text', 'remark text'],
        sample: [
          ['Design', null, 'Ana', 3, null, 'late'],
          ['Build', null, 'Bo', 4, null, 'open'],
        ],
      },
    ])
    // a list of another length is none of its columns
    expect(
      await sheet([
        ['Task', '', 'Owner', 'Days'],
        ['Design', '', 'Ana', 3],
        ['', '', 'Bo', 4],
      ]),
    ).toMatchObject([{ range: 'C1:D3' }])
  })

  it('has several tables on one sheet, below and beside each other, named by their ranges', async () => {
    const rows: Cell[][] = [
      ['Region', 'Amount', '', 'Name', 'Age'],
      ['North', 1, '', 'Ann', 30],
      ['South', 2, '', 'Ben', 40],
      ['West', 5],
      [],
      ['City', 'People'],
      ['Rome', 3],
    ]
    const { info = [] } = (await readTables('a.xlsx', xlsx({ 'My sheet': rows }))) ?? {}
    expect(info.map(({ name, rows: count }) => [name, count])).toEqual([
      ['my_sheet_a1_b4', 3],
      ['my_sheet_d1_e3', 2],
      ['my_sheet_a6_b7', 1],
    ])
  })

  it('goes on behind an empty row', async () => {
    const rows: Cell[][] = [['Region', 'Amount'], ['North', 1], [], ['South', 2]]
    expect(await sheet(rows)).toMatchObject([{ range: 'A1:B4', rows: 2 }])
  })

  it('ends where more than two rows are empty', async () => {
    const [head, row] = [
      ['Region', 'Amount'],
      ['North', 1],
    ]
    expect(await sheet([head, row, [], [], ['South', 2]])).toMatchObject([{ range: 'A1:B5' }])
    expect(await sheet([head, row, [], [], [], ['South', 2]])).toMatchObject([
      { range: 'A1:B2' },
      { range: 'A6:B6', columns: ['column_a text', 'column_b number'] },
    ])
  })

  it('gives columns names that SQL takes', async () => {
    const titles = [
      'Order',
      'Total',
      'TOTAL',
      '2026',
      'Umsatz (€)',
      '',
      'a"b\'; DROP TABLE t1; --',
      'rowid',
      '売上',
    ]
    const [table] = await sheet([titles, titles.map((_, index) => index + 0.5)])
    expect(table?.columns.map((column) => column.split(' ')[0])).toEqual([
      'order_',
      'total',
      'total_2',
      'n_2026',
      'umsatz_eur',
      'column_f',
      'a_b_drop_table_t1',
      'rowid',
      '売上',
    ])
  })

  it('has no value where a formula was never calculated, and none for an error', async () => {
    const parts = unzipSync(
      xlsx({
        A: [
          ['Region', 'Amount'],
          ['North', 1],
          ['South', 2],
        ],
      }),
    )
    const path = Object.keys(parts).find((name) => name.includes('worksheets/')) ?? ''
    const xml = new TextDecoder().decode(parts[path])
    parts[path] = strToU8(
      xml.replace(
        '</sheetData>',
        '<row r="4"><c r="A4" t="str"><v>East</v></c><c r="B4"><f>SUM(B2:B3)</f></c></row><row r="5"><c r="A5" t="str"><v>West</v></c><c r="B5" t="e"><v>#N/A</v></c></row></sheetData>',
      ),
    )
    const [table] = (await readTables('a.xlsx', zipSync(parts)))?.info ?? []
    expect(table).toMatchObject({ rows: 4, columns: [{ empty: 0 }, { type: 'number', empty: 2 }] })
  })

  it('has no table without rows', async () => {
    expect(await sheet([['Only a title']])).toEqual([])
    expect(await sheet([['A note'], ['of two lines']])).toEqual([])
    expect(await describeFile('a.xlsx', xlsx({ A: [] }))).toEqual([])
  })

  it('keeps the first columns of 16,384, and a cell of 32,767 characters whole', async () => {
    const titles = Array.from({ length: 2_000 }, (_, index) => `c${index}`)
    const wide = (await readTables('a.csv', `${titles.join(',')}\n${titles.map(() => 1.5).join(',')}\n`))
      ?.info
    expect(wide?.[0]).toMatchObject({ columnCount: 900, note: 'the first 900 of 2000 columns' })
    expect(JSON.stringify(wide).length).toBeLessThan(2 * maxInfoCharacters)
    const [long] = await sheet([
      ['a', 'b'],
      ['x'.repeat(32_767), '=cmd|calc!A1'],
    ])
    expect(long?.sample[0]).toEqual([`${'x'.repeat(40)}…`, '=cmd|calc!A1'])
  })
})

const ods = (content: string) =>
  zipSync({
    mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'),
    'content.xml': strToU8(content),
  })

it('an OpenDocument sheet names all rows of a merged cell', async () => {
  const cell = (text: string, attributes = '') =>
    `<table:table-cell office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`
  const rows = [
    [cell('Region'), cell('City')],
    [cell('North', 'table:number-columns-spanned="1" table:number-rows-spanned="2"'), cell('Oslo')],
    ['<table:covered-table-cell/>', cell('Bergen')],
    [cell('South'), cell('Rome')],
  ]
  const content = `<office:document-content><office:body><office:spreadsheet><table:table table:name="A">${rows.map((cells) => `<table:table-row>${cells.join('')}</table:table-row>`).join('')}</table:table></office:spreadsheet></office:body></office:document-content>`
  const [table] = await describeFile('a.ods', ods(content))
  expect(table?.sample.map(([region]) => region)).toEqual(['North', 'North', 'South'])
})

it('an OpenDocument sheet has durations of days, and below zero', async () => {
  const cell = (value: string) =>
    `<table:table-row><table:table-cell office:value-type="time" office:time-value="${value}"/><table:table-cell office:value-type="float" office:value="1"/></table:table-row>`
  const title = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
  const content = `<office:document-content><office:body><office:spreadsheet><table:table table:name="A"><table:table-row>${title('Time')}${title('N')}</table:table-row>${['PT02H15M00S', '-PT01H30M00S', 'P1DT2H'].map(cell).join('')}</table:table></office:spreadsheet></office:body></office:document-content>`
  const [table] = await describeFile('a.ods', ods(content))
  expect(table?.sample.map(([time]) => time)).toEqual([2.25, -1.5, 26])
})

it('an OpenDocument sheet has durations whose style counts hours without end', async () => {
  const cell = (style: string) =>
    `<table:table-cell ${style} office:value-type="time" office:time-value="PT07H30M00S"><text:p>7:30</text:p></table:table-cell>`
  const title = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
  const styles =
    '<number:time-style style:name="N1" number:truncate-on-overflow="false"/><number:time-style style:name="N2"/>' +
    '<style:style style:name="ce1" style:data-style-name="N1"/><style:style style:name="ce2" style:data-style-name="N2"/><style:style style:name="ce3" style:parent-style-name="ce1"/>'
  const columns = '<table:table-column table:default-cell-style-name="ce1"/><table:table-column/>'
  const row = ['', 'table:style-name="ce2"', 'table:style-name="ce3"'].map(cell).join('')
  const content = `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="A">${columns}<table:table-row>${['Worked', 'From', 'Paid'].map(title).join('')}</table:table-row><table:table-row>${row}</table:table-row><table:table-row>${row}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`
  const [table] = await describeFile('a.ods', ods(content))
  expect(table?.sample).toEqual([1, 2].map(() => [7.5, '07:30:00', 7.5]))
})

it('an OpenDocument sheet has its values, also of repeated rows and cells', async () => {
  const cell = (type: string, value: string, shown: string, repeat = 1) =>
    `<table:table-cell office:value-type="${type}" office:${value} table:number-columns-repeated="${repeat}"><text:p>${shown}</text:p></table:table-cell>`
  const title = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
  const content = `<office:document-content><office:body><office:spreadsheet><table:table table:name="Umsatz"><table:table-row>${['Tag', 'Betrag', 'Rabatt', 'Dauer', 'Bar'].map(title).join('')}</table:table-row><table:table-row table:number-rows-repeated="1500">${cell('date', 'date-value="2026-03-31"', '31.03.26')}${cell('currency', 'currency="EUR" office:value="1234.5"', '1.234,50 €')}${cell('percentage', 'value="0.125"', '12,5 %')}${cell('time', 'time-value="PT26H30M00S"', '26:30')}${cell('boolean', 'boolean-value="true"', 'WAHR')}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`
  expect(await describeFile('a.ods', ods(content))).toEqual([
    {
      range: 'A1:E1501',
      rows: 1_500,
      columns: ['tag date', 'betrag number', 'rabatt number', 'dauer number', 'bar boolean'],
      sample: [1, 2, 3].map(() => ['2026-03-31', 1_234.5, 0.125, 26.5, 1]),
    },
  ])
})

it.each<[what: string, raw: string, shown: string, cell: unknown]>([
  [
    'a time of a day that is far behind 1900',
    '46112.5',
    '12:00 (2026-03-31 12:00:00)',
    '2026-03-31 12:00:00',
  ],
  ['midnight', '46112', '12:00 AM (2026-03-31)', '2026-03-31'],
  ['days that passed', '2.5', '2 days 12:00 (60:00:00)', { value: 60, unit: 'clock' }],
  // a unit that divides: the number is not so many of it
  ['thousands', '12345', '12.3k', 12_345],
  ['millions', '12345678', '12.3M', 12_345_678],
  ['a currency', '1234.5', '1.234,50 €', { value: 1234.5, unit: '€' }],
  ['a currency without decimals', '-1234.5', '-$1,235', { value: -1234.5, unit: '$' }],
  ['a weight', '5', '5 kg', { value: 5, unit: 'kg' }],
])('a number of a cell is calculated with by what it means: %s', (_, raw, shown, cell) => {
  expect(toNumberCell(raw, shown)).toEqual(cell)
})

it.each([
  ['[h]:mm', [7.5, 8.25]],
  ['[mm]:ss', [7.5, 8.25]],
  ['[s]', [7.5, 8.25]],
  ['h:mm', ['07:30:00', '08:15:00']],
])('a time in the format %s is a duration or a time of a day', async (code, values) => {
  const parts = unzipSync(
    xlsx({
      A: [
        ['Day', 'Worked'],
        ['Mon', { date: 7.5 / 24 }],
        ['Tue', { date: 8.25 / 24 }],
      ],
    }),
  )
  const path = Object.keys(parts).find((name) => name.endsWith('styles.xml')) ?? ''
  const xml = new TextDecoder().decode(parts[path])
  const format = `<numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts>`
  parts[path] = strToU8(xml.replace('<cellXfs>', `${format}<cellXfs>`).replace('"14"', '"200"'))
  const [table] = (await readTables('a.xlsx', zipSync(parts)))?.info ?? []
  expect(table?.sample.map(([, value]) => value)).toEqual(values)
})

it.each<[title: string, cells: string[], type: string, values: unknown[]]>([
  ['ID', ['1.1', '1.2', '1.10'], 'text', ['1.1', '1.2', '1.10']],
  ['Section', ['2.9', '2.10', '2.11'], 'text', ['2.9', '2.10', '2.11']],
  ['Nr.', ['1.10', '1.20', '1.30'], 'number', [1.1, 1.2, 1.3]],
  ['Price', ['1.1', '1.2', '1.10'], 'number', [1.1, 1.2, 1.1]],
])(
  'a column of %s keeps 1.10 apart from 1.1 where it names sections: %j',
  async (title, cells, type, values) => {
    expect(await typeOf(cells, { title, separator: ',' })).toMatchObject({ type, values })
  },
)

it('has the text of a cell of OpenDocument that only its attribute has, and no character that ends a text', async () => {
  const cells = (...texts: string[]) =>
    `<table:table-row>${texts.map((text) => `<table:table-cell office:value-type="string" office:string-value="${text}"/>`).join('')}</table:table-row>`
  const flat = `<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="N">${cells('name', 'city')}${cells('Ann', 'Rome')}${cells('Bo', 'Oslo')}</table:table></office:spreadsheet></office:body></office:document>`
  expect(await describeFile('a.fods', flat)).toMatchObject([
    {
      sample: [
        ['Ann', 'Rome'],
        ['Bo', 'Oslo'],
      ],
    },
  ])
  expect(await describeFile('a.csv', 'id,name\n1,a\0b\n2,c\n3,d\0\n')).toMatchObject([
    {
      sample: [
        [1, 'ab'],
        [2, 'c'],
        [3, 'd'],
      ],
    },
  ])
})
