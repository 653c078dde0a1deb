import { sayQuery } from '#shared/sentences/queries.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { maxCsvRows } from '#shared/limits.ts'
import { fetchObject, putSignedObject } from '../bucket-object.ts'
import { ChildFailure, runChildProcess } from '../child-process.ts'
import { storedTypes } from '../stored-types.ts'
import { queryAnswer, type QueryAnswer, type QueryRequest } from './query-contract.ts'
import { maxAnswerCharacters, maxCsvBytes, maxRows } from './query-limits.ts'
import type { QueryLimits, StatementInput } from './run-statement.ts'

export const queryLimits: QueryLimits = {
  timeMs: 10_000,
  memoryMb: 256,
  rows: maxRows,
  characters: maxAnswerCharacters,
}
/** By the clock, less than the caller waits. Then nothing is known of the statement. */
const maxMs = 30_000
const heapMb = 512
const maxCompressedBytes = storedTypes.tables.maxBytes
/** All files together: the disk of a function has 512 MB. */
const maxUnpackedBytes = 320 * 1024 * 1024

const unpack = promisify(zstdDecompress)
const failed = ({ text, ...said }: Sentence) => ({ error: text, said, columns: [] })

/** @param origin of the bucket @throws Error if the bucket does not respond */
export async function runQuery(
  { sql, files, from, csvForm, format }: QueryRequest,
  { origin, limits = queryLimits }: { origin: string; limits?: QueryLimits },
): Promise<QueryAnswer> {
  const folder = await mkdtemp(join(tmpdir(), 'query-'))
  try {
    const stored: StatementInput['files'] = []
    let left = maxUnpackedBytes
    for (const [index, file] of files.entries()) {
      const { names } = file
      const path = join(folder, `${index}.sqlite`)
      stored.push({ path, names })
      if ('records' in file) {
        const { writeRecords } = await import('./write-records.ts')
        writeRecords(file.records, path)
        continue
      }
      const packed = await fetchObject(file.url, { origin, maxBytes: maxCompressedBytes })
      if (!packed) {
        const tables = Object.values(names).join(', ')
        return { ...failed(sayQuery('query.not_stored', { tables })), isGone: true }
      }
      const bytes = await unpack(packed, { maxOutputLength: left }).catch(() => undefined)
      if (!bytes) return failed(sayQuery('query.too_large'))
      left -= bytes.length
      await writeFile(path, bytes)
    }
    if (!csvForm) return await runChild({ sql, files: stored, limits, from })
    const path = join(folder, 'result.csv')
    const csv = { path, maxRows: maxCsvRows, maxBytes: maxCsvBytes, isJson: format === 'json' }
    const answer = await runChild({ sql, files: stored, limits, csv })
    if (!('error' in answer))
      await putSignedObject(csvForm, { origin, body: new Uint8Array(await readFile(path)) })
    return answer
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs a statement in a process that ends with it. */
export async function runChild(input: StatementInput): Promise<QueryAnswer> {
  const { timeMs, memoryMb } = input.limits
  const script = new URL('./query-child.ts', import.meta.url)
  try {
    return queryAnswer.parse(await runChildProcess(script, input, { timeMs, maxMs, heapMb, memoryMb }))
  } catch (error) {
    const reason = error instanceof ChildFailure ? error.reason : undefined
    if (reason === 'memory') return failed(sayQuery('query.memory', { megabytes: memoryMb }))
    if (reason === 'time') return failed(sayQuery('query.time', { seconds: timeMs / 1_000 }))
    throw error
  }
}
