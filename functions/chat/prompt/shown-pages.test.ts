import { describe, expect, it } from 'vitest'
import { aReadDocument } from '../../../test/support/read-documents.ts'
import { maxScanBytes, maxScanPages } from '../../files/stored-text.ts'
import { pageRoom, planPages } from './shown-pages.ts'

describe('the room for pages', () => {
  it.each([
    ['sees images and takes PDFs', 5, true, [5, maxScanPages]],
    ['sees images only', 5, false, [5, 0]],
    ['takes PDFs and sees no images', 0, true, [0, 0]],
  ])('of a model that %s', (_, maxPagePictures, takesPdfs, [pictures, pdfPages]) => {
    expect(pageRoom({ maxPagePictures, takesPdfs })).toEqual({ pictures, pdfPages, pdfBytes: maxScanBytes })
  })
})

describe('the plan of a document’s pages', () => {
  const scans = {
    of: 4,
    parts: [[[1, 2], 100] as [number[], number], [[3, 4], 50] as [number[], number]],
  }
  const document = { ...aReadDocument('a', ''), scans, pictures: [[1, 10] as [number, number]] }
  /** @returns the number of PDFs, and what is left of the room */
  const plan = (room: { pdfPages?: number; pdfBytes?: number; pictures?: number }, bytesLeft = 1_000_000) => {
    const left = { pictures: 1, pdfPages: 4, pdfBytes: 150, ...room }
    const { pdfs, pictures } = planPages(document, left, bytesLeft)
    return { pdfs, pictures, left }
  }

  it('has as many PDFs as fit by their pages and by their bytes, and takes these from the room', () => {
    expect(plan({})).toEqual({ pdfs: 2, pictures: 1, left: { pictures: 0, pdfPages: 0, pdfBytes: 0 } })
    expect(plan({ pdfBytes: 149 })).toMatchObject({ pdfs: 1, left: { pdfPages: 2, pdfBytes: 49 } })
    expect(plan({ pdfPages: 3 })).toMatchObject({ pdfs: 1, left: { pdfPages: 1, pdfBytes: 50 } })
    expect(plan({}, 39_999)).toMatchObject({ pdfs: 1, left: { pdfPages: 2, pdfBytes: 50 } })
  })

  it('has pictures where no PDF fits, and nothing without room', () => {
    expect(plan({ pdfBytes: 99 })).toEqual({
      pdfs: 0,
      pictures: 1,
      left: { pictures: 0, pdfPages: 4, pdfBytes: 99 },
    })
    expect(plan({ pdfPages: 0, pictures: 0 })).toMatchObject({ pdfs: 0, pictures: 0 })
    expect(plan({}, 9_999)).toMatchObject({ pdfs: 0, pictures: 0 })
  })
})
