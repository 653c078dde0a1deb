import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import { compileFormat, type FormatNumber } from './number-format.ts'
import { isOn, parseXml, prepareXml, readAttribute, type XmlAttributes } from './read-package.ts'
import { columnLetters, SheetCollector, toNumberCell, type Cell } from './tables/cells.ts'
import { formatCell, formatRow } from './write-table.ts'

const namedFormats: Readonly<Record<string, string>> = {
  'general date': 'yyyy-mm-dd hh:mm',
  'short date': 'yyyy-mm-dd',
  'long date': 'yyyy-mm-dd',
  'medium date': 'yyyy-mm-dd',
  percent: '0.00%',
  fixed: '0.00',
  standard: '#,##0.00',
  scientific: '0.00E+00',
}

const maxColumns = 16_384
const maxFormulas = 50

const toCount = (value: string) => Math.max(0, Math.trunc(Number(value)) || 0)

interface Style {
  parent: string
  format: string
}

export function readXmlSpreadsheet(bytes: Uint8Array): ExtractedText {
  const text = new TextCollector()
  const omissions = new OmissionCounter()
  const tables = new SheetCollector()
  const styles = new Map<string, Style>()
  const formats = new Map<string, FormatNumber>()
  let style: Style | undefined
  let lines: string[] = []
  let extra: string[] = []
  let formulas: string[] = []
  let merged: string[] = []
  let sheet: { name: string; isHidden: boolean } | undefined
  let sheets = 0
  let number = 0
  let row: { shown: string[]; given: string[]; values: Cell[]; isHidden: boolean; repeat: number } | undefined
  let column = 0
  let cell: { shown: string; value: Cell; look: FormatNumber; across: number; comments: string[] } | undefined
  let data = ''
  let type = ''
  let author = ''
  let isInComment = false
  const open: string[] = []

  function findFormat(id: string, depth = 0): FormatNumber {
    const known = formats.get(id)
    if (known) return known
    const { format = '', parent = '' } = styles.get(id) ?? {}
    const isInherited = format === '' && parent !== '' && depth < 10
    const found = isInherited
      ? findFormat(parent, depth + 1)
      : compileFormat(0, namedFormats[format.toLowerCase()] ?? (format || 'General'))
    formats.set(id, found)
    return found
  }

  function endData(): void {
    if (isInComment) {
      if (data.trim() !== '') cell?.comments.push(`[comment${author && ` by ${author}`}: ${data.trim()}]`)
      return
    }
    if (!cell) return
    switch (type) {
      case 'Number':
        cell.shown = cell.look(data.trim())
        cell.value = toNumberCell(data.trim(), cell.shown, cell.look.isDuration)
        break
      case 'DateTime': {
        const [day = '', time = ''] = data.trim().split('T')
        const clock = time.slice(0, 8)
        cell.shown =
          clock === '00:00:00' || clock === '' ? day : day === '1899-12-31' ? clock : `${day} ${clock}`
        cell.value = cell.shown
        break
      }
      case 'Boolean':
        cell.value = isOn(data.trim())
        cell.shown = cell.value ? 'TRUE' : 'FALSE'
        break
      default:
        cell.shown = data
        cell.value = data === '' ? undefined : data
    }
  }

  function openCell(attributes: XmlAttributes): void {
    const index = toCount(readAttribute(attributes, 'Index'))
    if (index > 0) column = index - 1
    const across = toCount(readAttribute(attributes, 'MergeAcross'))
    const down = toCount(readAttribute(attributes, 'MergeDown'))
    const ref = `${columnLetters(column)}${number}`
    if (down > 0) merged.push(`${ref}:${columnLetters(column + across)}${number + down}`)
    const formula = readAttribute(attributes, 'Formula').replace(/^(?:of:)?=/, '')
    if (formula !== '') formulas.push(`${ref} =${formula}`)
    const href = readAttribute(attributes, 'HRef')
    if (href !== '') extra.push(`Link: ${ref} ${href}`)
    const look = findFormat(readAttribute(attributes, 'StyleID') || 'Default')
    cell = { shown: '', value: undefined, look, across, comments: [] }
  }

  function closeCell(): void {
    if (!cell || !row) return
    const shown = [cell.shown, ...cell.comments].filter((part) => part !== '').join(' ')
    if (shown !== '') row.given.push(`${columnLetters(column)}${number}: ${shown}`)
    if (shown !== '' && column < maxColumns) {
      row.shown[column] = shown
      row.values[column] = cell.value
    }
    column += 1 + cell.across
    cell = undefined
  }

  function closeRow(): void {
    if (!row) return
    const shown = Array.from(row.shown, (value) => value ?? '')
    // a cell too far, or one that is there twice
    const isWhole = shown.filter((value) => value !== '').length === row.given.length
    if (!isWhole) omissions.note('plain')
    if (row.given.length > 0) {
      if (row.isHidden) omissions.note('hidden')
      lines.push(`${formatRow(isWhole ? shown : row.given)}${row.isHidden ? '\t[hidden row]' : ''}\n`)
      if (isWhole) tables.add(number, row.values)
    } else if (lines.length > 0 && lines.at(-1) !== '\n') lines.push('\n')
    number += row.repeat - 1
    row = undefined
  }

  function closeSheet(): void {
    if (!sheet) return
    for (const ref of merged) tables.merge(ref)
    omissions.add('formulas', formulas.length - maxFormulas)
    if (formulas.length > 0) extra.push(`Formulas: ${formulas.slice(0, maxFormulas).join('; ')}`)
    const content = [...lines, ...extra.map((line) => `${formatCell(line)}\n`)]
    if (sheet.isHidden && content.length > 0) omissions.note('hidden')
    const title = `Sheet: ${sheet.name}`
    if (content.length > 0)
      text.add(`${text.length > 0 ? '\n' : ''}${title}${sheet.isHidden ? ' (hidden)' : ''}\n`, {
        label: `sheet ${sheet.name}`,
        title,
      })
    for (const line of content) text.add(line)
    sheet = undefined
  }

  parseXml(prepareXml(bytes), {
    open(name, attributes) {
      open.push(name)
      const read = (attribute: string) => readAttribute(attributes, attribute)
      if (name === 'Style') styles.set(read('ID'), (style = { parent: read('Parent'), format: '' }))
      else if (name === 'NumberFormat' && style) style.format = read('Format')
      else if (name === 'Worksheet') {
        sheet = { name: read('Name'), isHidden: false }
        sheets += 1
        number = 0
        lines = []
        extra = []
        formulas = []
        merged = []
        tables.open(sheet.name, false)
      } else if (name === 'Row') {
        number = toCount(read('Index')) || number + 1
        column = 0
        row = {
          shown: [],
          given: [],
          values: [],
          isHidden: isOn(read('Hidden')),
          repeat: 1 + toCount(read('Span')),
        }
      } else if (name === 'Cell') openCell(attributes)
      else if (name === 'Comment') {
        isInComment = true
        author = read('Author')
      } else if (name === 'Data') {
        data = ''
        type = read('Type')
      }
    },
    text(content) {
      if (open.includes('Data')) data += content
      else if (open.at(-1) === 'Visible' && sheet) {
        sheet.isHidden = /Hidden/.test(content)
        Object.assign(tables.sheets.at(-1) ?? {}, { isHidden: sheet.isHidden })
      }
    },
    close(name) {
      open.pop()
      if (name === 'Data') endData()
      else if (name === 'Comment') isInComment = false
      else if (name === 'Cell') closeCell()
      else if (name === 'Row') closeRow()
      else if (name === 'Worksheet') closeSheet()
      else if (name === 'Style') style = undefined
    },
  })
  if (sheets === 0) throw new DocumentError('unreadable', 'no sheet')
  const found = tables.end()
  return { ...text.end(), ...omissions.list(), ...(found && { sheets: found }) }
}
