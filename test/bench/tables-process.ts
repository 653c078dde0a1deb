import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { maxCsvRows } from '#shared/limits.ts'
import type { DocumentKind } from '#shared/document-formats.ts'
import { extract } from '../../functions/documents/extract.ts'
import { maxCsvBytes } from '../../functions/documents/tables/query-limits.ts'
import { queryLimits, runChild } from '../../functions/documents/tables/run-query.ts'
import { readCpuMs, watchMemory } from './child-use.ts'

// Reads a document with its tables as the function does, then queries them, in a separate process to measure its memory: `kind path`.

const [kind = '', source = ''] = process.argv.slice(2)
const bytes = new Uint8Array(await readFile(source))
const startedAt = readCpuMs()
const readPeakMb = watchMemory()
// a busy machine may take any time
const { tables } = await extract(kind as DocumentKind, bytes, { timeMs: 900_000 })
const readMs = readCpuMs() - startedAt
const peakMb = readPeakMb()
if (!tables || tables === 'unbuilt') throw new Error('the document has no tables')

const folder = await mkdtemp(join(tmpdir(), 'bench-tables-'))
try {
  const path = join(folder, 'tables.sqlite')
  const database = zstdDecompressSync(tables.bytes)
  await writeFile(path, database)
  const measure = async (sql: string, csv = false) => {
    const queriedAt = performance.now()
    const answer = await runChild({
      sql,
      files: [{ path, names: { t1: 'sales' } }],
      limits: queryLimits,
      ...(csv && { csv: { path: join(folder, 'result.csv'), maxRows: maxCsvRows, maxBytes: maxCsvBytes } }),
    })
    const ms = performance.now() - queriedAt
    return 'error' in answer
      ? { ms, error: answer.error }
      : { ms, rows: csv ? answer.csv_rows : answer.total_rows }
  }
  process.stdout.write(
    JSON.stringify({
      readMs,
      peakMb,
      databaseMb: database.length / 1024 / 1024,
      storedMb: tables.bytes.length / 1024 / 1024,
      sum: await measure('SELECT region, sum(amount), avg(price) FROM sales GROUP BY region'),
      sort: await measure('SELECT * FROM sales ORDER BY customer, amount DESC'),
      csv: await measure('SELECT * FROM sales', true),
    }),
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}
