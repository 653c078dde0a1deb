import { readFileSync } from 'node:fs'
import { beforeEach, expect, it, vi } from 'vitest'
import { getDocumentProxy } from 'unpdf'
import { readDocument } from './readers.ts'
import { splitScans } from './split-scans.ts'

beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

const open = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../test/fixtures/files/pdf/${name}.pdf`, import.meta.url)))
const countPages = async (bytes: Uint8Array) => (await getDocumentProxy(bytes.slice())).numPages

// 13 pages: 4 is blank, 6 has text, 8 a drawing
it('takes the pages that their text does not show, a few at a time, without blank ones', async () => {
  const { text, scans, pictures } = await readDocument('pdf', open('scan-long'))
  expect(text).toBe('Terms: 30 days')
  expect(scans?.of).toBe(11)
  expect(scans?.parts.map(({ pages }) => pages)).toEqual([[1, 2, 3, 5, 7], [8, 9, 10, 11, 12], [13]])
  expect(await Promise.all((scans?.parts ?? []).map(({ bytes }) => countPages(bytes)))).toEqual([5, 5, 1])
  expect(pictures?.map(({ page }) => page)).toEqual([1, 2, 3, 5, 7, 9, 10, 11, 12, 13])
})

it('opens without the password that its document needs for changes', async () => {
  const [scan] = await splitScans(open('owner-password'), [1])
  expect(await countPages(scan?.bytes ?? new Uint8Array())).toBe(1)
})

it('takes nothing out of a page that is not there, and of what is no PDF', async () => {
  expect(await splitScans(open('scan-fax'), [2])).toEqual([])
  expect(await splitScans(new TextEncoder().encode('no PDF'), [1])).toEqual([])
})
