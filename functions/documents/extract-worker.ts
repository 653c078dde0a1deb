import { parentPort, workerData } from 'node:worker_threads'
import type { DocumentKind } from '#shared/document-formats.ts'
import { DocumentError, type ExtractedText, type DocumentErrorCode } from './extracted-text.ts'

// Runs in its own thread, so that whatever a document does to its reader ends with the thread.

/** The thread's only message. */
export type ExtractResult = { extracted: ExtractedText } | { problem: DocumentErrorCode; detail: string }

type Read = (bytes: Uint8Array) => ExtractedText | Promise<ExtractedText>

/** Loaded on demand: a thread reads one document, and each library takes time and memory. */
const readers: Readonly<Record<DocumentKind, () => Promise<Read>>> = {
  word: async () => (await import('./read-word.ts')).readWord,
  pdf: async () => (await import('./read-pdf.ts')).readPdf,
  sheet: async () => (await import('./read-workbook.ts')).readWorkbook,
  slides: async () => (await import('./read-slides.ts')).readSlides,
  openDocument: async () => (await import('./read-open-document.ts')).readOpenDocument,
  text: async () => (await import('./read-text.ts')).readText,
  mail: async () => (await import('./read-mail.ts')).readMail,
  notebook: async () => (await import('./read-notebook.ts')).readNotebook,
}

async function run(): Promise<ExtractResult> {
  const { kind, bytes } = workerData as { kind: DocumentKind; bytes: Uint8Array }
  try {
    const read = await readers[kind]()
    return { extracted: await read(bytes) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { problem: error.problem, detail: error.message }
  }
}

parentPort?.postMessage(await run())
