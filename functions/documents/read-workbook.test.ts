import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { readInNoTime } from '../../test/support/read-in-no-time.ts'
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
    'rows of which two have the same number',
    '<row r="1"><c><v>1</v></c></row><row r="1"><c><v>2</v></c></row><row r="3"><c><v>3</v></c></row>',
    ['1', '2', '3'],
  ],
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
    'a cell that names a column after the last one, as the next',
    '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="ZZZZ1"><v>3</v></c></row>',
    ['1\t2\t3'],
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
  [
    'numbers and texts of formulas',
    '<row><c t="n"><v>1.50</v></c><c t="str"><f>A1</f><v>x</v></c></row>',
    ['1.5\tx', 'Formulas:  =A1'],
  ],
  [
    'no strings that are not there',
    '<row><c t="s"><v>9</v></c><c t="s"><v>x</v></c><c t="s"/><c><v>1</v></c></row>',
    ['\t\t\t1'],
  ],
  [
    'dates by their style, and numbers of unknown styles',
    '<row><c s="1"><v>46112</v></c><c s="9"><v>46112</v></c></row>',
    ['2026-03-31\t46112'],
  ],
  [
    'booleans in words, or none',
    '<row><c t="b"><v>true</v></c><c t="b"/><c t="b"><v>false</v></c></row>',
    ['TRUE\t\tFALSE'],
  ],
  ['dates with zone and fraction', '<row><c t="d"><v>2026-03-31T00:00:00.000Z</v></c></row>', ['2026-03-31']],
  [
    'inline strings without hints',
    '<row><c t="inlineStr"><is><t>a</t><rPh><t>hint</t></rPh><r><t>b</t></r></is></c></row>',
    ['ab'],
  ],
  [
    'lines and tabs within a cell in one line',
    '<row><c t="str"><v>a\nb_x0009_c</v></c><c><v>1</v></c></row>',
    ['a<br>b c\t1'],
  ],
  ['no characters that are no text', '<row><c t="str"><v>a_xD800_b_x00e9__x12_</v></c></row>', ['abé_x12_']],
  [
    'a gap of 200 cells',
    '<row r="1"><c r="A1"><v>1</v></c><c r="GT1"><v>2</v></c></row>',
    [`1${'\t'.repeat(201)}2`],
  ],
  [
    'a wider gap by the address',
    '<row r="1"><c r="A1"><v>1</v></c><c r="GU1"><v>2</v></c></row>',
    ['1\tGU1: 2'],
  ],
  [
    'the last column, and none after it',
    '<row r="1"><c r="XFD1"><v>1</v></c><c r="XFE1"><v>2</v></c></row>',
    ['XFD1: 1\t2'],
  ],
  [
    'rows as wide as the widest before',
    '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>2</v></c></row><row r="2"><c r="A2"><v>3</v></c></row>',
    ['1\t\t2', '3\t\t'],
  ],
  [
    'rows that are padded to 50 cells at most',
    '<row r="1"><c r="BH1"><v>1</v></c></row><row r="2"><c r="A2"><v>3</v></c></row>',
    [`${'\t'.repeat(59)}1`, `3${'\t'.repeat(49)}`],
  ],
  [
    'rows whose numbers are wrong, in their order',
    '<row r="5"><c><v>1</v></c></row><row r="2"><c><v>2</v></c></row><row r="x"><c><v>3</v></c></row><row r="9"><c><v>4</v></c></row>',
    ['1', '2', '3', '', '4'],
  ],
  ['no blank line before the first row', '<row r="7"/><row r="8"><c><v>1</v></c></row>', ['1']],
  [
    'formulas by their cells',
    '<row r="3"><c r="B3"><f>A1+1</f><v>2</v></c><c r="C3"><f>A1+2</f><v>3</v></c></row>',
    ['\t2\t3', 'Formulas: B3 =A1+1; C3 =A1+2'],
  ],
  ['zeros that are results', '<row r="1"><c r="A1"><f>1-1</f><v>0</v></c></row>', ['0', 'Formulas: A1 =1-1']],
])('reads %s', (_, sheetData, rows) => {
  expect(readRows(sheetData)).toEqual(rows)
})

it.each([
  ['1', '=B1'],
  ['true', '=B1'],
  ['0', '0'],
])('takes a zero of a formula as a placeholder if the file asks for a calculation: %s', (value, shown) => {
  const rows = readRows('<row r="1"><c r="A1"><f>B1</f><v>0</v></c><c r="B1"><f>7</f><v>7</v></c></row>', {
    'xl/workbook.xml': `<workbook xmlns:r="r"><calcPr fullCalcOnLoad="${value}"/><sheets><sheet name="S" r:id="s"/></sheets></workbook>`,
  })
  expect(rows[0]).toBe(`${shown}\t7`)
})

it.each([
  ['1', '2030-04-01'],
  ['true', '2030-04-01'],
  ['false', '2026-03-31'],
])('counts days from 1904 if the workbook says so: %s', (value, shown) => {
  const workbookPart = `<workbook xmlns:r="r"><workbookPr date1904="${value}"/><sheets><sheet name="S" r:id="s"/></sheets></workbook>`
  expect(readRows('<row><c s="1"><v>46112</v></c></row>', { 'xl/workbook.xml': workbookPart })).toEqual([
    shown,
  ])
})

it('shows numbers in the formats of the workbook, and not in those of its named styles', () => {
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.0 &quot;kg&quot;"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="164"/></cellXfs><cellStyles><xf numFmtId="9"/></cellStyles></styleSheet>'
  const cells = [0, 1, 2, 3].map((style) => `<c s="${style}"><v>2</v></c>`).join('')
  expect(readRows(`<row>${cells}</row>`, { 'xl/styles.xml': styles })).toEqual(['2\t2.0 kg\t2.0 kg\t2'])
})

it.each<[written: string, shown: string[]]>([
  ['&amp;LACME Ltd&amp;RPage &amp;P of &amp;N', ['On each page: ACME Ltd Page [page] of [pages]']],
  ['&amp;C&amp;"Arial,Bold"&amp;12&amp;BBold&amp;I &amp;Utext', ['On each page: Bold text']],
  ['&amp;K01FF00Green', ['On each page: Green']],
  ['Smith &amp;&amp; Sons', ['On each page: Smith & Sons']],
  ['&amp;L &amp;R', []],
])('shows the text of a header, without its codes: %s', (written, shown) => {
  const header = `<headerFooter><oddHeader>${written}</oddHeader><evenHeader>${written}</evenHeader></headerFooter>`
  expect(readRows('<row><c><v>1</v></c></row>', {}, header)).toEqual(['1', ...shown])
})

it('shows headers and footers of other pages', () => {
  const header =
    '<headerFooter><firstHeader>One</firstHeader><firstFooter>Two</firstFooter><oddFooter>Three</oddFooter><evenFooter>Four</evenFooter><evenHeader/></headerFooter>'
  expect(readRows('<row><c><v>1</v></c></row>', {}, header)).toEqual([
    '1',
    'On each page: One',
    'On each page: Two',
    'On each page: Three',
    'On each page: Four',
  ])
})

it('lists links to the outside, and counts those beyond the fiftieth', () => {
  const numbers = Array.from({ length: 51 }, (_, index) => index + 1)
  const links = numbers.map((number) => `<hyperlink ref="A${number}" r:id="l${number}"/>`)
  const targets = numbers.map(
    (number) =>
      `<Relationship Id="l${number}" Type="${types}/hyperlink" Target="https://example.org/${number}" TargetMode="External"/>`,
  )
  const sheet = (count: number) =>
    readWorkbook(
      workbook(
        '<row><c><v>1</v></c></row>',
        { 'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${targets.join('')}</Relationships>` },
        `<hyperlinks>${links.slice(0, count).join('')}<hyperlink ref="Z1" location="S!A1"/></hyperlinks>`,
      ),
    )
  const list = (count: number) =>
    `Links: ${numbers
      .slice(0, count)
      .map((number) => `A${number} https://example.org/${number}`)
      .join('; ')}`
  const macros = { what: 'macros', count: 1 }
  expect(sheet(50)).toMatchObject({ text: `Sheet: S\n1\n${list(50)}\n`, omitted: [macros] })
  expect(sheet(51)).toMatchObject({
    text: `Sheet: S\n1\n${list(50)}\n`,
    omitted: [macros, { what: 'links', count: 1 }],
  })
})

it('shows the text of its drawings below the rows, and counts their charts and pictures', () => {
  const parts = {
    'xl/worksheets/_rels/sheet1.xml.rels': relationships({
      d: ['drawing', '../drawing1.xml'],
      e: ['drawing', '../damaged.xml'],
    }),
    'xl/drawing1.xml':
      '<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>Look</a:t></a:r></a:p><a:p><a:r><a:t>here</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:pic/><c:chart/></xdr:wsDr>',
    'xl/damaged.xml': '<xdr:wsDr',
  }
  expect(readWorkbook(workbook('<row><c><v>1</v></c></row>', parts))).toMatchObject({
    text: 'Sheet: S\n1\nText box: Look<br>here\n',
    omitted: [
      { what: 'macros', count: 1 },
      { what: 'pictures', count: 1 },
      { what: 'charts', count: 1 },
      { what: 'parts', count: 1 },
    ],
  })
})

it('says which sheets are hidden, leaves empty ones out and counts those of charts', () => {
  const sheets = ['s:', 'h:hidden', 'v:veryHidden', 'e:', 'c:', 'x:'].map((sheet) => {
    const [id = '', state = ''] = sheet.split(':')
    return `<sheet name="Sheet ${id} &amp; more" state="${state}" r:id="${id}"/>`
  })
  const rows = (value: number) =>
    `<worksheet><sheetData><row><c><v>${value}</v></c></row></sheetData></worksheet>`
  const found = readWorkbook(
    workbook('<row><c><v>1</v></c></row>', {
      'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets.join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships({
        s: ['worksheet', 'worksheets/sheet1.xml'],
        h: ['worksheet', 'worksheets/sheet2.xml'],
        v: ['worksheet', 'worksheets/sheet3.xml'],
        e: ['worksheet', 'worksheets/sheet4.xml'],
        c: ['chartsheet', 'chartsheets/sheet1.xml'],
        x: ['dialogsheet', 'dialogsheets/sheet1.xml'],
      }),
      'xl/worksheets/sheet2.xml': rows(2),
      'xl/worksheets/sheet3.xml': rows(3),
      'xl/worksheets/sheet4.xml': '<worksheet/>',
    }),
  )
  expect(found).toMatchObject({
    text: 'Sheet: Sheet s & more\n1\n\nSheet: Sheet h & more (hidden)\n2\n\nSheet: Sheet v & more (hidden)\n3\n',
    length: 92,
    hidden: 2,
    // the part of the chart's sheet is missing
    omitted: [{ what: 'parts', count: 1 }],
  })
})

it('has the texts of sheets with old macros', () => {
  const sheet = (name: string, id: string) => `<sheet name="${name}" r:id="${id}"/>`
  const parts = {
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheet('A', 's')}${sheet('Macro', 'm')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      s: ['worksheet', 'worksheets/sheet1.xml'],
      m: ['xlMacrosheet', 'macrosheets/sheet1.xml'],
    }),
    'xl/macrosheets/sheet1.xml':
      '<xm:macrosheet xmlns:xm="m"><sheetData><row r="1"><c r="A1" t="str"><v>Whatever</v></c></row></sheetData></xm:macrosheet>',
  }
  expect(readWorkbook(workbook('<row><c><v>1</v></c></row>', parts)).text).toBe(
    'Sheet: A\n1\n\nSheet: Macro\nWhatever\n',
  )
})

it('cannot be read if no sheet can, and is empty if it has none', () => {
  expect(() => readWorkbook(workbook('<row><c'))).toThrow(expect.objectContaining({ problem: 'unreadable' }))
  expect(readWorkbook(workbook('', { 'xl/workbook.xml': '<workbook/>' })).text).toBe('')
})

it('shows notes of one author, or of nobody, without white space around', () => {
  const rows = readRows('<row r="1"><c r="A1"><v>5</v></c><c r="B1"/></row>', {
    'xl/worksheets/_rels/sheet1.xml.rels': relationships({ c: ['comments', '../comments1.xml'] }),
    'xl/comments1.xml':
      '<comments><authors><author> Bo </author><author> </author></authors><commentList><comment ref="A1" authorId="0"><text><t> on a_x000A_</t><phoneticPr>no</phoneticPr></text></comment><comment ref="B1" authorId="1"><text><t>on b</t></text></comment><comment ref="C1"><text>on c</text></comment></commentList></comments>',
  })
  expect(rows).toEqual(['5 [comment by Bo: on a]\t[comment: on b]', 'C1: [comment: on c]'])
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

const lookStyles =
  '<styleSheet><fonts><font/><font><strike/></font><font><vertAlign val="subscript"/></font><font><name val="Wingdings"/></font></fonts><cellXfs><xf/><xf fontId="1"/><xf fontId="2"/><xf fontId="3"/><xf numFmtId="1"/><xf numFmtId="45"/><xf numFmtId="20"/></cellXfs></styleSheet>'

it.each<[what: string, sheetData: string, rows: string[]]>([
  [
    'cells that are struck, lowered, or in a font of symbols',
    '<row><c s="1" t="str"><v>ship</v></c><c s="2"><v>7</v></c><c s="3" t="str"><v>ü</v></c></row>',
    ['~~ship~~\t_7\t✓'],
  ],
  [
    'parts of texts that are raised or struck',
    '<row><c t="s"><v>0</v></c><c t="inlineStr"><is><r><t>CO</t></r><r><rPr><vertAlign val="subscript"/></rPr><t>2</t></r></is></c></row>',
    ['10^5 ~~no~~\tCO_2'],
  ],
  [
    'hidden rows',
    '<row r="1"><c><v>1</v></c></row><row r="2" hidden="1"><c><v>2</v></c></row>',
    ['1', '2\t[hidden row]'],
  ],
  [
    'numbers that their format hides',
    '<row><c s="4"><v>0.03</v></c><c s="4"><v>0</v></c><c s="5"><v>0.0625</v></c><c s="6"><v>1.5</v></c><c s="6"><v>0.5</v></c></row>',
    ['0 (0.03)\t0\t30:00 (1:30:00)\t12:00 (36:00:00)\t12:00'],
  ],
])('shows %s', (_, sheetData, rows) => {
  const strings =
    '<sst><si><r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>5</t></r><r><t> </t></r><r><rPr><strike/></rPr><t>no</t></r></si></sst>'
  expect(readRows(sheetData, { 'xl/styles.xml': lookStyles, 'xl/strings.xml': strings })).toEqual(rows)
})

it('names hidden columns in their first cell, and says how much is hidden', () => {
  const sheet =
    '<worksheet><cols><col min="2" max="9000" hidden="1"/></cols><sheetData><row><c t="str"><v>Sum</v></c><c t="str"><v>Cost</v></c></row><row><c><v>1</v></c><c><v>2</v></c></row></sheetData></worksheet>'
  expect(readWorkbook(workbook('', { 'xl/worksheets/sheet1.xml': sheet }))).toMatchObject({
    text: 'Sheet: S\nSum\tCost [hidden column]\n1\t2\n',
    hidden: 1,
  })
})

it('shows what a cell with metadata shows, and counts its picture', () => {
  const value = (index: number) => `<bk><rvb i="${index}"/></bk>`
  const found = readWorkbook(
    workbook(
      '<row><c t="e" vm="1"><v>#VALUE!</v></c><c t="e" vm="2"><v>#VALUE!</v></c><c t="e" vm="3"><v>#VALUE!</v></c></row>',
      {
        'xl/_rels/workbook.xml.rels': relationships({
          s: ['worksheet', 'worksheets/sheet1.xml'],
          m: ['sheetMetadata', 'metadata.xml'],
          r: ['rdRichValue', 'values.xml'],
          d: ['rdRichValueStructure', 'structures.xml'],
        }),
        'xl/metadata.xml': `<metadata><metadataTypes><metadataType name="XLRICHVALUE"/></metadataTypes><futureMetadata name="XLRICHVALUE">${value(1)}${value(0)}</futureMetadata><valueMetadata><bk><rc t="1" v="0"/></bk><bk><rc t="1" v="1"/></bk></valueMetadata></metadata>`,
        'xl/values.xml': '<rvData><rv s="0"><v>0</v></rv><rv s="1"><v>4</v><v>Norway</v></rv></rvData>',
        'xl/structures.xml':
          '<rvStructures><s t="_localImage"><k n="_rvRel:LocalImageIdentifier"/></s><s t="_linkedentity2"><k n="_index"/><k n="_DisplayString"/></s></rvStructures>',
      },
    ),
  )
  expect(found.text).toBe('Sheet: S\nNorway\t[picture]\t#VALUE!\n')
  expect(found.omitted).toEqual([{ what: 'pictures', count: 1 }])
})

it('shows the values of charts below the sheet', () => {
  const found = readWorkbook(
    workbook('<row><c><v>1</v></c></row>', {
      'xl/worksheets/_rels/sheet1.xml.rels': relationships({ d: ['drawing', '../drawing.xml'] }),
      'xl/drawing.xml':
        '<xdr:wsDr><xdr:pic><xdr:cNvPr descr="Map"/></xdr:pic><xdr:graphicFrame><c:chart r:id="c"/></xdr:graphicFrame></xdr:wsDr>',
      'xl/_rels/drawing.xml.rels': relationships({ c: ['chart', 'chart.xml'] }),
      'xl/chart.xml':
        '<c:chartSpace><c:ser><c:tx><c:v>Sum</c:v></c:tx><c:val><c:pt idx="0"><c:v>7</c:v></c:pt></c:val></c:ser></c:chartSpace>',
    }),
  )
  expect(found.text).toBe('Sheet: S\n1\n[picture: Map]\n[chart]\n\tSum\n\t7\n')
  expect(found.omitted).toEqual([
    { what: 'macros', count: 1 },
    { what: 'pictures', count: 1 },
  ])
})

it('hands over the rows that were read in time', () => {
  const rows = '<row><c><v>1</v></c></row>'.repeat(3)
  expect(readInNoTime(() => readWorkbook(workbook(rows)))).toBe('Sheet: S\n1\n')
})

it('hands over the sheets that were read in time', () => {
  const row = '<row><c><v>1</v></c></row>'
  const parts = {
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="s"/><sheet name="T" r:id="x"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relationships({
      s: ['worksheet', 'worksheets/sheet1.xml'],
      x: ['worksheet', 'worksheets/sheet2.xml'],
    }),
    'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${row}</sheetData></worksheet>`,
  }
  expect(readWorkbook(workbook(row, parts)).text).toBe('Sheet: S\n1\n\nSheet: T\n1\n')
  expect(readInNoTime(() => readWorkbook(workbook(row, parts)))).toBe('Sheet: S\n1\n')
})
