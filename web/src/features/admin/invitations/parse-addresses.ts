import { normalizeGroupName } from '#shared/group-names.ts'
import { detectForm, scanCsv } from '#shared/scan-csv.ts'

/** An address, and the line of the list that it is in, counted from 1; in a table its row. */
export interface ListedAddress {
  line: number
  email: string
  /** as the list writes them; empty without a column of groups */
  groups: string[]
}

/** Headers of columns with groups, in the languages of the page, with or without a number. */
const groupHeader = /^(?:groups?|gruppen?|groupes?|grupos?|teams?|グループ|المجموعات|المجموعة) ?\d{0,2}$/i
const separators = [';', ',', '\t'] as const

/**
 * Reads addresses from lines with one each, or from a CSV with commas, semicolons or tabs. A column named like `groupHeader` has groups,
 * several in a cell with commas or semicolons between them. A line that lists addresses has all of them, a row of a table has one. A line
 * without an address is returned as it is, so that its result can say so; an empty one, and a row with nothing but groups, are left out. A
 * first line without an address is the header of a table.
 */
export function parseAddresses(text: string): ListedAddress[] {
  return parseTable(text) ?? parseLines(text)
}

/** Reads a CSV with a column of groups. @returns undefined for any other text */
function parseTable(text: string): ListedAddress[] | undefined {
  const { separator: detected, ...form } = detectForm(text)
  for (const separator of new Set([detected, ...separators])) {
    const [head, ...rows] = scanCsv(text, { ...form, separator })
    const heads = (head?.cells ?? []).map((cell) => cell.trim())
    const columns = heads.flatMap((cell, index) => (groupHeader.test(cell) ? [index] : []))
    if (heads.length < 2 || columns.length === 0 || heads.some((cell) => cell.includes('@'))) continue
    // cells behind the last column belong to it: several groups without quotes around them
    const isGroup = (index: number) =>
      columns.includes(index) || (index >= heads.length && columns.includes(heads.length - 1))
    const withoutGroups = rows.map(({ cells }) => cells.map((cell, index) => (isGroup(index) ? '' : cell)))
    const column = findAddressColumn(withoutGroups)
    return rows.flatMap(({ number, cells }, row) => {
      const email = findAddress(withoutGroups[row] ?? [], column)
      const groups = splitGroups(cells.filter((_, index) => isGroup(index)))
      return email === undefined ? [] : [{ line: number, email, groups }]
    })
  }
  return undefined
}

const splitGroups = (cells: readonly string[]): string[] => [
  ...new Set(
    cells
      .flatMap((cell) => cell.split(/[,;|\n]/))
      .map(normalizeGroupName)
      .filter(Boolean),
  ),
]

function parseLines(text: string): ListedAddress[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const rows = lines.map(splitLine)
  const column = findAddressColumn(rows)
  const head = rows.find((cells) => cells.some((cell) => cell.trim() !== '')) ?? []
  const isTable = head.length > 1 && !head.some((cell) => cell.includes('@'))
  const found = rows.flatMap((cells, index) => {
    const listed = isTable ? [] : findListed(lines[index] ?? '')
    const emails =
      listed.length > 1 ? listed : [findAddress(cells, column)].filter((email) => email !== undefined)
    return emails.map((one): ListedAddress => ({ line: index + 1, email: one, groups: [] }))
  })
  const [first, ...others] = found
  return first && !first.email.includes('@') && others.some(({ email }) => email.includes('@'))
    ? others
    : found
}

const splitLine = (line: string) => line.split(/[,;\t]/).map((cell) => cell.replaceAll('"', ''))

/** RFC 3696 allows 64 characters before the `@` and 255 behind it. */
const bracketedAddress = /<([^<>]{3,320})>/g

/** The addresses of a line that lists several, as mail programs copy them: all in angle brackets, or nothing but addresses. */
function findListed(line: string): string[] {
  const inBrackets = [...line.matchAll(bracketedAddress)].flatMap(([, inside = '']) =>
    inside.includes('@') ? [inside.trim()] : [],
  )
  if (inBrackets.length > 1) return inBrackets
  const cells = splitLine(line).flatMap((cell) => cell.trim() || [])
  return cells.every(hasAddress) ? cells.map(unwrap) : []
}

/** Whether something stands before and behind an `@`, unlike in `@ann` and `Ann @ work`. */
const hasAddress = (cell: string) => /[^\s@]@[^\s@]/.test(cell)

/** The column that has most of the addresses, counted from 0. */
function findAddressColumn(rows: readonly (readonly string[])[]): number {
  const counts: number[] = []
  for (const cells of rows)
    for (const [column, cell] of cells.entries())
      if (hasAddress(cell)) counts[column] = (counts[column] ?? 0) + 1
  return counts.reduce((most, count, column) => (count > (counts[most] ?? 0) ? column : most), 0)
}

/** The cell with an address, else what stands in the column of the others, else the first that is not empty. */
function findAddress(cells: readonly string[], column: number): string | undefined {
  const trimmed = cells.map((cell) => cell.trim())
  const preferred = [trimmed[column] ?? '', ...trimmed]
  const email = preferred.find(hasAddress) ?? preferred.find((cell) => cell !== '')
  return email === undefined ? undefined : unwrap(email)
}

/** `Ann <ann@example.com>`, as mail programs copy it. */
function unwrap(text: string): string {
  const inside = text.endsWith('>') ? text.slice(text.lastIndexOf('<') + 1, -1).trim() : ''
  return inside.includes('@') ? inside : text
}

/** Writes a list that `parseAddresses` reads again: to correct it. */
export function formatAddresses(list: readonly Omit<ListedAddress, 'line'>[]): string {
  if (list.every(({ groups }) => groups.length === 0)) {
    const lines = list.map(({ email }) => email)
    // before others with an address, a first line without one would be read as the header
    const needsHeader = lines.findIndex((line) => line.includes('@')) > 0
    return (needsHeader ? ['email', ...lines] : lines).join('\n')
  }
  const toCell = (text: string) => `"${text.replaceAll('"', '""')}"`
  const rows = list.map(({ email, groups }) => `${toCell(email)};${toCell(groups.join(', '))}`)
  return ['email;groups', ...rows].join('\n')
}
