import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DocumentKind } from '#shared/document-formats.ts'
import { strToU8, zipSync } from 'fflate'
import { xlsx } from '../support/documents.ts'
import { ms, type Bench } from './figures.ts'

/** The function's memory, and the share of its time that a document has. */
const budget = { readMs: 100_000, peakMb: 2_048, queryMs: 10_000 }

const titles = ['region', 'customer', 'day', 'amount', 'price', 'count']
const makeRow = (index: number): (string | number)[] => [
  ['North', 'South', 'West', 'East'][index % 4] ?? '',
  `Customer ${(index * 7_919) % 5_000}`,
  `2026-${String((index % 12) + 1).padStart(2, '0')}-${String((index % 28) + 1).padStart(2, '0')}`,
  ((index * 7_919) % 1_000_003) / 100,
  (index % 997) / 10,
  index % 41,
]
const makeRows = (count: number) => Array.from({ length: count }, (_, index) => makeRow(index))

const makeCsv = (count: number) =>
  Buffer.from([titles, ...makeRows(count)].map((row) => `${row.join(',')}\n`).join(''))

/** Cells as LibreOffice writes them. */
function makeOds(count: number): Uint8Array {
  const cell = (value: string | number) =>
    typeof value === 'number'
      ? `<table:table-cell office:value-type="float" office:value="${value}" calcext:value-type="float"><text:p>${value}</text:p></table:table-cell>`
      : `<table:table-cell office:value-type="string" calcext:value-type="string"><text:p>${value}</text:p></table:table-cell>`
  const rows = [titles, ...makeRows(count)].map(
    (row) => `<table:table-row table:style-name="ro1">${row.map(cell).join('')}</table:table-row>`,
  )
  const names = ['office', 'table', 'text'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  return zipSync({
    mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'),
    'content.xml': strToU8(
      `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${names.join(' ')} xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"><office:body><office:spreadsheet><table:table table:name="Sales">${rows.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
    ),
  })
}

const makers: readonly { what: string; kind: DocumentKind; make: (count: number) => Uint8Array }[] = [
  { what: 'csv', kind: 'csv', make: makeCsv },
  { what: 'xlsx', kind: 'sheet', make: (count) => xlsx({ Sales: [titles, ...makeRows(count)] }) },
  { what: 'ods', kind: 'openDocument', make: makeOds },
]

interface Query {
  ms: number
  rows?: number
  /** on a busy machine a statement may be ended */
  error?: string
}
interface Measurement {
  readMs: number
  peakMb: number
  databaseMb: number
  storedMb: number
  sum: Query
  sort: Query
  csv: Query
}

export const tablesBench: Bench = {
  name: 'tables',
  title: 'Tables of documents: reading, and queries',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'juno-tables-'))
    try {
      const figures = []
      for (const count of [50_000, 500_000])
        for (const { what, kind, make } of makers) {
          const path = join(folder, 'document')
          const bytes = make(count)
          await writeFile(path, bytes)
          const module = join(import.meta.dirname, 'tables-process.ts')
          const run = promisify(execFile)(process.execPath, [module, kind, path])
          const { stdout } = await run.catch((error: unknown) => ({ stdout: '', error }))
          const title = `${what}, ${count.toLocaleString('en')} rows of ${titles.length} cells (${(bytes.length / 1024 / 1024).toFixed(1)} MB`
          if (stdout === '') {
            figures.push({ what: `${title})`, measured: 'no tables: too large', met: false })
            continue
          }
          const { readMs, peakMb, databaseMb, storedMb, sum, sort, csv } = JSON.parse(stdout) as Measurement
          const queries = [sum, sort, csv]
          const times = queries.map((query) => (query.error === undefined ? ms(query.ms) : 'ended'))
          figures.push({
            what: `${title}; database ${databaseMb.toFixed(0)} MB, stored ${storedMb.toFixed(0)} MB): processor time of reading, peak of the process; sums by group, sorting all, CSV of ${(csv.rows ?? 0).toLocaleString('en')} rows`,
            measured: `${ms(readMs)}, ${peakMb.toFixed(0)} MB; ${times.join(', ')}`,
            budget: `< ${budget.readMs / 1_000} s, < ${budget.peakMb} MB; < ${budget.queryMs / 1_000} s`,
            met:
              readMs < budget.readMs &&
              peakMb < budget.peakMb &&
              queries.every((query) => query.error === undefined),
          })
        }
      return figures
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
