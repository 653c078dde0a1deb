import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** Turns screenshots into an animated PNG of 256 colours, which browsers and GitHub play, without another tool. */

export interface Image {
  readonly width: number
  readonly height: number
  /** three bytes a pixel: red, green, blue */
  readonly pixels: Uint8Array
}

export interface Frame {
  readonly image: Image
  /** how long it is shown */
  readonly ms: number
}

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const maxColours = 256
/** Colours this near each other, squared, are shades of one. */
const shadeDistance = 150

/** Reads a PNG as browsers write screenshots: 8 bits, in colour, not interlaced. @throws Error for any other */
export function readPng(file: Buffer): Image {
  const parts: Buffer[] = []
  let [width, height, bytes] = [0, 0, 0]
  for (let at = signature.length; at < file.length;) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const data = file.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') {
      const [depth, colour, , , interlaced] = data.subarray(8)
      if (depth !== 8 || (colour !== 2 && colour !== 6) || interlaced !== 0)
        throw new Error('not a PNG as browsers write screenshots')
      width = data.readUInt32BE(0)
      height = data.readUInt32BE(4)
      bytes = colour === 2 ? 3 : 4
    }
    if (type === 'IDAT') parts.push(data)
    at += length + 12
  }
  const rows = removeFilters(inflateSync(Buffer.concat(parts)), width * bytes, bytes)
  if (bytes === 3) return { width, height, pixels: rows }
  const pixels = new Uint8Array(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel += 1)
    pixels.set(rows.subarray(pixel * 4, pixel * 4 + 3), pixel * 3)
  return { width, height, pixels }
}

/** Reverses the row filters: the first byte of each row says how its bytes are predicted from their neighbours. */
function removeFilters(data: Buffer, rowBytes: number, bytes: number): Uint8Array {
  const height = data.length / (rowBytes + 1)
  const out = new Uint8Array(height * rowBytes)
  for (let row = 0; row < height; row += 1) {
    const from = row * (rowBytes + 1)
    const filter = data[from]
    const to = row * rowBytes
    for (let index = 0; index < rowBytes; index += 1) {
      const left = index < bytes ? 0 : (out[to + index - bytes] ?? 0)
      const up = row === 0 ? 0 : (out[to + index - rowBytes] ?? 0)
      const corner = row === 0 || index < bytes ? 0 : (out[to + index - rowBytes - bytes] ?? 0)
      const guess =
        filter === 1
          ? left
          : filter === 2
            ? up
            : filter === 3
              ? (left + up) >> 1
              : filter === 4
                ? paeth(left, up, corner)
                : 0
      out[to + index] = (data[from + 1 + index] ?? 0) + guess
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** Plays the frames in a loop. The file has only the changes from one to the next. */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const [first] = frames
  if (!first) throw new Error('nothing was recorded')
  const { width, height } = first.image
  const { palette, toIndexes } = buildPalette(frames.map(({ image }) => image))
  const parts: { rectangle: Rectangle; data: Buffer; ms: number }[] = []
  let before: Uint8Array | undefined
  for (const { image, ms } of frames) {
    const indexed = toIndexes(image)
    const rectangle = before ? findChangedPart(before, indexed, width) : { x: 0, y: 0, width, height }
    const last = parts.at(-1)
    if (!rectangle && last) last.ms += ms
    else if (rectangle) parts.push({ rectangle, data: compressRows(indexed, width, rectangle), ms })
    before = indexed
  }

  const chunks = [signature, chunk('IHDR', [width, height], Buffer.from([8, 3, 0, 0, 0]))]
  chunks.push(chunk('acTL', [parts.length, 0]), chunk('PLTE', [], palette))
  let sequence = 0
  for (const { rectangle, data, ms } of parts) {
    const { x, y, width: wide, height: high } = rectangle
    const time = Buffer.alloc(6)
    time.writeUInt16BE(Math.min(ms, 65_535), 0)
    time.writeUInt16BE(1_000, 2)
    chunks.push(chunk('fcTL', [sequence, wide, high, x, y], time))
    sequence += 1
    if (sequence === 1) chunks.push(chunk('IDAT', [], data))
    else {
      chunks.push(chunk('fdAT', [sequence], data))
      sequence += 1
    }
  }
  return Buffer.concat([...chunks, chunk('IEND', [])])
}

/** One picture of 256 colours: a quarter of the bytes of a screenshot. */
export function palettePng(image: Image): Buffer {
  const { width, height } = image
  const { palette, toIndexes } = buildPalette([image])
  return Buffer.concat([
    signature,
    chunk('IHDR', [width, height], Buffer.from([8, 3, 0, 0, 0])),
    chunk('PLTE', [], palette),
    chunk('IDAT', [], compressRows(toIndexes(image), width, { x: 0, y: 0, width, height })),
    chunk('IEND', []),
  ])
}

function chunk(type: string, numbers: readonly number[], data: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(numbers.length * 4)
  numbers.forEach((value, index) => head.writeUInt32BE(value, index * 4))
  const body = Buffer.concat([Buffer.from(type, 'latin1'), head, data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(body.length - 4, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

/** The most frequent colours; others, such as those of antialiased text, are mapped to the nearest one. */
function buildPalette(images: readonly Image[]) {
  const counts = new Uint32Array(1 << 24)
  for (const { pixels } of images)
    for (let at = 0; at < pixels.length; at += 3) {
      const colour = colourAt(pixels, at)
      counts[colour] = (counts[colour] ?? 0) + 1
    }
  const all: number[] = []
  counts.forEach((times, colour) => times > 0 && all.push(colour))
  const byUse = all.toSorted((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))
  // a distinct colour takes precedence over shades of others, however rare it is
  const distinct: number[] = []
  for (const colour of byUse)
    if (
      distinct.length < maxColours &&
      distance(distinct[findNearest(distinct, colour)], colour) > shadeDistance
    )
      distinct.push(colour)
  const chosen = [...new Set([...distinct, ...byUse])].slice(0, maxColours)
  const nearest = new Map<number, number>()
  for (const colour of all) nearest.set(colour, findNearest(chosen, colour))
  const palette = Buffer.alloc(chosen.length * 3)
  chosen.forEach((colour, index) => palette.writeUIntBE(colour, index * 3, 3))
  const toIndexes = ({ pixels }: Image) => {
    const indexed = new Uint8Array(pixels.length / 3)
    for (let pixel = 0; pixel < indexed.length; pixel += 1)
      indexed[pixel] = nearest.get(colourAt(pixels, pixel * 3)) ?? 0
    return indexed
  }
  return { palette, toIndexes }
}

const colourAt = (pixels: Uint8Array, at: number) =>
  ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0)

function findNearest(candidates: readonly number[], colour: number): number {
  let [best, least] = [0, Infinity]
  candidates.forEach((one, index) => {
    const away = distance(one, colour)
    if (away < least) [best, least] = [index, away]
  })
  return best
}

/** The squared distance of two colours; infinite when there is no first one. */
function distance(one: number | undefined, other: number): number {
  if (one === undefined) return Infinity
  const red = (one >> 16) - (other >> 16)
  const green = ((one >> 8) & 255) - ((other >> 8) & 255)
  const blue = (one & 255) - (other & 255)
  return red * red + green * green + blue * blue
}

interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function findChangedPart(before: Uint8Array, after: Uint8Array, width: number): Rectangle | undefined {
  let [left, top, right, bottom] = [width, Infinity, -1, -1]
  after.forEach((value, pixel) => {
    if (value === before[pixel]) return
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = y
  })
  if (bottom < 0) return undefined
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

function compressRows(indexed: Uint8Array, width: number, rectangle: Rectangle): Buffer {
  const rowBytes = rectangle.width + 1
  const rows = new Uint8Array(rowBytes * rectangle.height)
  for (let row = 0; row < rectangle.height; row += 1) {
    const from = (rectangle.y + row) * width + rectangle.x
    // the first byte of a row stays 0: no filter, which suits palette indexes best
    rows.set(indexed.subarray(from, from + rectangle.width), row * rowBytes + 1)
  }
  return deflateSync(rows, { level: 9 })
}
