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

// Runs in its own thread, so that whatever a document does to its reader ends with the thread.

/** The thread's only message. */
export type ExtractResult =
  | { extracted: ExtractedText }
  | { problem: DocumentErrorCode; detail: string; kind?: DocumentKind }

/** What was read when the time was over. @returns undefined if that is nothing */
function handOver(error: unknown): ExtractResult | undefined {
  if (!(error instanceof TimeOver)) return undefined
  const extracted = error.collector.end()
  return extracted.text === '' ? undefined : { extracted: { ...extracted, isCut: true } }
}

async function run(): Promise<ExtractResult> {
  const { kind, bytes, timeMs } = workerData as { kind: DocumentKind; bytes: Uint8Array; timeMs: number }
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

parentPort?.postMessage(await run())
