import { strToU8, Zip, ZipDeflate } from 'fflate'
import type { Cell, Sheet } from './sheet.ts'

const maxCellCharacters = 32_767
const chunkCharacters = 262_144
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const pack = 'http://schemas.openxmlformats.org/package/2006'
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const dayMs = 86_400_000
/** Days of Excel's calendar before 1970. */
const epochDays = 25_569
/** Excel has no earlier days that all programs agree on. */
const firstDayMs = Date.UTC(1900, 2, 1)
const isoDate = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) =>
  text
    .slice(0, maxCellCharacters)
    .toWellFormed()
    // XML 1.0 has no such characters
    .replaceAll(/(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu, '')
    .replaceAll(/[&<>"]/g, (one) => entities[one] ?? one)

/** Styles: 0 plain, 1 a heading, 2 a date, 3 a date with its time. */
const styles = `${xml}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

/** The day of Excel's calendar. @returns undefined for a text that is no date of it, such as 2026-02-30 */
function toSerial(text: string): number | undefined {
  const parts = isoDate.exec(text)
  if (!parts) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0))
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  const isReal =
    new Date(ms).toISOString().slice(0, 10) === text.slice(0, 10) && hour < 24 && minute < 60 && second < 60
  return isReal && ms >= firstDayMs ? ms / dayMs + epochDays : undefined
}

/** Texts are never formulas: only `<f>` is one. */
const writeText = (text: string, style = '') =>
  text === '' ? '<c/>' : `<c t="inlineStr"${style}><is><t xml:space="preserve">${escape(text)}</t></is></c>`

function writeCell(value: Cell | undefined, isDate: boolean): string {
  if (value === null || value === undefined) return '<c/>'
  if (typeof value === 'number')
    return Number.isFinite(value) ? `<c><v>${value}</v></c>` : writeText(String(value))
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  const serial = isDate ? toSerial(value) : undefined
  return serial === undefined ? writeText(value) : `<c s="${value.length > 10 ? 3 : 2}"><v>${serial}</v></c>`
}

/** A column of dates has nothing else: one text among them leaves all of them texts. */
function hasDates(rows: Sheet['rows'], column: number): boolean {
  let isAny = false
  for (const row of rows) {
    const value = row[column]
    if (value === null || value === undefined) continue
    if (typeof value !== 'string' || toSerial(value) === undefined) return false
    isAny = true
  }
  return isAny
}

/** Characters of a column, by what its first rows need; letters of East Asia take two. */
function measureWidth({ columns, rows }: Sheet, column: number): number {
  const count = (value: Cell | undefined) =>
    Array.from(String(value ?? '').slice(0, 60)).reduce(
      (sum, one) => sum + (/[\u2e80-\uffdc]/u.test(one) ? 2 : 1),
      0,
    )
  const most = rows
    .slice(0, 200)
    .reduce((max, row) => Math.max(max, count(row[column])), count(columns[column]))
  return Math.min(60, Math.max(8, most + 2))
}

/** Names as Excel takes them: at most 31 characters, none twice. */
function nameSheets(sheets: readonly Sheet[]): string[] {
  const taken = new Set(['history'])
  return sheets.map(({ name: given }, index) => {
    const base =
      given
        .replaceAll(/[\\/?*[\]:\p{Cc}]/gu, ' ')
        .slice(0, 27)
        .toWellFormed()
        .replace(/^[' ]+/, '')
        .trim()
        .replace(/'$/, '') || `Sheet${index + 1}`
    let name = base
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${base} ${number}`
    taken.add(name.toLowerCase())
    return name
  })
}

/** An Excel workbook with a frozen header, widths and types. @returns undefined if it would have more bytes */
export function writeWorkbook(sheets: readonly Sheet[], maxBytes: number): Uint8Array | undefined {
  const chunks: Uint8Array[] = []
  let size = 0
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    size += bytes.length
    if (size <= maxBytes) chunks.push(bytes)
  })
  const open = (name: string) => {
    const part = new ZipDeflate(name, { level: 6 })
    zip.add(part)
    return part
  }
  const add = (name: string, text: string) => open(name).push(strToU8(text), true)
  const names = nameSheets(sheets)
  const list = (write: (number: number, name: string) => string) =>
    names.map((name, index) => write(index + 1, name)).join('')
  add(
    '[Content_Types].xml',
    `${xml}<Types xmlns="${pack}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${list((number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${type}.worksheet+xml"/>`)}</Types>`,
  )
  add(
    '_rels/.rels',
    `${xml}<Relationships xmlns="${pack}/relationships"><Relationship Id="rId1" Type="${rel}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  )
  add(
    'xl/workbook.xml',
    `${xml}<workbook xmlns="${main}" xmlns:r="${rel}"><sheets>${list((number, name) => `<sheet name="${escape(name)}" sheetId="${number}" r:id="rId${number}"/>`)}</sheets></workbook>`,
  )
  add(
    'xl/_rels/workbook.xml.rels',
    `${xml}<Relationships xmlns="${pack}/relationships">${list((number) => `<Relationship Id="rId${number}" Type="${rel}/worksheet" Target="worksheets/sheet${number}.xml"/>`)}<Relationship Id="rId${names.length + 1}" Type="${rel}/styles" Target="styles.xml"/></Relationships>`,
  )
  add('xl/styles.xml', styles)
  for (const [index, sheet] of sheets.entries()) {
    const { columns, rows } = sheet
    const part = open(`xl/worksheets/sheet${index + 1}.xml`)
    const dates = columns.map((_, column) => hasDates(rows, column))
    const widths = columns
      .map(
        (_, column) =>
          `<col min="${column + 1}" max="${column + 1}" width="${measureWidth(sheet, column)}" customWidth="1"/>`,
      )
      .join('')
    let text = `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${widths && `<cols>${widths}</cols>`}<sheetData><row>${columns.map((name) => writeText(name, ' s="1"')).join('')}</row>`
    for (const row of rows) {
      text += `<row>${columns.map((_, column) => writeCell(row[column], dates[column] === true)).join('')}</row>`
      if (text.length < chunkCharacters) continue
      part.push(strToU8(text))
      text = ''
    }
    part.push(strToU8(`${text}</sheetData></worksheet>`), true)
  }
  zip.end()
  return size > maxBytes ? undefined : Buffer.concat(chunks)
}
