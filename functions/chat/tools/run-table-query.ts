import { isDocument } from '#shared/file-kinds.ts'
import { maxQueryFiles } from '../../documents/tables/query-limits.ts'
import { tablesKey, type ReadingFileDeps } from '../../files/file-links.ts'
import { isRead, type StoredFile } from '../../files/file-row.ts'
import { findReadFiles } from '../prompt/find-read-files.ts'
import { nameTables, type NamedTable } from '../prompt/table-context.ts'
import type { QueryTables } from './query-table-tool.ts'

// Loaded with the first statement.

/** The parser fetches the databases with these addresses. */
const urlSeconds = 300

const noTables = 'There are no tables in the files of this conversation or its project.'

interface Source {
  table: string
  file: string
  sheet?: string
}

/** Runs a statement over the files whose tables it names. @throws DocumentsUnavailable, ObjectStoreUnavailable */
export async function runTableQuery(
  {
    files,
    store,
    startReading,
    listFiles,
    queryTables,
  }: ReadingFileDeps & { listFiles: () => Promise<StoredFile[]>; queryTables: QueryTables },
  sub: string,
  sql: string,
  signal: AbortSignal,
) {
  const listed = await listFiles()
  const pending = listed.filter((file) => file.state === 'ready' && isDocument(file) && !isRead(file))
  const read = await findReadFiles(
    { files, startReading },
    sub,
    pending.map(({ id }) => id),
  )
  const current = listed.map((file) => read.get(file.id) ?? file)
  const named = nameTables(current)
  if (named.size === 0) return { columns: [], rows: [], total_rows: 0, note: noTables }
  const used = current.filter(({ id }) => named.get(id)?.some(({ name }) => isNamed(sql, name)))
  const wanted = (used.length > 0 ? used : current.filter(({ id }) => named.has(id))).slice(0, maxQueryFiles)
  const answer = await queryTables(
    {
      sql,
      files: await Promise.all(
        wanted.map(async ({ id }) => ({
          url: await store.signUrl(tablesKey(sub, id), urlSeconds),
          names: Object.fromEntries((named.get(id) ?? []).map(({ key, name }) => [key, name])),
        })),
      ),
    },
    signal,
  )
  if ('error' in answer) {
    const tables = answer.columns.length > 0 ? answer.columns : listNames([...named.values()].flat())
    return { error: answer.error, tables }
  }
  const sources = wanted.flatMap((file) => listSources(file, named.get(file.id) ?? [], sql))
  return { ...answer, ...(sources.length > 0 && { sources }) }
}

/** Whether a statement has the name as a word; SQL ignores the case of its letters. */
function isNamed(sql: string, name: string): boolean {
  const text = sql.toLowerCase()
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isNamePart(text[at - 1]) && !isNamePart(text[at + name.length])) return true
  return false
}
const isNamePart = (character = '') => /[\p{L}\p{M}\p{N}_]/u.test(character)

const maxListedNames = 50
const listNames = (tables: readonly NamedTable[]) => tables.slice(0, maxListedNames).map(({ name }) => name)

const listSources = ({ name: file }: StoredFile, tables: readonly NamedTable[], sql: string): Source[] =>
  tables
    .filter(({ name }) => isNamed(sql, name))
    .map(({ name, info }) => ({ table: name, file, ...(info.sheet !== undefined && { sheet: info.sheet }) }))
