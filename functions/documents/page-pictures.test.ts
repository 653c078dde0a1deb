import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { encodePng, readPagePictures } from './page-pictures.ts'

const folder = new URL('../../test/fixtures/files/pdf/', import.meta.url)
const read = (name: string, pages: number[]) =>
  readPagePictures(new Uint8Array(readFileSync(new URL(`${name}.pdf`, folder))), pages)

/** Size of a PNG, and the mean of the rows or columns at its four sides: the pages have a black bar at their top. */
function look(png: Uint8Array) {
  const bytes = Buffer.from(png)
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const rows = inflateSync(bytes.subarray(41, 41 + bytes.readUInt32BE(33)))
  const at = (x: number, y: number) => (rows[y * (width + 1) + 1 + x] ?? 0) > 127
  const isWhite = [
    at(width >> 1, 20),
    at(width - 21, height >> 1),
    at(width >> 1, height - 21),
    at(20, height >> 1),
  ]
  return { size: [width, height], isWhite }
}

it('takes the pictures of scanned pages, gray', async () => {
  const pictures = await read('scan-jpeg', [1, 2])
  expect(pictures.map(({ page, bytes }) => [page, look(bytes)])).toEqual([
    [1, { size: [400, 560], isWhite: [false, true, true, true] }],
    [2, { size: [400, 560], isWhite: [false, true, true, true] }],
  ])
})

it.each(['scan-fax', 'scan-jbig2', 'scan-jpx'])('decodes the pictures of %s', async (name) => {
  const pictures = await read(name, [1])
  expect(pictures.map(({ bytes }) => look(bytes))).toEqual([
    { size: [400, 560], isWhite: [false, true, true, true] },
  ])
})

it('joins strips, and turns a page as it is shown', async () => {
  const pictures = await read('scan-strips', [1, 2])
  expect(pictures.map(({ bytes }) => look(bytes))).toEqual([
    { size: [400, 560], isWhite: [false, true, true, true] },
    { size: [560, 400], isWhite: [true, false, true, true] },
  ])
})

it('gives no picture of a page that has none, and none of what is no PDF', async () => {
  expect(await read('table', [1])).toEqual([])
  expect(await readPagePictures(new TextEncoder().encode('no PDF'), [1])).toEqual([])
})

it('writes a PNG of gray pixels', () => {
  const png = encodePng({ data: new Uint8Array([0, 255, 255, 0]), width: 2, height: 2 })
  expect(Buffer.from(png.subarray(0, 8)).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  expect(inflateSync(Buffer.from(png).subarray(41, 41 + Buffer.from(png).readUInt32BE(33)))).toEqual(
    Buffer.from([0, 0, 255, 0, 255, 0]),
  )
})
