import { expect } from 'vitest'
import { formatWholePage } from '../../functions/documents/pdf-lines.ts'
import type { PageMarks, TextItem } from '../../functions/documents/pdf-pieces.ts'
import { readDocument } from '../../functions/documents/readers.ts'
import { pdfStream, rawPdf } from './documents.ts'

/** The text of a page with its layout: the check of its letters found nothing to mend. */
export function formatPage(items: readonly TextItem[], marks: PageMarks = {}): string {
  const { text, difference, plain } = formatWholePage(items, marks)
  expect(difference).toEqual({ lost: '', added: '' })
  expect(plain).toBeUndefined()
  return text
}

/** The text of a PDF, all of whose pages have their layout. */
export async function readPdfText(bytes: Uint8Array): Promise<string> {
  const { text, pages } = await readDocument('pdf', bytes)
  expect(pages?.plain).toBeUndefined()
  return text
}

/** The text of a page whose font is named F. @param more objects, from 6 on */
export const readPdfPage = (
  content: string,
  font: string,
  { more = [], fonts = '' }: { more?: readonly string[]; fonts?: string } = {},
): Promise<string> =>
  readPdfText(
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R ${fonts} >> >> >>`,
      pdfStream(content),
      font,
      ...more,
    ]),
  )
