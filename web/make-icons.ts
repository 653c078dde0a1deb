import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

/*
 * Renders the icons of the installed app into public/icons: the logo of public/favicon.svg in white on the
 * accent colour. Run it with
 * `npm run icons` after the logo has changed. It samples the distance of each point to the logo, so it
 * needs no package.
 */

type Colour = readonly [red: number, green: number, blue: number]
const accent: Colour = [0x5f, 0x49, 0xc5]
const white: Colour = [0xff, 0xff, 0xff]

/** Samples along each edge of a pixel. */
const samplesPerEdge = 4

/** The logo in its 24 by 24 view box: a stroke of 3 with round ends, and a dot above it. */
function isLogo(x: number, y: number): boolean {
  const stroke = 1.5
  if (Math.hypot(x - 17.6, y - 4.9) <= 2.1) return true
  // from 17.6,10.4 down to 17.6,13.2
  if (Math.hypot(x - 17.6, y - Math.min(Math.max(y, 10.4), 13.2)) <= stroke) return true
  const [centreX, centreY, radius] = [11.2, 13.2, 6.4]
  const end = Math.atan2(14.9 - centreY, 5 - centreX)
  const angle = Math.atan2(y - centreY, x - centreX)
  if (angle >= 0 && angle <= end) return Math.abs(Math.hypot(x - centreX, y - centreY) - radius) <= stroke
  return Math.hypot(x - centreX - radius * Math.cos(end), y - centreY - radius * Math.sin(end)) <= stroke
}

/** Whether a point of the unit square is inside rounded corners. */
function isInside(x: number, y: number, corner: number): boolean {
  const outX = Math.max(corner - x, x - 1 + corner, 0)
  const outY = Math.max(corner - y, y - 1 + corner, 0)
  return Math.hypot(outX, outY) <= corner || corner === 0
}

interface IconStyle {
  /** corner radius as a fraction of the size; 0 for icons that the system masks */
  readonly corner: number
  /** size of the logo's view box as a fraction of the icon; systems may crop all but the inner 80 % */
  readonly logo: number
}

/** @returns the pixels, red, green, blue and alpha of each, row by row */
function draw(size: number, { corner, logo }: IconStyle): Buffer {
  const pixels = Buffer.alloc(size * size * 4)
  // the optical centre differs from the centre of the view box
  const [middleX, middleY] = [11.6, 11.95]
  for (let pixel = 0; pixel < size * size; pixel += 1) {
    let [covered, onLogo] = [0, 0]
    for (let sample = 0; sample < samplesPerEdge ** 2; sample += 1) {
      const x = ((pixel % size) + ((sample % samplesPerEdge) + 0.5) / samplesPerEdge) / size
      const y =
        (Math.floor(pixel / size) + (Math.floor(sample / samplesPerEdge) + 0.5) / samplesPerEdge) / size
      if (!isInside(x, y, corner)) continue
      covered += 1
      if (isLogo(middleX + ((x - 0.5) * 24) / logo, middleY + ((y - 0.5) * 24) / logo)) onLogo += 1
    }
    const logoShare = covered === 0 ? 0 : onLogo / covered
    for (const channel of [0, 1, 2] as const)
      pixels[pixel * 4 + channel] = Math.round(accent[channel] * (1 - logoShare) + white[channel] * logoShare)
    pixels[pixel * 4 + 3] = Math.round((covered / samplesPerEdge ** 2) * 255)
  }
  return pixels
}

/** @see https://www.w3.org/TR/png-3/ */
function encodePng(size: number, pixels: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // 8 bits a channel, with alpha
  header.set([8, 6, 0, 0, 0], 8)
  const rows = Array.from({ length: size }, (_, row) =>
    // each row starts with its filter type: none
    Buffer.concat([Buffer.from([0]), pixels.subarray(row * size * 4, (row + 1) * size * 4)]),
  )
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const rounded: IconStyle = { corner: 0.22, logo: 0.78 }
const square: IconStyle = { corner: 0, logo: 0.62 }
const folder = join(import.meta.dirname, 'public/icons')
mkdirSync(folder, { recursive: true })
for (const [name, size, style] of [
  ['icon-192', 192, rounded],
  ['icon-512', 512, rounded],
  ['maskable-192', 192, square],
  ['maskable-512', 512, square],
  ['apple-touch-180', 180, square],
] as const)
  writeFileSync(join(folder, `${name}.png`), encodePng(size, draw(size, style)))
