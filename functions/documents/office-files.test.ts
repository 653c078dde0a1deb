import { readFile } from 'node:fs/promises'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { xlsx } from '../../test/support/documents.ts'
import { divideRuns, fc } from '../../test/support/fuzz.ts'
import type { ExtractedText } from './extracted-text.ts'
import { readOpenDocument } from './read-open-document.ts'
import { readSlides } from './read-slides.ts'
import { readWord } from './read-word.ts'
import { readWorkbook } from './read-workbook.ts'
import { formatCell } from './write-table.ts'

// Files that other programs wrote: see test/fixtures/office/make.py.

const load = (name: string) => readFile(new URL(`../../test/fixtures/office/${name}`, import.meta.url))

async function readFixture(name: string): Promise<ExtractedText> {
  const bytes = new Uint8Array(await load(name))
  if (name.endsWith('.docx')) return readWord(bytes)
  if (name.endsWith('.pptx')) return readSlides(bytes)
  return name.endsWith('.xlsx') ? readWorkbook(bytes) : readOpenDocument(bytes)
}

const readTable = async () => JSON.parse((await load('table.json')).toString()) as string[][]

describe('a table with empty cells, lines, tabs and zeros in front', () => {
  it.each([
    'table-openpyxl.xlsx',
    'table-xlsxwriter.xlsx',
    'table-libreoffice.xlsx',
    'table-libreoffice.ods',
    'table-python-docx.docx',
    'table-libreoffice.odt',
    'table-python-pptx.pptx',
  ])('is read cell by cell from %s', async (name) => {
    // openpyxl writes this text as it is, which means a carriage return
    const isEscape = /^table-(?:openpyxl|libreoffice\.(?:xlsx|ods))/.test(name)
    const { text, omitted } = await readFixture(name)
    const rows = text
      .split('\n')
      .filter((line) => line !== '' && !/^(?:Sheet: |Slide 1$)/.test(line))
      .map((line) => line.split('\t'))
    const expected = (await readTable()).map((row) =>
      row.map((cell) => (isEscape && cell === '_x000D_' ? '' : formatCell(cell))),
    )
    expect(rows).toEqual(expected)
    expect(omitted ?? []).toEqual([])
  })
})

const values = (formula: string, comment = ' by Ann', other = ' by Bo') => [
  'Sheet: Values',
  'leading zeros\t0150',
  `percent\t17.5% [comment${comment}: Ask the bank again]`,
  'currency\t1,250.50 EUR',
  'german currency\t1,250.50 €\t\tafter a gap',
  'negative\t(3.50)\t\t',
  'sum\t0.3\t\t',
  'long number\t4012888888881881\t\t',
  'date\t2026-03-31\t\t',
  'date and time\t2026-03-31 18:30:00\t\t',
  'month only\t2026-03-31\t\t',
  'time\t18:05\t\t',
  'duration\t30:00\t\t',
  'chinese date\t2026-03-31\t\t',
  'japanese era\t2026-03-31\t\t',
  'boolean\tTRUE\t\t',
  'error\t#DIV/0!\t\t',
  `formula\t${formula}\t\t`,
  'hidden by its format\t5\t\t',
  '',
  'merged\t\t\t',
  '',
  `\t\t\t\t\tfar below\t\t[comment${other}: no value here]`,
]
const secret = ['', 'Sheet: Secret (hidden)', 'not shown', '']

const contract = (equation: string) => [
  'Contract',
  'Ann Example\nHarbour Street 7\n0150 Oslo',
  '10^3 units of H_2O, ~~void~~',
  '1. First\n2. Second\n- Point',
  'Name\tPrivate phone\tWork phone\nAnn\t\t555-0100\nBo\t555-0200\t',
  'Merged:',
  'wide\t\t\n\t\ttall\nx<br>y\t\t',
  'Price [inserted by Ann: 120][deleted by Bo: 100]',
  equation,
  'Commented [comment by Ann: Ask the bank]',
  'Page one ends.',
]

describe('files of other programs', () => {
  it.each<[name: string, text: string, omitted: object[]]>([
    [
      'values-openpyxl.xlsx',
      [...values('=B2*2'), 'Links: D4 https://example.org/4', ...secret].join('\n'),
      [],
    ],
    [
      'values-libreoffice.xlsx',
      [
        ...values('0.35', '', '')
          .slice(0, -1)
          // it keeps fifteen digits
          .map((line) => line.replace('888881881', '888881880')),
        '\t\t\t\t\tfar below',
        'H30: [comment: no value here]',
        'Formulas: B15 =TRUE(); B16 =#DIV/0!; B17 =B2*2',
        'Links: D4 https://example.org/4',
        ...secret,
      ].join('\n'),
      [],
    ],
    [
      'values-libreoffice.ods',
      [...values('0.35', '', ''), ...secret].join('\n').replace('gap', 'gap (https://example.org/4)'),
      [],
    ],
    ['1904-openpyxl.xlsx', 'Sheet: Sheet\n2026-03-31\t30:00\n', []],
    [
      'report-xlsxwriter.xlsx',
      [
        'Sheet: Report',
        'Month\tSales\tDouble',
        'Jan\t10\t20',
        'Feb\t20\t40',
        // the file asks for a calculation, so its 0 is no result
        '\t\t=SUM(C2:C3)',
        '',
        'Rich text\t\t',
        '',
        'A merged title\t\t',
        'Text box: A text box',
        'On each page: Confidential report Page [page] of [pages]',
        'Formulas: C2 =B2*2; C3 =B3*2',
        '[chart]',
        '\t10',
        '\t20',
        '',
        'Sheet: Chart',
        '[chart]',
        '\t10',
        '\t20',
        '',
      ].join('\n'),
      [{ what: 'pictures', count: 1 }],
    ],
    [
      'report-python-docx.docx',
      [
        'Page header: ACME Ltd, Oslo',
        ...contract('Equation x=(-b±√(b^2-4ac))/(2a)'),
        '[page break]',
        'Page two begins.',
        'Page footer: Confidential draft',
      ].join('\n\n'),
      [{ what: 'pictures', count: 1 }],
    ],
    [
      'report-libreoffice.docx',
      [
        'Page header: ACME Ltd, Oslo',
        ...contract('Equation'),
        '[page break]',
        'Page two begins.',
        'Page footer: Confidential draft',
      ].join('\n\n'),
      [{ what: 'pictures', count: 1 }],
    ],
    [
      'report-libreoffice.odt',
      [
        ...contract('Equation'),
        'Page two begins.',
        'Page header: ACME Ltd, Oslo',
        'Page footer: Confidential draft',
      ].join('\n\n'),
      [{ what: 'pictures', count: 1 }],
    ],
    [
      'report-python-pptx.pptx',
      'Slide 1\nPlan\nIn a group\n[chart]\n\tSales\na\t1\nb\t2\nOne\n  Two\n\nSlide 2\nContacts\nName\tPrivate phone\tWork phone\nAnn\t\t555-0100\nBo\t555-0200\t\nSpeaker notes: Say hello\nand smile\n\nSlide 3 (hidden)\nNot in the show',
      [{ what: 'pictures', count: 1 }],
    ],
    [
      'report-libreoffice.odp',
      'Slide 1\nPlan\nIn a group\n[chart: Sales]\n\tSales\na\t1\nb\t2\n- One\n  - Two\n\nSlide 2\nContacts\nName\tPrivate phone\tWork phone\nAnn\t\t555-0100\nBo\t555-0200\t\nSpeaker notes: Say hello\nand smile\n\nSlide 3 (hidden)\nNot in the show',
      [{ what: 'pictures', count: 1 }],
    ],
  ])('%s is read, and what is left out is counted', async (name, text, omitted) => {
    const found = await readFixture(name)
    expect(found.text).toBe(text)
    expect(found.length).toBe(text.length)
    expect(found.omitted ?? []).toEqual(omitted)
  })
})

describe('parts are found by relationship, whatever they are called', () => {
  type Rename = (path: string, content: string) => [path: string, content: string]
  const replaceAll =
    (from: string, to: string): Rename =>
    (path, content) => [path.replaceAll(from, to), content.replaceAll(from, to)]

  it.each<[what: string, rename: Rename]>([
    ['xl/workbook22.xml', replaceAll('workbook.xml', 'workbook22.xml')],
    [
      'SharedStrings.xml in other letters than its target',
      (path, content) => [path.replace('sharedStrings', 'SharedStrings'), content],
    ],
    ['another folder', replaceAll('xl/', 'book/')],
    ['backslashes', (path, content) => [path.replaceAll('/', '\\'), content]],
    [
      'a slash before targets',
      (path, content) => [path, content.replaceAll('Target="worksheets/', 'Target="/xl/worksheets/')],
    ],
    [
      'prefixes',
      (path, content) => [
        path,
        /sheet1|workbook\.xml$|sharedStrings/.test(path)
          ? content
              .replaceAll(/<(\/?)([a-z])/gi, '<$1x:$2')
              .replaceAll('xmlns=', 'xmlns:x=')
              .replaceAll('r:id', 'rel:id')
              .replaceAll('xmlns:r=', 'xmlns:rel=')
          : content,
      ],
    ],
    [
      'the strict format',
      (path, content) => [
        path,
        content.replaceAll(
          'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
          'http://purl.oclc.org/ooxml/officeDocument/relationships',
        ),
      ],
    ],
  ])('%s', async (_, rename) => {
    const original = new Uint8Array(await load('table-xlsxwriter.xlsx'))
    const parts = Object.entries(unzipSync(original)).map(([path, part]) => {
      const [newPath, content] = rename(path, strFromU8(part))
      return [newPath, strToU8(content)] as const
    })
    expect(readWorkbook(zipSync(Object.fromEntries(parts)))).toEqual(readWorkbook(original))
  })
})

it('a workbook of any cells reads back cell by cell', () => {
  const cell = fc.oneof(
    fc.constant(''),
    fc.string({ maxLength: 8 }).filter((text) => /^[^\p{Cc}\p{Cs}]*$/u.test(text) && !text.includes('_x')),
    fc.boolean(),
    fc.integer(),
  )
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(rows, (table) => {
      const header = ['a', 'b', 'c', 'd', 'e', 'f']
      const { text } = readWorkbook(xlsx({ Sheet: [header, ...table] }))
      const found = text
        .split('\n')
        .slice(2)
        .filter((line) => line !== '')
      const expected = table
        .map((row) =>
          header.map((_, index) =>
            formatCell(
              String(row[index] ?? '')
                .replace(/^true$/, 'TRUE')
                .replace(/^false$/, 'FALSE'),
            ),
          ),
        )
        .filter((row) => row.some((one) => one !== ''))
      expect(found.map((line) => line.split('\t'))).toEqual(expected)
    }),
    divideRuns(2),
  )
})
