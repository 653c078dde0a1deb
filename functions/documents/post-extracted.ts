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

/** The first message; with `tables`, a second one follows. */
export type ExtractResult =
  | { extracted: ExtractedText; tables?: 'follow' }
  | { problem: DocumentErrorCode; detail: string; kind?: DocumentKind }
export interface TablesResult {
  built: BuiltTables | 'unbuilt' | undefined
}

function handOver(error: unknown): ExtractResult | undefined {
  if (!(error instanceof TimeOver)) return undefined
  const extracted = error.collector.end()
  return extracted.text === '' ? undefined : { extracted: { ...extracted, isCut: true } }
}

/** Its libraries are loaded with the first page. */
async function readWebPage(bytes: Uint8Array, url: string): Promise<ExtractedText> {
  const { readPage } = await import('./read-page.ts')
  return readPage(bytes, url)
}

export interface ExtractInput {
  kind: DocumentKind
  bytes: Uint8Array
  timeMs: number
  /** of a page of the web */
  pageUrl?: string | undefined
  folder?: string
}

async function read({ kind, bytes, timeMs, pageUrl }: ExtractInput): Promise<ExtractResult> {
  limitReadingTime(timeMs)
  let found: DocumentKind | undefined
  try {
    found = detectKind(bytes, kind)
    const extracted = await (found === 'html' && pageUrl !== undefined
      ? readWebPage(bytes, pageUrl)
      : readDocument(found, bytes))
    return { extracted }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return handOver(error) ?? { problem: error.problem, detail: error.message, ...(found && { kind: found }) }
  }
}

/** Reads a document and posts what it finds: the text first, so that it stays whatever the tables do to the process. */
export async function postExtracted(
  input: ExtractInput,
  post: (message: ExtractResult | TablesResult) => Promise<void>,
): Promise<void> {
  const result = await read(input)
  if ('problem' in result) return post(result)
  const { sheets, ...extracted } = result.extracted
  const { folder } = input
  if (!sheets || folder === undefined) return post({ extracted })
  await post({ extracted, tables: 'follow' })
  const { buildTables } = await import('./tables/build.ts')
  await post({ built: buildTables(sheets, folder) })
}
