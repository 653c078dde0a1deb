import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DocumentKind } from '#shared/document-formats.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { ChildFailure, runChildProcess } from './child-process.ts'
import { DocumentError, type DocumentErrorCode, type ExtractedText } from './extracted-text.ts'
import type { ExtractInput, ExtractResult, TablesResult } from './post-extracted.ts'
import type { BuiltTables } from './tables/build.ts'

/** After this time of the processor a reader hands over what it has. */
const maxExtractionMs = 100_000
/** After these, its process ends. */
const graceMs = 10_000
/** By the clock. Together with the time for the index less than the parser has. */
const maxMs = 330_000
const heapMb = 512
/** With what is not in the heap: bytes, pictures and the memory of WebAssembly. */
const outsideMb = 1_024

export interface Extracted {
  text: ExtractedText
  /** `unbuilt`: there may be some, and they could not be built */
  tables: BuiltTables | 'unbuilt' | undefined
}

/** When the time of the separate process is over, the text that was read so far is the result. @throws DocumentError, ChildFailure */
export async function extract(
  kind: DocumentKind,
  bytes: Uint8Array<ArrayBuffer>,
  {
    timeMs = maxExtractionMs,
    afterMs = graceMs,
    memoryMb = heapMb,
    pageUrl,
  }: { timeMs?: number; afterMs?: number; memoryMb?: number; pageUrl?: string | undefined } = {},
): Promise<Extracted> {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'))
  try {
    return await readInProcess({ kind, bytes, timeMs, folder, pageUrl }, { afterMs, memoryMb })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readInProcess(
  input: ExtractInput,
  { afterMs, memoryMb: heap }: { afterMs: number; memoryMb: number },
): Promise<Extracted> {
  const limits = { timeMs: input.timeMs + afterMs, maxMs, heapMb: heap, memoryMb: heap + outsideMb }
  let result: ExtractResult | undefined
  let tables: Extracted['tables']
  const consume = (message: ExtractResult | TablesResult) => {
    if ('built' in message) tables = message.built
    else result = message
    return !('tables' in message)
  }
  try {
    await runChildProcess(new URL('./extract-child.ts', import.meta.url), input, limits, consume)
  } catch (error) {
    if (!result) throw toDocumentError(error)
    logger.warn('the tables of a document could not be built', { error })
    tables = 'unbuilt'
  }
  if (!result) throw new DocumentError('unreadable', 'the reader ended without a result')
  if ('problem' in result) throw new DocumentError(result.problem, result.detail, { kind: result.kind })
  return { text: result.extracted, tables }
}

const problems: Record<Exclude<ChildFailure['reason'], 'stopped'>, DocumentErrorCode> = {
  memory: 'tooLarge',
  time: 'tooSlow',
  late: 'late',
  crash: 'unreadable',
}

/** What the end of the reader's process says about its document. One that was stopped says nothing about it. */
function toDocumentError(error: unknown): unknown {
  if (!(error instanceof ChildFailure) || error.reason === 'stopped') return error
  return new DocumentError(problems[error.reason], 'the reader failed', { cause: error })
}
