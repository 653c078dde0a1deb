import { expect, it } from 'vitest'
import { readingOf } from '../../test/support/read-documents.ts'
import { detectKind } from './detect-kind.ts'
import { readWorkbook } from './read-workbook.ts'

const data = (type: string, value: string) => `<ss:Data ss:Type="${type}">${value}</ss:Data>`
const workbook = `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<ss:Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<ss:Styles><ss:Style ss:ID="day"><ss:NumberFormat ss:Format="Short Date"/></ss:Style><ss:Style ss:ID="share"><ss:NumberFormat ss:Format="0%"/></ss:Style><ss:Style ss:ID="bold" ss:Parent="share"><ss:Font ss:Bold="1"/></ss:Style></ss:Styles>
<ss:Worksheet ss:Name="A &amp; B"><ss:Table>
<ss:Row><ss:Cell>${data('String', 'Region')}</ss:Cell><ss:Cell>${data('String', 'Day')}</ss:Cell><ss:Cell ss:Index="4">${data('String', 'Share')}</ss:Cell></ss:Row>
<ss:Row><ss:Cell ss:MergeDown="1">${data('String', '<B>No</B>rth')}<ss:Comment ss:Author="Ann"><ss:Data>why?</ss:Data></ss:Comment></ss:Cell><ss:Cell ss:StyleID="day">${data('DateTime', '2026-03-01T00:00:00.000')}</ss:Cell><ss:Cell ss:Index="4" ss:StyleID="bold">${data('Number', '0.19')}</ss:Cell></ss:Row>
<ss:Row ss:Hidden="1"><ss:Cell ss:Index="2">${data('DateTime', '2026-03-02T10:30:00.000')}</ss:Cell><ss:Cell ss:Index="4" ss:Formula="=R[-1]C">${data('Number', '12345678901234567890')}</ss:Cell></ss:Row>
<ss:Row ss:Index="6"><ss:Cell ss:MergeAcross="2" ss:HRef="https://a.example/">${data('Boolean', '1')}</ss:Cell><ss:Cell>${data('Error', '#N/A')}</ss:Cell></ss:Row>
</ss:Table></ss:Worksheet>
<ss:Worksheet ss:Name="Old"><ss:Table><ss:Row><ss:Cell>${data('String', 'x')}</ss:Cell></ss:Row></ss:Table><WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions></ss:Worksheet>
</ss:Workbook>`

it.each(['text', 'unknown'] as const)(
  'a workbook in XML of 2003 is a table, whatever its name: %s',
  (kind) => {
    const bytes = new Uint8Array(Buffer.from(workbook))
    expect(detectKind(bytes, kind)).toBe('sheet')
    const { text, sheets = [], ...rest } = readWorkbook(bytes)
    expect(text).toBe(
      [
        'Sheet: A & B',
        'Region\tDay\t\tShare',
        'North [comment by Ann: why?]\t2026-03-01\t\t19%',
        '\t2026-03-02 10:30:00\t\t12345678901234567890\t[hidden row]',
        'TRUE\t\t\t#N/A',
        'Link: A6 https://a.example/',
        'Formulas: D3 =R[-1]C',
        '',
        'Sheet: Old (hidden)',
        'x\n',
      ].join('\n'),
    )
    expect(readingOf({ text, ...rest }).note).toBe('read in full; 2 hidden parts are marked as hidden')
    expect([...(sheets[0]?.rows ?? [])].map(({ number, cells }) => [number, ...cells])).toEqual([
      [1, 'Region', 'Day', undefined, 'Share'],
      [2, 'North', '2026-03-01', undefined, 0.19],
      [3, 'North', '2026-03-02 10:30:00', undefined, '12345678901234567890'],
      [6, true, undefined, undefined, '#N/A'],
    ])
  },
)

it('a cell that is there twice costs its row the columns, and the note says so', () => {
  const cell = (index: number, text: string) =>
    `<ss:Cell ss:Index="${index}">${data('String', text)}</ss:Cell>`
  const { text, ...rest } = readWorkbook(
    new Uint8Array(
      Buffer.from(
        `<ss:Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><ss:Worksheet ss:Name="A"><ss:Table><ss:Row>${cell(2, 'one')}${cell(2, 'two')}</ss:Row></ss:Table></ss:Worksheet></ss:Workbook>`,
      ),
    ),
  )
  expect(text).toBe('Sheet: A\nB1: one\tB1: two\n')
  expect(readingOf({ text, ...rest }).note).toContain('1 part is given in reading order')
})
