import { picturesKey, type ReadingFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { maxScanBytes, maxScanPages } from '../../files/stored-text.ts'
import { formatRange, listRanges } from '../../platform/number-ranges.ts'
import type { ContentPart, PdfPart } from '../../models/model.ts'

// Pages of documents that their text does not show: scans, drawings, fonts that do not tell their characters. Models that see get them, as
// PDFs where their API takes them, else as pictures.

/** What a page takes of the room for documents: 2,500 tokens. */
const pageBytes = 10_000

/** What a reply may show of pages. */
export interface PageLimits {
  maxPagePictures: number
  takesPdfs: boolean
}

/** What is left of that, and of the room for documents. */
export type PageRoom = ReturnType<typeof pageRoom>
/** The room for pages of documents in a prompt, before any is shown. */
export const pageRoom = ({ maxPagePictures, takesPdfs }: PageLimits) => ({
  pictures: maxPagePictures,
  // a model that sees no images sees no PDFs
  pdfPages: takesPdfs && maxPagePictures > 0 ? maxScanPages : 0,
  pdfBytes: maxScanBytes,
})

export const noRoom: PageRoom = { pictures: 0, pdfPages: 0, pdfBytes: 0 }

/** How many pictures and PDFs of a document are shown; the pictures stand for the PDFs if a server refuses them. */
export interface PagePlan {
  pictures: number
  pdfs: number
  /** of the room for documents */
  bytes: number
  /** pages of the PDFs, and their bytes */
  pdfPages: number
  pdfBytes: number
}
export const noPlan: PagePlan = { pictures: 0, pdfs: 0, bytes: 0, pdfPages: 0, pdfBytes: 0 }

const countPages = (parts: readonly (readonly [pages: readonly number[], bytes: number])[]) =>
  parts.reduce((sum, [pages]) => sum + pages.length, 0)

/** Plans what is shown of a document, and takes it from the room. The more pages are seen, the better. */
export function planPages(
  { pictures = [], scans = { of: 0, parts: [] } }: StoredFile,
  room: PageRoom,
  bytesLeft: number,
): PagePlan {
  const most = Math.max(0, Math.floor(bytesLeft / pageBytes))
  const pictureCount = Math.min(pictures.length, room.pictures, most)
  let pdfs = 0
  let [pages, bytes] = [0, 0]
  for (const [of, size] of scans.parts) {
    if (pages + of.length > Math.min(most, room.pdfPages) || bytes + size > room.pdfBytes) break
    pdfs += 1
    pages += of.length
    bytes += size
  }
  room.pictures -= pictureCount
  if (pages < pictureCount || pdfs === 0)
    return { ...noPlan, pictures: pictureCount, bytes: pictureCount * pageBytes }
  room.pdfPages -= pages
  room.pdfBytes -= bytes
  return { pictures: pictureCount, pdfs, bytes: pages * pageBytes, pdfPages: pages, pdfBytes: bytes }
}

/** Bytes of pages that were read. */
export interface ShownPages {
  pictures: { page: number; bytes: Uint8Array }[]
  pdfs: { pages: readonly number[]; bytes: Uint8Array }[]
}
export const noPages: ShownPages = { pictures: [], pdfs: [] }

/** Reads what was planned. @throws ObjectStoreUnavailable */
export async function readPages(
  store: ReadingFileDeps['store'],
  sub: string,
  { id, pictures = [], scans = { of: 0, parts: [] } }: StoredFile,
  plan: PagePlan,
): Promise<ShownPages> {
  const sum = (sizes: readonly (readonly [unknown, number])[]) =>
    sizes.reduce((all, [, size]) => all + size, 0)
  const wanted = pictures.slice(0, plan.pictures)
  const parts = scans.parts.slice(0, plan.pdfs)
  const behind = sum(pictures)
  const [first, second] = await Promise.all([
    wanted.length > 0 ? store.readRange(picturesKey(sub, id), 0, sum(wanted)) : undefined,
    parts.length > 0 ? store.readRange(picturesKey(sub, id), behind, behind + sum(parts)) : undefined,
  ])
  let at = 0
  const cut = (bytes: Uint8Array, size: number) => bytes.slice(at, (at += size))
  const shown = first ? wanted.map(([page, size]) => ({ page, bytes: cut(first.bytes, size) })) : []
  at = 0
  return {
    pictures: shown,
    pdfs: second ? parts.map(([pages, size]) => ({ pages, bytes: cut(second.bytes, size) })) : [],
  }
}

/** Which pages the model sees, and that there are others. @returns empty if it sees none */
function describePages(file: StoredFile, pages: readonly number[], form: string): string {
  if (pages.length === 0) return ''
  const of = Math.max(file.scans?.of ?? 0, file.pictures?.length ?? 0, countPages(file.scans?.parts ?? []))
  const share = pages.length < of ? `${pages.length} of ${of} ` : ''
  const list = listRanges(pages).map(formatRange).join(', ')
  return `${share}pages without readable text follow as ${form}: ${list}`
}

const toDataUrl = (type: string, bytes: Uint8Array) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

/**
 * What a model gets to see of a document's pages.
 * @param renderTag writes the document's tag with a note
 * @returns a note for its tag, empty if nothing is shown; and what follows the message's text
 */
export function showPages(
  file: StoredFile,
  { pictures, pdfs }: ShownPages,
  renderTag: (note: string) => string,
): { note: string; parts: ContentPart[] } {
  const images = pictures.map(({ bytes }) => ({
    type: 'image_url' as const,
    image_url: { url: toDataUrl('image/png', bytes) },
  }))
  const asImages = describePages(
    file,
    pictures.map(({ page }) => page),
    'images',
  )
  if (pdfs.length === 0) return { note: asImages, parts: images }
  const instead = renderTag(asImages === '' ? 'its pages could not be shown to you' : `no PDF: ${asImages}`)
  const note = describePages(
    file,
    pdfs.flatMap(({ pages }) => pages),
    'a PDF',
  )
  const parts = pdfs.map(({ pages, bytes }, index): PdfPart => ({
    type: 'file',
    file: {
      filename: `${file.name.replace(/\.pdf$/i, '')} (${listRanges(pages).map(formatRange).join(', ')}).pdf`,
      file_data: toDataUrl('application/pdf', bytes),
    },
    pages: pages.length,
    instead: index === 0 ? [{ type: 'text', text: instead }, ...images] : [],
  }))
  return { note, parts }
}
