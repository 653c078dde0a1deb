import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { readWorkbook } from './read-workbook.ts'

const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationships = (targets: Record<string, readonly [type: string, target: string]>) =>
  `<Relationships>${Object.entries(targets)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** A workbook of one sheet, as XML. @param parts replace the usual ones */
function workbook(sheetData: string, parts: Record<string, string> = {}, afterRows = ''): Uint8Array {
  const all: Record<string, string> = {
    '_rels/.rels': relationships({ a: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="s"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relationships({
      s: ['worksheet', 'worksheets/sheet1.xml'],
      t: ['styles', 'styles.xml'],
      u: ['sharedStrings', 'strings.xml'],
      v: ['vbaProject', 'vbaProject.bin'],
    }),
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/strings.xml':
      '<sst><si><t>plain</t></si><si><r><t>ri</t></r><r><t>ch</t></r><rPh><t>hint</t></rPh></si></sst>',
    'xl/worksheets/sheet1.xml': `<worksheet xmlns:r="r"><sheetData>${sheetData}</sheetData>${afterRows}</worksheet>`,
    ...parts,
  }
  return zipSync(Object.fromEntries(Object.entries(all).map(([path, xml]) => [path, strToU8(xml)])))
}

const readRows = (sheetData: string, parts?: Record<string, string>, afterRows?: string) =>
  readWorkbook(workbook(sheetData, parts, afterRows))
    .text.replace('Sheet: S\n', '')
    .split('\n')
    .slice(0, -1)

it.each<[what: string, sheetData: string, rows: string[]]>([
  [
    'shared and rich strings, without phonetic hints',
    '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>',
    ['plain\trich'],
  ],
  ['inline strings', '<row><c t="inlineStr"><is><r><t>a </t></r><r><t>b</t></r></is></c></row>', ['a b']],
  [
    'cells without a reference follow the one before',
    '<row><c r="B1"><v>1</v></c><c><v>2</v></c></row>',
    ['\t1\t2'],
  ],
  ['cells in another order', '<row r="1"><c r="C1"><v>3</v></c><c r="A1"><v>1</v></c></row>', ['1\t\t3']],
  ['lower-case references', '<row><c r="c1"><v>3</v></c></row>', ['\t\t3']],
  [
    'booleans and errors',
    '<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#N/A</v></c></row>',
    ['TRUE\tFALSE\t#N/A'],
  ],
  [
    'dates in ISO 8601',
    '<row><c t="d"><v>2026-03-31T00:00:00</v></c><c t="d"><v>2026-03-31T18:30:00</v></c></row>',
    ['2026-03-31\t2026-03-31 18:30:00'],
  ],
  [
    'escaped characters',
    '<row><c t="str"><v>a_x000D__x000A_b_x0007_ _x005F_x000D_</v></c></row>',
    ['a<br>b _x000D_'],
  ],
  [
    'blank rows as one line',
    '<row r="2"><c><v>1</v></c></row><row r="9"><c><v>2</v></c></row>',
    ['1', '', '2'],
  ],
  ['rows without numbers', '<row><c><v>1</v></c></row><row><c><v>2</v></c></row>', ['1', '2']],
  [
    'cells far to the right with their address',
    '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>',
    ['1\tXFD1: 2'],
  ],
  [
    'no cells beyond the last column',
    '<row r="1"><c r="A1"><v>1</v></c><c r="ZZZZZZZZZZ1"><v>2</v></c></row>',
    ['1\t2'],
  ],
  [
    'formulas without a value',
    '<row><c r="A1"><f>SUM(B1:C1)</f></c><c r="B1"><v>5</v></c></row>',
    ['=SUM(B1:C1)\t5'],
  ],
  [
    'formulas that were copied, as they are once',
    '<row r="1"><c r="A1"><f t="shared" ref="A1:A2" si="0">B1*2</f><v>4</v></c></row><row r="2"><c r="A2"><f t="shared" si="0"/><v>6</v></c></row><row r="3"><c r="A3"><f t="shared" si="0"/></c></row>',
    ['4', '6', '=B1*2 (as of A1)', 'Formulas: A1:A2 =B1*2'],
  ],
])('reads %s', (_, sheetData, rows) => {
  expect(readRows(sheetData)).toEqual(rows)
})

it('counts the macros, and formulas beyond those that are listed', () => {
  const rows = Array.from(
    { length: 60 },
    (_, row) => `<row><c r="A${row + 1}"><f>1+${row}</f><v>1</v></c></row>`,
  )
  expect(readWorkbook(workbook(rows.join(''))).omitted).toEqual([
    { what: 'macros', count: 1 },
    { what: 'formulas', count: 10 },
  ])
})

it('shows comments in their cells, with the names of newer ones and without their double', () => {
  const person = '<personList><person displayName="Ann" id="{1}"/></personList>'
  const rows = readRows('<row r="1"><c r="A1"><v>5</v></c></row>', {
    'xl/_rels/workbook.xml.rels': relationships({
      s: ['worksheet', 'worksheets/sheet1.xml'],
      p: ['person', 'persons/person.xml'],
    }),
    'xl/persons/person.xml': person,
    'xl/worksheets/_rels/sheet1.xml.rels': relationships({
      c: ['comments', '../comments1.xml'],
      d: ['threadedComment', '../threads.xml'],
    }),
    'xl/comments1.xml':
      '<comments><authors><author>tc={9}</author><author>Bo</author></authors><commentList><comment ref="A1" authorId="0"><text><t>Your version allows you to read this</t></text></comment><comment ref="C7" authorId="1"><text><r><t>Old </t></r><r><t>note</t></r></text></comment></commentList></comments>',
    'xl/threads.xml':
      '<ThreadedComments><threadedComment ref="A1" personId="{1}"><text>Why?</text></threadedComment><threadedComment ref="A1" personId="{2}"><text>Because</text></threadedComment></ThreadedComments>',
  })
  expect(rows).toEqual(['5 [comment by Ann: Why?] [comment: Because]', 'C7: [comment by Bo: Old note]'])
})

it('reads the other sheets if one is damaged, and says so', () => {
  const sheets =
    '<workbook xmlns:r="r"><sheets><sheet name="Bad" r:id="s"/><sheet name="Good" r:id="g"/><sheet name="Gone" r:id="h"/></sheets></workbook>'
  const found = readWorkbook(
    workbook('<row><c', {
      'xl/workbook.xml': sheets,
      'xl/_rels/workbook.xml.rels': relationships({
        s: ['worksheet', 'worksheets/sheet1.xml'],
        g: ['worksheet', 'worksheets/sheet2.xml'],
        h: ['worksheet', 'worksheets/sheet3.xml'],
      }),
      'xl/worksheets/sheet2.xml': '<worksheet><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>',
    }),
  )
  expect(found).toMatchObject({ text: 'Sheet: Good\n7\n', omitted: [{ what: 'parts', count: 2 }] })
})

it('does not grow with what cells claim', () => {
  const rows = Array.from(
    { length: 2_000 },
    (_, row) => `<row r="${row * 500 + 1}"><c r="GR${row * 500 + 1}"><v>1</v></c></row>`,
  )
  expect(readWorkbook(workbook(rows.join(''))).length).toBeLessThan(500_000)
})
