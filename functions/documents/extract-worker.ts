import { parentPort, workerData } from 'node:worker_threads'
import type { DocumentKind } from './document-kind.ts'
import { DocumentError, type ExtractedText, type DocumentErrorCode } from './extracted-text.ts'
import { readOpenDocument } from './read-open-document.ts'
import { readPdf } from './read-pdf.ts'
import { readWorkbook } from './read-workbook.ts'
import { readSlides } from './read-slides.ts'
import { readText } from './read-text.ts'
import { readWord } from './read-word.ts'

// Runs in its own thread, so that whatever a document does to its reader ends with the thread.

/** The thread's only message. */
export type ExtractResult = { extracted: ExtractedText } | { problem: DocumentErrorCode; detail: string }

const readers: Readonly<Record<DocumentKind, (bytes: Uint8Array) => ExtractedText | Promise<ExtractedText>>> =
  {
    word: readWord,
    pdf: readPdf,
    sheet: readWorkbook,
    slides: readSlides,
    openDocument: readOpenDocument,
    text: readText,
  }

async function run(): Promise<ExtractResult> {
  const { kind, bytes } = workerData as { kind: DocumentKind; bytes: Uint8Array }
  try {
    return { extracted: await readers[kind](bytes) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { problem: error.problem, detail: error.message }
  }
}

parentPort?.postMessage(await run())
