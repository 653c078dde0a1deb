import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pdfStream, rawPdf } from '../../test/support/documents.ts'
import { encodePng, readPagePictures } from './page-pictures.ts'

const folder = new URL('../../test/fixtures/files/pdf/', import.meta.url)
const read = (name: string, pages: number[]) =>
  readPagePictures(new Uint8Array(readFileSync(new URL(`${name}.pdf`, folder))), pages)

/** The pictures of a PDF with one page. @param pixels one character for each */
function readPainted(images: readonly { width: number; height: number; pixels: string }[], rotate = 0) {
  const objects = images.map(({ width, height, pixels }) =>
    pdfStream(
      pixels,
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    ),
  )
  const names = images.map((_, index) => `/I${index} ${index + 5} 0 R`).join(' ')
  const content = images.map((_, index) => `q 200 0 0 200 0 0 cm /I${index} Do Q`).join(' ')
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Rotate ${rotate} /Contents 4 0 R /Resources << /XObject << ${names} >> >> >>`
  const frame = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', page]
  return readPagePictures(rawPdf([...frame, pdfStream(content), ...objects]), [1])
}

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

/** Size of a PNG, and its corners clockwise from the first pixel. */
function readCorners(png: Uint8Array) {
  const bytes = Buffer.from(png)
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const rows = inflateSync(bytes.subarray(41, 41 + bytes.readUInt32BE(33)))
  const at = (x: number, y: number) => {
    const value = rows[y * (width + 1) + 1 + x] ?? -1
    return value === 0 ? 'black' : value === 255 ? 'white' : 'gray'
  }
  const corners = [at(0, 0), at(width - 1, 0), at(width - 1, height - 1), at(0, height - 1)].join(' ')
  return { size: [width, height], corners }
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

it.each([
  [90, [400, 300], 'white black gray white'],
  [180, [300, 400], 'white white black gray'],
  [270, [400, 300], 'gray white white black'],
  [-90, [400, 300], 'gray white white black'],
  [360, [300, 400], 'black gray white white'],
  [45, [300, 400], 'black gray white white'],
])('turns a page by %i degrees clockwise', async (rotate, size, corners) => {
  const [left, right, blank] = ['\x00', '\x80', '\xff'].map((pixel) => pixel.repeat(150)) as [
    string,
    string,
    string,
  ]
  const pixels = `${left}${right}`.repeat(200) + blank.repeat(400)
  const [picture] = await readPainted([{ width: 300, height: 400, pixels }], rotate)
  expect(picture && readCorners(picture.bytes)).toEqual({ size, corners })
})

it('takes the largest of several pictures that are no strips', async () => {
  const image = (width: number, height: number) => ({ width, height, pixels: '\xff'.repeat(width * height) })
  const sizes = async (...images: ReturnType<typeof image>[]) =>
    (await readPainted(images)).map(({ bytes }) => look(bytes).size)
  // photos of one width, and strips of it
  expect(await sizes(image(300, 310), image(300, 400), image(300, 320))).toEqual([[300, 400]])
  expect(await sizes(image(300, 299), image(300, 299))).toEqual([[300, 598]])
  expect(await sizes(image(300, 300), image(300, 200))).toEqual([[300, 300]])
  // strips and a picture of another width
  expect(await sizes(image(400, 200), image(400, 200), image(300, 900))).toEqual([[400, 400]])
  expect(await sizes(image(400, 500), image(300, 900))).toEqual([[300, 900]])
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
