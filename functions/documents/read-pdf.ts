import { getDocumentProxy } from 'unpdf'
import { CMapFactory } from './cmap-factory.ts'
import { countPdfPictures } from './count-pdf-pictures.ts'
import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import { formatAnnotations } from './pdf-annotations.ts'
import { formatPage } from './pdf-lines.ts'

/** Pages that are not read within this time are left out. */
const readingMs = 12_000

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

/** The text of a page, the values of its form and its comments. */
async function readPage(pdf: Document, number: number): Promise<string> {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  // a damaged annotation does not cost the page its text
  const annotations = await page.getAnnotations().catch(() => [])
  page.cleanup()
  const text = formatPage(items.flatMap((item) => ('str' in item ? item : [])))
  return [text, formatAnnotations(annotations)].filter((part) => part !== '').join('\n\n')
}

/** @throws DocumentError if it is not a PDF, or needs a password */
export async function readPdf(bytes: Uint8Array): Promise<ExtractedText> {
  const endsAtMs = performance.now() + readingMs
  const omissions = new OmissionCounter()
  // before pdf.js takes the bytes
  omissions.add('pictures', countPdfPictures(bytes))
  try {
    const pdf = await getDocumentProxy(bytes, {
      useSystemFonts: false,
      BinaryDataFactory: CMapFactory,
      // without it, pdf.js would read files itself
      useWorkerFetch: false,
      cMapPacked: true,
    })
    const text = new TextCollector()
    const ends: number[] = []
    const empty: number[] = []
    for (let number = 1; number <= pdf.numPages; number += 1) {
      if (text.isFull || (number > 1 && performance.now() > endsAtMs)) break
      const content = await readPage(pdf, number)
      if (content === '') empty.push(number)
      else text.add(text.length > 0 ? `\n\n${content}` : content)
      ends.push(text.length)
    }
    const omitted = omissions.end()
    return {
      ...text.end(),
      pages: { ends, total: pdf.numPages, ...(empty.length > 0 && { empty }) },
      ...(omitted.length > 0 && { omitted }),
    }
  } catch (error) {
    throw new DocumentError('unreadable', 'not a readable PDF', { cause: error })
  }
}
