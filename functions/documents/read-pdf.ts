import { getDocumentProxy } from 'unpdf'
import { DocumentError, TextCollector, type ExtractedText } from './extracted-text.ts'

/** Pages that are not read within this time are left out. */
const readingMs = 12_000

interface TextItem {
  str?: string
  hasEOL?: boolean
}

/** @throws DocumentError if it is not a PDF, or needs a password */
export async function readPdf(bytes: Uint8Array): Promise<ExtractedText> {
  const endsAtMs = performance.now() + readingMs
  try {
    const pdf = await getDocumentProxy(bytes, { useSystemFonts: false })
    const text = new TextCollector()
    const ends: number[] = []
    for (let number = 1; number <= pdf.numPages; number += 1) {
      if (text.isFull || (number > 1 && performance.now() > endsAtMs)) break
      const page = await pdf.getPage(number)
      const { items } = await page.getTextContent()
      const content = (items as TextItem[])
        .map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str))
        .join('')
        .trim()
      if (content !== '') text.add(text.length > 0 ? `\n\n${content}` : content)
      ends.push(text.length)
      page.cleanup()
    }
    return { ...text.end(), pages: { ends, total: pdf.numPages } }
  } catch (error) {
    throw new DocumentError('unreadable', 'not a readable PDF', { cause: error })
  }
}
