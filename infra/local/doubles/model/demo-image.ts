import { crc32, deflateSync } from 'node:zlib'
import { textHash } from './words.ts'

const side = 512
/** one letter of the banner: 5 × 7 dots, a row a number */
const glyphs: Readonly<Record<string, readonly number[]>> = {
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  I: [14, 4, 4, 4, 4, 4, 14],
  A: [14, 17, 17, 31, 17, 17, 17],
  G: [14, 17, 16, 23, 17, 17, 14],
  ' ': [0, 0, 0, 0, 0, 0, 0],
}
const banner = 'DEMO IMAGE'
const dot = 7
const bannerTop = side - 13 * dot
const bannerLeft = Math.floor((side - (banner.length * 6 - 1) * dot) / 2)

function isLetter(x: number, y: number): boolean {
  const row = Math.floor((y - bannerTop - 3 * dot) / dot)
  const column = Math.floor((x - bannerLeft) / dot)
  if (row < 0 || row > 6 || column < 0) return false
  const dots = glyphs[banner[Math.floor(column / 6)] ?? ' ']?.[row] ?? 0
  return column % 6 < 5 && (dots & (16 >> (column % 6))) !== 0
}

type Colour = readonly [number, number, number]

const colour = (hash: number): Colour => [
  64 + (hash & 127),
  64 + ((hash >> 8) & 127),
  64 + ((hash >> 16) & 127),
]
const mix = (a: Colour, b: Colour, part: number): Colour => [
  a[0] + (b[0] - a[0]) * part,
  a[1] + (b[1] - a[1]) * part,
  a[2] + (b[2] - a[2]) * part,
]

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** A PNG that depends on the prompt alone and says across its foot that it is a demo: sky, sun and hills in the prompt's colours. */
export function demoImage(prompt: string): Buffer {
  const hash = textHash(prompt)
  const [sky, ground, sun] = [
    colour(hash),
    colour(textHash(`${prompt} ground`)),
    colour(textHash(`${prompt} sun`)),
  ]
  const white: Colour = [255, 255, 255]
  const dark: Colour = [24, 24, 32]
  const sunX = 96 + (hash % 320)
  const sunY = 96 + (hash % 96)
  const hill = 40 + (hash % 60)

  function pixel(x: number, y: number): Colour {
    if (y >= bannerTop) return isLetter(x, y) ? white : dark
    if (y > 300 + Math.sin((x + hash) / hill) * 28) return mix(ground, dark, (y - 270) / 400)
    const distance = Math.hypot(x - sunX, y - sunY)
    return distance < 56 ? mix(sun, white, 0.6) : mix(sky, white, y / 420)
  }

  const rows = Buffer.alloc(side * (1 + side * 3))
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) rows.set(pixel(x, y).map(Math.round), y * (1 + side * 3) + 1 + x * 3)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from('Title\0Made by a demo, not by an image model', 'latin1')),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
