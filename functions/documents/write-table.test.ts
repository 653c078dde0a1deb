import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCell, formatRow, formatTable, placeCells } from './write-table.ts'

describe('tables for the model', () => {
  it('keep their empty cells, so that values stay under their headers', () => {
    expect(
      formatTable([
        ['Name', 'Phone', 'E-mail', 'City'],
        ['Ann', '', 'ann@example.org', 'Oslo'],
        ['', '', '', ''],
        ['Bo'],
        [],
      ]),
    ).toBe('Name\tPhone\tE-mail\tCity\nAnn\t\tann@example.org\tOslo\n\t\t\t\nBo\t\t\t\n\t\t\t\n')
  })

  it.each([
    ['Harbour Street 7\r\n0150 Oslo', 'Harbour Street 7<br>0150 Oslo'],
    ['a\n\n\nb\u2028c\vd', 'a<br>b<br>c<br>d'],
    ['a\tb', 'a b'],
    [' \n a ', 'a'],
    ['a | b', 'a | b'],
  ])('write %j in one line', (text, line) => {
    expect(formatCell(text)).toBe(line)
  })

  it('show a merged cell once, in the first of its places', () => {
    expect(
      placeCells([
        [{ text: 'Region', rows: 2 }, { text: 'Sales', columns: 2 }, { text: 'Note' }],
        [{ text: 'Q1' }, { text: 'Q2' }, { text: 'n' }],
        [{ text: 'North' }, { text: '1' }, { text: '2', rows: 2 }],
        [{ text: 'South' }, { text: '3' }],
      ]),
    ).toEqual([
      ['Region', 'Sales', '', 'Note'],
      ['', 'Q1', 'Q2', 'n'],
      ['North', '1', '2'],
      ['South', '3', ''],
    ])
  })

  it('have rows of a certain width, at least', () => {
    expect([
      formatRow(['a'], 3),
      formatRow([], 3),
      formatRow(['a', 'b'], 1),
      formatRow([]),
      formatRow([], 1),
    ]).toEqual(['a\t\t', '\t\t', 'a\tb', '', ''])
  })

  it('have merged cells at their ends, and cells that cover nothing', () => {
    expect(
      placeCells([
        [{ text: 'a', columns: 2, rows: 3 }, { text: 'b' }],
        [{ text: 'c' }],
        [],
        [{ text: 'd', columns: 0, rows: 0 }, { text: 'e' }],
      ]),
    ).toEqual([
      ['a', '', 'b'],
      ['', '', 'c'],
      ['', ''],
      ['d', 'e'],
    ])
  })

  it('do not grow with what a document claims', () => {
    const rows = placeCells([[{ text: 'a', columns: 1e9, rows: 1e9 }], [{ text: 'b' }]])
    expect(rows[0]).toHaveLength(1_000)
    const wide = [Array.from({ length: 1_000 }, () => 'x'), ...Array.from({ length: 10_000 }, () => ['y'])]
    expect(formatTable(wide).length).toBeLessThan(200_000)
  })

  it('have as many cells as they are made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (cells) => {
        const row = formatRow(cells)
        expect(row).not.toMatch(/[\r\n]/)
        expect(row.split('\t')).toEqual(cells.map(formatCell))
      }),
    )
  })
})
