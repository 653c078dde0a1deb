import photon from '@silvia-odwyer/photon-node'
import { readChunkOrientation } from '#shared/chunk-orientation.ts'
import { detectImageType } from '#shared/image-signatures.ts'
import { readJpegFacts } from '#shared/jpeg-facts.ts'
import { maxParts, type ScaleAnswer, type ScaleRequest } from './scale-contract.ts'

const { crop, PhotonImage, resize, SamplingFilter } = photon
type Image = InstanceType<typeof PhotonImage>

const qualities = [86, 70, 50]

/**
 * Makes a picture smaller, upright, without metadata, and the first frame of one that moves. One that is many times as long as wide is
 * cut into parts: as a whole its text would be too small to read.
 * @throws what the decoder throws
 */
export function scalePixels({ image, maxSide, maxBytes }: ScaleRequest): ScaleAnswer {
  const bytes = new Uint8Array(Buffer.from(image, 'base64'))
  const whole = PhotonImage.new_from_byteslice(bytes)
  const [width, height] = [whole.get_width(), whole.get_height()]
  const [long, short] = [Math.max(width, height), Math.min(width, height)]
  const count = Math.max(1, Math.min(maxParts, Math.ceil(long / maxSide), Math.floor(long / short)))
  const scale = Math.min(1, maxSide / Math.max(Math.ceil(long / count), short))
  const toSide = (side: number) => Math.max(1, Math.floor(side * scale))
  const scaled = scale < 1 ? resize(whole, toSide(width), toSide(height), SamplingFilter.Triangle) : whole
  const isPng = detectImageType(bytes) === 'image/png'
  const parts = cut(turn(scaled, readTurn(bytes)), count)
  const encoded = isPng ? parts.map((part) => part.get_bytes()) : []
  if (isPng && countBytes(encoded) <= maxBytes) return toAnswer('image/png', encoded)
  const opaque = parts.map(onWhite)
  for (const quality of qualities) {
    const jpegs = opaque.map((part) => part.get_bytes_jpeg(quality))
    if (countBytes(jpegs) <= maxBytes) return toAnswer('image/jpeg', jpegs)
  }
  return { parts: [] }
}

const countBytes = (all: readonly Uint8Array[]) => all.reduce((sum, { length }) => sum + length, 0)

const toAnswer = (type: ScaleAnswer['parts'][number]['type'], all: readonly Uint8Array[]): ScaleAnswer => ({
  parts: all.map((bytes) => ({ type, base64: Buffer.from(bytes).toString('base64') })),
})

function readTurn(bytes: Uint8Array<ArrayBuffer>): number {
  const type = detectImageType(bytes)
  if (type === 'image/jpeg') return readJpegFacts(bytes).orientation
  return type === 'image/png' || type === 'image/webp' ? (readChunkOrientation(bytes, type) ?? 1) : 1
}

/** Turns and mirrors a picture as its EXIF orientation says: CIPA DC-008, 4.6.5. */
function turn(image: Image, orientation: number): Image {
  if (orientation < 2 || orientation > 8) return image
  const [width, height] = [image.get_width(), image.get_height()]
  const pixels = new Uint32Array(image.get_raw_pixels().slice().buffer)
  const isTransposed = orientation > 4
  const isFlippedX = [2, 3, 7, 8].includes(orientation)
  const isFlippedY = [3, 4, 6, 7].includes(orientation)
  const [newWidth, newHeight] = isTransposed ? [height, width] : [width, height]
  const turned = new Uint32Array(pixels.length)
  for (let y = 0; y < newHeight; y += 1)
    for (let x = 0; x < newWidth; x += 1) {
      const [fromX, fromY] = isTransposed ? [y, x] : [x, y]
      const column = isFlippedX ? width - 1 - fromX : fromX
      const row = isFlippedY ? height - 1 - fromY : fromY
      turned[y * newWidth + x] = pixels[row * width + column] ?? 0
    }
  return new PhotonImage(new Uint8Array(turned.buffer), newWidth, newHeight)
}

function cut(image: Image, count: number): Image[] {
  if (count === 1) return [image]
  const [width, height] = [image.get_width(), image.get_height()]
  const side = Math.ceil(Math.max(width, height) / count)
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [index * side, (index + 1) * side]
    return height > width
      ? crop(image, 0, from, width, Math.min(to, height))
      : crop(image, from, 0, Math.min(to, width), height)
  })
}

function onWhite(image: Image): Image {
  const pixels = image.get_raw_pixels()
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 255
    if (alpha === 255) continue
    for (let channel = at; channel < at + 3; channel += 1)
      pixels[channel] = 255 + Math.round((((pixels[channel] ?? 0) - 255) * alpha) / 255)
    pixels[at + 3] = 255
  }
  return new PhotonImage(pixels, image.get_width(), image.get_height())
}
