import { sayQuery } from '#shared/sentences/queries.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { joinSentences, toCodes } from '#shared/sentences/to-sentence.ts'
import type { QueryRequest } from '../../documents/tables/query-contract.ts'
import { maxQueryFiles, maxRecordBytes } from '../../documents/tables/query-limits.ts'
import { tablesKey, type ReadingFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { isPublishedFile } from '../../assistants/published-files.ts'
import { nameTables, type NamedTable } from '../prompt/table-context.ts'
import type { QueryTables } from './query-table-tool.ts'
import type { ResultTable } from './result-tables.ts'

// Loaded with the first statement.

/** The parser fetches the databases with these addresses. */
const urlSeconds = 300

/** Where the rows of an answer come from. */
type Source =
  | {
      table: string
      file: string
      sheet?: string
      range: string
      /** with which the statement can be run again; nobody can open the files of an assistant */
      file_id?: string
      /** of the table in the file's database */
      key: string
    }
  | {
      table: string
      /** that returned the list */
      integration: string
      title: string
    }

/** Runs a statement over the files and lists whose tables it names. @param stored where all of its rows are stored @throws DocumentsUnavailable, ObjectStoreUnavailable */
export async function runTableQuery(
  {
    store,
    listFiles,
    listResultTables,
    queryTables,
  }: Pick<ReadingFileDeps, 'store'> & {
    listFiles: () => Promise<StoredFile[]>
    listResultTables: () => readonly ResultTable[]
    queryTables: QueryTables
  },
  sub: string,
  sql: string,
  signal: AbortSignal,
  stored: Pick<QueryRequest, 'csvForm' | 'format'> = {},
) {
  const current = await listFiles()
  const named = nameTables(current)
  const results = listResultTables()
  if (named.size === 0 && results.length === 0) {
    const unbuilt = current.filter(({ tables }) => tables?.length === 0).map(({ name }) => name)
    const problem =
      unbuilt.length > 0 ? sayQuery('query.not_built', { files: unbuilt }) : sayQuery('query.no_tables')
    const none = addGone(sql, problem)
    return { columns: [], rows: [], total_rows: 0, note: joinSentences(none), codes: toCodes(none) }
  }
  const usedFiles = current.filter(({ id }) => named.get(id)?.some(({ name }) => isNamed(sql, name)))
  const usedResults = results.filter(({ name }) => isNamed(sql, name))
  const isAnyNamed = usedFiles.length + usedResults.length > 0
  const wantedResults = isAnyNamed ? usedResults : results
  if (countBytes(wantedResults) > maxRecordBytes)
    return toQueryError([sayQuery('query.lists_too_long')], listNames(wantedResults))
  const wanted = (isAnyNamed ? usedFiles : current.filter(({ id }) => named.has(id))).slice(
    0,
    maxQueryFiles - (wantedResults.length > 0 ? 1 : 0),
  )
  const answer = await queryTables(
    {
      ...stored,
      sql,
      files: [
        ...(await Promise.all(
          wanted.map(async ({ id }) => ({
            url: await store.signUrl(tablesKey(sub, id), urlSeconds),
            names: Object.fromEntries((named.get(id) ?? []).map(({ key, name }) => [key, name])),
          })),
        )),
        ...(wantedResults.length === 0
          ? []
          : [
              {
                records: wantedResults.map(({ records }) => records),
                names: Object.fromEntries(wantedResults.map(({ name }, index) => [`t${index + 1}`, name])),
              },
            ]),
      ],
    },
    signal,
  )
  if ('error' in answer) {
    const tables =
      answer.columns.length > 0 ? answer.columns : listNames([...[...named.values()].flat(), ...results])
    const sentence = answer.said
      ? ({ ...answer.said, text: answer.error } as Sentence)
      : sayQuery('query.sqlite', { message: answer.error })
    return toQueryError(addGone(answer.error, sentence), tables)
  }
  const sources = [
    ...wanted.flatMap((file) => listSources(file, named.get(file.id) ?? [], sql)),
    ...usedResults.map(({ name, source }): Source => ({ table: name, ...source })),
  ]
  return { ...answer, ...(sources.length > 0 && { sources }) }
}

const toQueryError = (sentences: readonly Sentence[], tables: readonly string[]) => ({
  error: sentences.map(({ text }) => (sentences.length > 1 ? text.replace(/\.?$/, '.') : text)).join(' '),
  codes: toCodes(sentences),
  tables,
})

/** Adds what became of a list that an earlier reply, or this one before it waited, had as a table. */
const addGone = (text: string, sentence: Sentence): Sentence[] =>
  /\bresult_\d/.test(text) ? [sentence, sayQuery('query.result_gone')] : [sentence]
const countBytes = (results: readonly ResultTable[]) =>
  results.reduce((sum, { records }) => sum + Buffer.byteLength(JSON.stringify(records)), 0)

/** Whether a statement has the name as a word; SQL ignores the case of its letters. */
function isNamed(sql: string, name: string): boolean {
  const text = sql.toLowerCase()
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isNamePart(text[at - 1]) && !isNamePart(text[at + name.length])) return true
  return false
}
const isNamePart = (character = '') => /[\p{L}\p{M}\p{N}_]/u.test(character)

const maxListedNames = 50
const listNames = (tables: readonly { name: string }[]) =>
  tables.slice(0, maxListedNames).map(({ name }) => name)

const listSources = ({ id, name: file }: StoredFile, tables: readonly NamedTable[], sql: string): Source[] =>
  tables
    .filter(({ name }) => isNamed(sql, name))
    .map(({ key, name, info: { sheet, range } }) => ({
      table: name,
      file,
      ...(sheet !== undefined && { sheet }),
      range,
      ...(!isPublishedFile(id) && { file_id: id }),
      key,
    }))
