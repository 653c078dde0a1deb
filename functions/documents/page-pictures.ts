import { crc32, deflateSync } from 'node:zlib'
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { maxStoredPictures } from '../files/stored-text.ts'
import { isTimeOver } from './extracted-text.ts'
import { PdfDataFactory, withDecoders } from './pdf-data.ts'

export interface PagePicture {
  page: number
  bytes: Uint8Array
}

interface Bitmap {
  data: Uint8Array | Uint8ClampedArray
  width: number
  height: number
  channels: number
}

const maxSide = 1_600
/** Of a scanned page at 600 dpi. */
const maxPixels = 80_000_000
const minSide = 300

/** A scanner puts one picture on each page, or strips of it. @returns fewer if a page has none, or the reader's time is over; never throws */
export const readPagePictures = (bytes: Uint8Array, pages: readonly number[]): Promise<PagePicture[]> =>
  withDecoders(() => readPictures(bytes, pages))

async function readPictures(bytes: Uint8Array, pages: readonly number[]): Promise<PagePicture[]> {
  const pictures: PagePicture[] = []
  try {
    const pdf = await getDocumentProxy(bytes, {
      useSystemFonts: false,
      BinaryDataFactory: PdfDataFactory,
      useWorkerFetch: false,
      cMapPacked: true,
      isOffscreenCanvasSupported: false,
      maxImageSize: maxPixels,
    })
    for (const number of pages) {
      if (pictures.length >= maxStoredPictures || isTimeOver()) break
      const page = await pdf.getPage(number)
      const { rotate } = page
      const bitmap = joinStrips(await listBitmaps(page).catch(() => []))
      page.cleanup()
      if (bitmap) pictures.push({ page: number, bytes: encodePng(turn(scale(toGray(bitmap)), rotate)) })
    }
  } catch {
    // what was read of the document stays
  }
  return pictures
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>
type Image = { data?: Uint8Array | Uint8ClampedArray | string; width?: number; height?: number }

async function listBitmaps(page: Page): Promise<Bitmap[]> {
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  const bitmaps: Bitmap[] = []
  for (const [index, operator] of fnArray.entries()) {
    if (operator !== OPS.paintImageXObject && operator !== OPS.paintImageMaskXObject) continue
    const [painted] = argsArray[index] as [string | Image]
    const key = typeof painted === 'string' ? painted : painted.data
    const image = typeof key === 'string' ? await loadImage(page, key) : (painted as Image)
    const { data, width = 0, height = 0 } = image ?? {}
    if (data === undefined || typeof data === 'string' || width < minSide) continue
    const bitmap = toBitmap(data, width, height)
    if (bitmap) bitmaps.push(bitmap)
  }
  return bitmaps
}

const loadImage = (page: Page, key: string) =>
  new Promise<Image | undefined>((resolve) => {
    const objects = key.startsWith('g_') ? page.commonObjs : page.objs
    objects.get(key, (image: unknown) => resolve((image as Image | null) ?? undefined))
  })

/** Pictures have a byte for each channel, or a bit for each pixel: 1 is white. */
function toBitmap(data: Uint8Array | Uint8ClampedArray, width: number, height: number): Bitmap | undefined {
  const channels = data.length / (width * height)
  if ([1, 3, 4].includes(channels)) return { data, width, height, channels }
  const rowBytes = (width + 7) >> 3
  if (data.length < rowBytes * height || width * height > maxPixels) return undefined
  const gray = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      gray[y * width + x] = ((data[y * rowBytes + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0
  return { data: gray, width, height, channels: 1 }
}

/** One picture of a page: the largest, or strips of one width below each other. */
function joinStrips(images: readonly Bitmap[]): Bitmap | undefined {
  const large = images.filter(({ width }) => width >= minSide)
  const widest = Math.max(0, ...large.map(({ width }) => width))
  const [first, ...rest] = large.filter(
    ({ width, channels }) => width === widest && channels === large[0]?.channels,
  )
  if (!first) return undefined
  const strips =
    rest.length > 0 && [first, ...rest].every(({ height, width }) => height < width) ? [first, ...rest] : []
  const whole =
    strips.length > 0
      ? stack(strips)
      : large.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a))
  return whole.height >= minSide && whole.width * whole.height <= maxPixels ? whole : undefined
}

function stack(strips: readonly Bitmap[]): Bitmap {
  const [{ width, channels } = { width: 0, channels: 1 }] = strips
  const height = strips.reduce((sum, strip) => sum + strip.height, 0)
  const data = new Uint8Array(width * height * channels)
  let at = 0
  for (const strip of strips) {
    data.set(strip.data.subarray(0, strip.width * strip.height * channels), at)
    at += strip.width * strip.height * channels
  }
  return { data, width, height, channels }
}

/** Text is read as well without colour, at a third of the size. */
function toGray({ data, width, height, channels }: Bitmap): Bitmap {
  if (channels === 1) return { data, width, height, channels }
  const gray = new Uint8Array(width * height)
  for (let pixel = 0, at = 0; pixel < gray.length; pixel += 1, at += channels)
    gray[pixel] = Math.round(
      0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0),
    )
  return { data: gray, width, height, channels: 1 }
}

function scale(bitmap: Bitmap): Bitmap {
  const { data, width, height } = bitmap
  const factor = Math.max(width, height) / maxSide
  if (factor <= 1) return bitmap
  const [w, h] = [Math.max(1, Math.floor(width / factor)), Math.max(1, Math.floor(height / factor))]
  const scaled = new Uint8Array(w * h)
  for (let y = 0; y < h; y += 1) {
    const [y0, y1] = [
      Math.floor(y * factor),
      Math.min(height, Math.max(Math.floor((y + 1) * factor), Math.floor(y * factor) + 1)),
    ]
    for (let x = 0; x < w; x += 1) {
      const [x0, x1] = [
        Math.floor(x * factor),
        Math.min(width, Math.max(Math.floor((x + 1) * factor), Math.floor(x * factor) + 1)),
      ]
      let sum = 0
      for (let row = y0; row < y1; row += 1)
        for (let column = x0; column < x1; column += 1) sum += data[row * width + column] ?? 0
      scaled[y * w + x] = Math.round(sum / ((y1 - y0) * (x1 - x0)))
    }
  }
  return { data: scaled, width: w, height: h, channels: 1 }
}

/** Turns a gray picture clockwise, as its page is shown. @param degrees 0, 90, 180 or 270: pdf.js reads others as one of these */
function turn(bitmap: Bitmap, degrees: number): Bitmap {
  if (degrees === 0) return bitmap
  const { data, width, height } = bitmap
  const [w, h] = degrees === 180 ? [width, height] : [height, width]
  const turned = new Uint8Array(w * h)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [toX, toY] =
        degrees === 90
          ? [height - 1 - y, x]
          : degrees === 180
            ? [width - 1 - x, height - 1 - y]
            : [y, width - 1 - x]
      turned[toY * w + toX] = data[y * width + x] ?? 0
    }
  return { data: turned, width: w, height: h, channels: 1 }
}

/** @see https://www.w3.org/TR/png-3/ a gray picture of eight bits, without filters */
export function encodePng({ data, width, height }: Pick<Bitmap, 'data' | 'width' | 'height'>): Uint8Array {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) rows.set(data.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const chunk = (type: string, content: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(content.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return [ends.subarray(0, 4), body, ends.subarray(4)]
  }
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      ...chunk('IHDR', header),
      ...chunk('IDAT', deflateSync(rows)),
      ...chunk('IEND', new Uint8Array()),
    ]),
  )
}
