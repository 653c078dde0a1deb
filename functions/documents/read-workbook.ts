import { DocumentError, TextCollector, type ExtractedText } from './extracted-text.ts'
import { readRelationships, unzipParts, parseXml, type Parts } from './read-package.ts'

const maxBytes = 160 * 1024 * 1024
const partPattern =
  /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml)$/

/** Strings that cells refer to by index, without phonetic hints. */
function readSharedStrings(part: Uint8Array | undefined): string[] {
  const strings: string[] = []
  if (!part) return strings
  let current = ''
  let inText = false
  let hintDepth = 0
  parseXml(part, {
    open(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') hintDepth += 1
      inText = name === 't' && hintDepth === 0
    },
    text(text) {
      if (inText) current += text
    },
    close(name) {
      if (name === 'si') strings.push(current)
      if (name === 'rPh') hintDepth -= 1
      inText = false
    },
  })
  return strings
}

/** Whether a number format shows a date or a time. Text in quotes and brackets does not count. */
const isDateFormat = (format: string) => /[ymdhs]/i.test(format.replace(/"[^"]*"|\[[^[\]]*\]|\\./g, ''))

/** For each cell style whether it shows a date. */
function readDateStyles(part: Uint8Array | undefined): boolean[] {
  const styles: boolean[] = []
  if (!part) return styles
  const custom = new Map<string, boolean>()
  let inCells = false
  parseXml(part, {
    open(name, { numFmtId = '', formatCode = '' }) {
      if (name === 'numFmt') custom.set(numFmtId, isDateFormat(formatCode))
      if (name === 'cellXfs') inCells = true
      const id = Number(numFmtId)
      if (name === 'xf' && inCells)
        styles.push(custom.get(numFmtId) ?? ((id >= 14 && id <= 22) || (id >= 45 && id <= 47)))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return styles
}

/** Formats a serial date: the number of days since 1899-12-30. */
function formatDate(serial: string): string {
  const days = Number(serial)
  if (!Number.isFinite(days) || days < 0 || days > 2_958_466) return serial
  const iso = new Date(Math.round((days - 25_569) * 86_400_000)).toISOString()
  if (days < 1) return iso.slice(11, 19)
  return days % 1 === 0 ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ')
}

function listSheets(parts: Parts): { name: string; path: string }[] {
  const workbook = parts['xl/workbook.xml']
  if (!workbook) throw new DocumentError('unreadable', 'no workbook')
  const targets = readRelationships(parts['xl/_rels/workbook.xml.rels'], 'xl')
  const sheets: { name: string; path: string }[] = []
  parseXml(workbook, {
    open(tag, attributes) {
      if (tag !== 'sheet') return
      const path = targets.get(attributes['r:id'] ?? '')
      if (path) sheets.push({ name: attributes['name'] ?? '', path })
    },
  })
  return sheets
}

/** Writes rows as lines, with tabs between cells. */
function readCells(
  part: Uint8Array,
  { strings, isDateStyle }: { strings: readonly string[]; isDateStyle: readonly boolean[] },
  text: TextCollector,
): void {
  let cells: string[] = []
  let type = ''
  let style = 0
  let value = ''
  let inValue = false
  parseXml(part, {
    open(name, { t = '', s = '0' }) {
      if (name === 'row') cells = []
      if (name === 'c') {
        type = t
        style = Number(s)
        value = ''
      }
      inValue = name === 'v' || name === 't'
    },
    text(part) {
      if (inValue) value += part
    },
    close(name) {
      inValue = false
      if (name === 'c') cells.push(formatCell())
      if (name === 'row' && cells.some((cell) => cell !== '')) text.add(`${cells.join('\t').trimEnd()}\n`)
    },
  })

  function formatCell(): string {
    if (type === 's') return strings[Number(value)] ?? ''
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    const isNumber = type === '' || type === 'n'
    return isNumber && value !== '' && isDateStyle[style] ? formatDate(value) : value
  }
}

/** @throws DocumentError */
export function readWorkbook(bytes: Uint8Array): ExtractedText {
  const parts = unzipParts(bytes, (path) => partPattern.test(path), maxBytes)
  const cellFormats = {
    strings: readSharedStrings(parts['xl/sharedStrings.xml']),
    isDateStyle: readDateStyles(parts['xl/styles.xml']),
  }
  const text = new TextCollector()
  for (const { name, path } of listSheets(parts)) {
    const part = parts[path]
    if (!part) continue
    const sheet = new TextCollector()
    readCells(part, cellFormats, sheet)
    if (sheet.length === 0) continue
    text.add(`${text.length > 0 ? '\n' : ''}Sheet: ${name}\n`)
    const { text: content, length } = sheet.end()
    text.add(content)
    text.skip(length - content.length)
  }
  return text.end()
}
