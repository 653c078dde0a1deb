import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { detectKind } from '../../functions/documents/detect-kind.ts'
import { documentKind } from '../../functions/documents/document-kind.ts'
import { readDocument } from '../../functions/documents/readers.ts'
import { buildTables } from '../../functions/documents/tables/build.ts'
import { queryLimits, runChild } from '../../functions/documents/tables/run-query.ts'
import {
  runStatement,
  type QueryLimits,
  type StatementInput,
} from '../../functions/documents/tables/run-statement.ts'

/** Calls with a folder that is gone afterwards. */
export async function withFolder<Result>(
  call: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'tables-test-'))
  try {
    return await call(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The tables that the reader of a file of this name finds in it. */
export async function readTables(name: string, content: string | Uint8Array) {
  const bytes = new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content)
  const kind = documentKind({ name, type: '' }) ?? 'unknown'
  const { sheets } = await readDocument(detectKind(bytes, kind), bytes)
  const built = await withFolder((folder) => (sheets ? buildTables(sheets, folder) : undefined))
  return built === 'unbuilt' ? undefined : built
}

/** Runs a statement over a file's tables, which are called `t1`, `t2`; in a process of its own what has limits of time or memory. */
export async function queryFile(
  name: string,
  content: string | Uint8Array,
  sql: string,
  { from, csv, ...limits }: Partial<QueryLimits> & Pick<StatementInput, 'from' | 'csv'> = {},
) {
  const built = await readTables(name, content)
  return withFolder((folder) => {
    const path = join(folder, 'a.sqlite')
    if (built) writeFileSync(path, zstdDecompressSync(built.bytes))
    const names = Object.fromEntries(
      (built?.info ?? []).map((_, index) => [`t${index + 1}`, `t${index + 1}`]),
    )
    const files = built ? [{ path, names }] : []
    const input = { sql, files, limits: { ...queryLimits, ...limits }, from, csv }
    return limits.timeMs || limits.memoryMb ? runChild(input) : runStatement(input)
  })
}
