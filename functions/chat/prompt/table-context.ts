import { reservedTableName } from '#shared/table-name.ts'
import { makeUnique, toName } from '../../documents/tables/name.ts'
import type { StoredFile } from '../../files/file-row.ts'
import type { TableInfo } from '../../files/stored-tables.ts'

// What a prompt says of the tables in files: their names and columns, so that the model can write a statement without having read them.

/** A table as statements name it. */
export interface NamedTable {
  /** `t1`, `t2` in the database of its file */
  key: string
  name: string
  info: TableInfo
}

/** Tables by the ids of their files. */
export type NamedTables = ReadonlyMap<string, readonly NamedTable[]>

/**
 * Names the tables of files. Of tables of one name the second gets `_2`, in the order of the files: a file that comes later changes no
 * name of an earlier prompt.
 * @param files the project's, then the conversation's, each in the order in which they were attached
 */
export function nameTables(files: readonly StoredFile[]): NamedTables {
  const taken = new Set<string>()
  const named = new Map<string, NamedTable[]>()
  for (const { id, name: fileName, tables = [] } of files) {
    if (named.has(id) || tables.length === 0) continue
    named.set(
      id,
      tables.map((info, index) => ({
        key: `t${index + 1}`,
        name: makeUnique(avoidReserved(chooseName(info, fileName, tables.length)), taken),
        info,
      })),
    )
  }
  return named
}

/** The results of tools have names with a number in the reply that got them. */
const avoidReserved = (name: string) =>
  /^result_\d/.test(name) || reservedTableName.test(name) ? `file_${name}` : name

/** What programs call a sheet that nobody has named. */
const defaultSheet = /^(?:sheet|tabelle|blatt|feuil(?:le)?|hoja|planilha|folha|foglio|シート|ورقة)_?\d{0,3}$/

function chooseName({ name }: TableInfo, fileName: string, count: number): string {
  const file = toName(fileName.replace(/\.[^.]{1,8}$/, ''), 'data')
  if (name === '' || (count === 1 && defaultSheet.test(name))) return file
  // a range alone
  return /^[a-z]{1,3}\d+_[a-z]{1,3}\d+$/.test(name) ? `${file}_${name}` : name
}

/** Of one file, and of all files of a prompt. */
const maxFileCharacters = 3_000
const maxCharacters = 12_000

/**
 * Describes the tables of files, those of the first files in most detail.
 * @param needsSample whether the prompt has nothing else of the file's rows
 * @returns by the ids of the files
 */
export function describeTables(
  named: NamedTables,
  needsSample: (fileId: string) => boolean,
): Map<string, string> {
  let left = maxCharacters
  const described = new Map<string, string>()
  for (const [id, tables] of named) {
    const room = Math.min(left, maxFileCharacters)
    const text =
      [
        needsSample(id) ? describe(tables, 'sample') : undefined,
        describe(tables, 'columns'),
        describe(tables, 'names'),
      ].find((one) => one !== undefined && one.length <= room) ??
      describe(tables.slice(0, 5), 'names', tables.length - 5)
    left -= Math.min(left, text.length)
    described.set(id, text)
  }
  return described
}

/** What is said of the tables of files takes of the room for documents, at most. */
export const countTableBytes = (files: readonly StoredFile[]): number =>
  [...describeTables(nameTables(files), () => true).values()].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  )

const formatNumber = (value: number) => value.toLocaleString('en')

function describe(tables: readonly NamedTable[], detail: 'sample' | 'columns' | 'names', more = 0): string {
  const lines = tables.flatMap(({ name, info }) => [
    describeTable(name, info),
    ...(detail === 'names' ? [] : describeColumns(info)),
    ...(detail === 'sample' && info.sample.length > 0
      ? [`first rows: ${info.sample.map((row) => JSON.stringify(row)).join(' ')}`]
      : []),
  ])
  if (detail === 'names') lines.push('their columns: SELECT * FROM all_columns')
  if (more > 0) lines.push(`and ${more} more tables`)
  return `Tables for query_table:\n${lines.join('\n')}`
}

function describeTable(name: string, info: TableInfo): string {
  const { rows, sheet, range, leftOut, note, isHidden } = info
  const source = [
    sheet === undefined ? '' : `sheet ${JSON.stringify(sheet)}`,
    isHidden ? 'hidden' : '',
    range,
  ]
  const facts = [
    source.filter((part) => part !== '').join(', '),
    ...(leftOut === undefined ? [] : [`left out: ${leftOut}`]),
    ...(note === undefined ? [] : [note]),
  ]
  return `${name}: ${formatNumber(rows)} ${rows === 1 ? 'row' : 'rows'} (${facts.join('; ')})`
}

function describeColumns({ columns, columnCount, rows }: TableInfo): string[] {
  if (columns.length === 0) return [`${columnCount} columns: SELECT * FROM all_columns`]
  const listed = columns.map(({ name, type, title, unit, empty, note }) => {
    const notes = [
      ...(title === undefined ? [] : [JSON.stringify(title)]),
      ...(empty > 0 ? [empty === rows ? 'empty' : `${formatNumber(empty)} empty`] : []),
      ...(note === undefined ? [] : [note]),
    ]
    return `${name} ${type}${unit === undefined ? '' : ` ${unit}`}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`
  })
  const more = columnCount - columns.length
  return [`columns: ${listed.join(', ')}${more > 0 ? `, and ${more} more in all_columns` : ''}`]
}
