import { parentPort, workerData } from 'node:worker_threads'
import type { DocumentKind } from '#shared/document-formats.ts'
import { detectKind } from './detect-kind.ts'
import {
  DocumentError,
  limitReadingTime,
  TimeOver,
  type DocumentErrorCode,
  type ExtractedText,
} from './extracted-text.ts'
import { readDocument } from './readers.ts'
import type { BuiltTables } from './tables/build.ts'

// Runs in its own thread, so that whatever a document does to its reader ends with the thread.

/** The thread's first message; with `tables`, a second one follows. */
export type ExtractResult =
  | { extracted: ExtractedText; tables?: 'follow' }
  | { problem: DocumentErrorCode; detail: string; kind?: DocumentKind }
/** The second message: the tables of the document, if it has any. */
export interface TablesResult {
  built: BuiltTables | undefined
}

/** What was read when the time was over. @returns undefined if that is nothing */
function handOver(error: unknown): ExtractResult | undefined {
  if (!(error instanceof TimeOver)) return undefined
  const extracted = error.collector.end()
  return extracted.text === '' ? undefined : { extracted: { ...extracted, isCut: true } }
}

interface Input {
  kind: DocumentKind
  bytes: Uint8Array
  timeMs: number
  /** for temporary files; without one no tables are built */
  folder?: string
}

async function run({ kind, bytes, timeMs }: Input): Promise<ExtractResult> {
  limitReadingTime(timeMs)
  let found: DocumentKind | undefined
  try {
    found = detectKind(bytes, kind)
    return { extracted: await readDocument(found, bytes) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return handOver(error) ?? { problem: error.problem, detail: error.message, ...(found && { kind: found }) }
  }
}

const input = workerData as Input
const result = await run(input)
if ('problem' in result) parentPort?.postMessage(result)
else {
  const { sheets, ...extracted } = result.extracted
  const { folder } = input
  // the text first: it stays, whatever the tables do to the thread
  parentPort?.postMessage({ extracted, ...(sheets && folder !== undefined && { tables: 'follow' }) })
  if (sheets && folder !== undefined) {
    const { buildTables } = await import('./tables/build.ts')
    const built = buildTables(sheets, folder)
    parentPort?.postMessage({ built } satisfies TablesResult, built ? [built.bytes.buffer] : [])
  }
}
