import { getDocumentProxy } from 'unpdf'
import { maxScanBytes, maxScanPages, pagesOfScan } from '../files/stored-text.ts'
import { PdfDataFactory } from './pdf-data.ts'
import { isTimeOver } from './extracted-text.ts'

export interface Scan {
  pages: number[]
  bytes: Uint8Array
}

interface Splitter {
  extractPages: (
    parts: { document: null; includePages: number[] }[],
  ) => Promise<Uint8Array | null | undefined>
}

/** @returns fewer if they are too many or too large, cannot be taken out, or the reader's time is over; never throws */
export async function splitScans(bytes: Uint8Array, pages: readonly number[]): Promise<Scan[]> {
  const scans: Scan[] = []
  let bytesLeft = maxScanBytes
  try {
    const pdf = await getDocumentProxy(bytes, {
      useSystemFonts: false,
      BinaryDataFactory: PdfDataFactory,
      useWorkerFetch: false,
    })
    const take = async (wanted: readonly number[]): Promise<boolean> => {
      const taken = await takePages(pdf as unknown as Splitter, wanted)
      if (!taken || taken.length > bytesLeft) return false
      scans.push({ pages: [...wanted], bytes: taken })
      bytesLeft -= taken.length
      return true
    }
    const some = pages.slice(0, maxScanPages)
    for (let at = 0; at < some.length && !isTimeOver(); at += pagesOfScan) {
      const group = some.slice(at, at + pagesOfScan)
      if (await take(group)) continue
      // together they are too large, or one of them is damaged
      for (const page of group) if (!isTimeOver()) await take([page])
      if (bytesLeft < maxScanBytes / 2) break
    }
  } catch {
    // what was read of the document stays
  }
  return scans.slice(0, maxScanPages / pagesOfScan)
}

async function takePages(pdf: Splitter, pages: readonly number[]): Promise<Uint8Array | undefined> {
  try {
    const taken = await pdf.extractPages([{ document: null, includePages: pages.map((page) => page - 1) }])
    if (!taken) return undefined
    // a server refuses the whole request for a PDF that it cannot open
    const opened = await getDocumentProxy(taken.slice(), { useSystemFonts: false })
    const isWhole = opened.numPages === pages.length
    await opened.cleanup()
    return isWhole ? taken : undefined
  } catch {
    return undefined
  }
}
