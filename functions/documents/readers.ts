import type { DocumentKind } from '#shared/document-formats.ts'
import { DocumentError, type ExtractedText } from './extracted-text.ts'
import { PartReader } from './part-reader.ts'

export type Read = (bytes: Uint8Array, parts: PartReader) => ExtractedText | Promise<ExtractedText>

/** Loaded on demand: a process reads one document, and each library takes time and memory. */
const readers: Readonly<Record<Exclude<DocumentKind, 'unknown'>, () => Promise<Read>>> = {
  word: async () => (await import('./read-word.ts')).readWord,
  pdf: async () => (await import('./read-pdf.ts')).readPdf,
  sheet: async () => (await import('./read-workbook.ts')).readWorkbook,
  slides: async () => (await import('./read-slides.ts')).readSlides,
  openDocument: async () => (await import('./read-open-document.ts')).readOpenDocument,
  book: async () => (await import('./read-book.ts')).readBook,
  rtf: async () => (await import('./read-rtf.ts')).readRtf,
  mail: async () => (await import('./read-mail.ts')).readMail,
  mailbox: async () => (await import('./read-mail.ts')).readMailbox,
  contacts: async () => (await import('./read-cards.ts')).readContacts,
  calendar: async () => (await import('./read-cards.ts')).readCalendar,
  html: async () => (await import('./read-html.ts')).readHtml,
  notebook: async () => (await import('./read-notebook.ts')).readNotebook,
  csv: async () => (await import('./tables/read-csv.ts')).readCsv,
  text: async () => {
    const { readText } = await import('./read-text.ts')
    return (bytes) => readText(bytes)
  },
}

export async function readDocument(
  kind: DocumentKind,
  bytes: Uint8Array,
  parts = new PartReader(readDocument),
): Promise<ExtractedText> {
  if (kind === 'unknown') throw new DocumentError('unsupported', 'no known format')
  const read = await readers[kind]()
  return read(bytes, parts)
}
