import type { RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { AttachmentNotFound } from '../files/errors.ts'
import { queryResultPrefix, tablesKey, type FileDeps } from '../files/file-links.ts'
import { disposition } from '../files/file-name.ts'
import type { ReadingRepository } from '../files/reading-repository.ts'
import { presignUpload } from '../platform/s3/object-writer.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { QueryFailed, TableFileGone } from './errors.ts'
import type { QueryAnswer, QueryRequest } from './tables/query-contract.ts'
import { maxCsvBytes, maxQueryFiles } from './tables/query-limits.ts'

type Query = RouteRequest<'documents.query'>

interface QueryDeps extends FileDeps<Pick<ReadingRepository, 'find'>> {
  queryTables: (request: QueryRequest, signal: AbortSignal) => Promise<QueryAnswer>
}

/** Slightly less than the timeout of the gateway. */
const maxWaitMs = 26_000
const urlSeconds = 300
const csvType = 'text/csv; charset=utf-8'

/** For more rows of an earlier result, or all of them as a file. @throws TableFileGone, QueryFailed, DocumentsUnavailable */
export async function repeatQuery(
  deps: QueryDeps,
  sub: string,
  { sql, tables, format, from }: Query,
): Promise<RouteResponse<'documents.query'>> {
  const { store, queryTables } = deps
  const files = await signFiles(deps, sub, tables)
  const signal = AbortSignal.timeout(maxWaitMs)
  if (format === 'rows') {
    const { columns, rows, total_rows } = requireRows(await queryTables({ sql, files, from }, signal))
    return { columns, rows, total_rows }
  }
  const key = `${queryResultPrefix(sub)}${crypto.randomUUID()}/csv`
  const csvForm = await presignUpload(
    store,
    key,
    { type: csvType, size: maxCsvBytes, minSize: 0 },
    urlSeconds,
  )
  const { csv_rows = 0, total_rows } = requireRows(await queryTables({ sql, files, csvForm }, signal))
  const name = `${tables[0]?.table ?? 'result'}.csv`
  const url = await store.signLink(key, { type: csvType, disposition: disposition('attachment', name) })
  return { url, csv_rows, total_rows }
}

async function signFiles({ files, store }: QueryDeps, sub: string, tables: Query['tables']) {
  const byFile = Map.groupBy(tables, ({ file_id }) => file_id)
  if (byFile.size > maxQueryFiles) throw new QueryFailed(`${byFile.size} files`)
  return waitForAll(
    [...byFile].map(async ([id, named]) => {
      const file = await files.find(sub, id).catch((cause: unknown) => {
        if (cause instanceof AttachmentNotFound) throw new TableFileGone(`no file ${id}`, { cause })
        throw cause
      })
      const count = file.tables?.length ?? 0
      const isThere = named.every(({ key }) => Number(key.slice(1)) >= 1 && Number(key.slice(1)) <= count)
      if (file.state !== 'ready' || !isThere) throw new TableFileGone(`no such table in ${id}`)
      return {
        url: await store.signUrl(tablesKey(sub, id), urlSeconds),
        names: Object.fromEntries(named.map(({ key, table }) => [key, table])),
      }
    }),
  )
}

function requireRows(answer: QueryAnswer): Exclude<QueryAnswer, { error: string }> {
  if (!('error' in answer)) return answer
  // the file was deleted between its row and the query
  if (answer.isGone) throw new TableFileGone('a database is gone')
  throw new QueryFailed('the statement failed')
}
