import { parentPort, workerData } from 'node:worker_threads'
import type { DocumentKind } from './document-kind.ts'
import { DocumentError, type Extracted, type DocumentErrorCode } from './extracted.ts'
import { readPdf } from './read-pdf.ts'
import { readSheet } from './read-sheet.ts'
import { readSlides } from './read-slides.ts'
import { readText } from './read-text.ts'
import { readWord } from './read-word.ts'

// Runs in its own thread, so that whatever a document does to its reader ends with the thread.

/** The thread's only message. */
export type ExtractResult = { extracted: Extracted } | { problem: DocumentErrorCode; detail: string }

const readers: Readonly<Record<DocumentKind, (bytes: Uint8Array) => Extracted | Promise<Extracted>>> = {
  word: readWord,
  pdf: readPdf,
  sheet: readSheet,
  slides: readSlides,
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
