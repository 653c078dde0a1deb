import photon from '@silvia-odwyer/photon-node'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { scalePixels } from '../../functions/documents/scale-pixels.ts'
import { readImageFacts } from '#shared/image-facts.ts'
import { pngOf } from '../support/png-of.ts'

const limits = { maxSide: 50, maxBytes: 100_000 }
const png = pngOf(120, 80)
const pixels = Uint8Array.from({ length: 120 * 80 * 4 }, (_, at) => (at % 4 === 3 ? 255 : (at * at) % 251))
const jpeg = Buffer.from(new photon.PhotonImage(pixels, 120, 80).get_bytes_jpeg(80))

it('a damaged picture is made smaller, or its decoder throws', () => {
  const damage = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(png, jpeg), damage, fc.nat(400), (seed, changes, end) => {
      const bytes = Buffer.from(end % 4 === 0 ? seed.subarray(0, end) : seed)
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      const { width = 0, height = 0 } = readImageFacts(bytes) ?? {}
      fc.pre(width * height > 0 && width * height < 5_000_000)
      let parts
      try {
        parts = scalePixels({ image: bytes.toString('base64'), ...limits }).parts
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
        return
      }
      for (const { base64 } of parts) {
        const facts = readImageFacts(Buffer.from(base64, 'base64'))
        expect(Math.max(facts?.width ?? 0, facts?.height ?? 0)).toBeLessThanOrEqual(limits.maxSide)
      }
    }),
  )
})

it('a picture is upright, whatever its EXIF says', () => {
  // of 80 × 120 pixels, on its side
  const exif = 'ffe100224578696600004d4d002a000000080001011200030000000100060000000000000000'
  const turned = Buffer.concat([jpeg.subarray(0, 2), Buffer.from(exif, 'hex'), jpeg.subarray(2)])
  const { parts } = scalePixels({ image: turned.toString('base64'), ...limits })
  const { width, height } = readImageFacts(Buffer.from(parts[0]?.base64 ?? '', 'base64')) ?? {}
  expect([parts.length, width, height]).toEqual([1, 33, 50])
})

it('what is transparent is white in a JPEG', () => {
  const clear = new photon.PhotonImage(new Uint8Array(120 * 80 * 4), 120, 80)
  const request = {
    image: Buffer.from(clear.get_bytes()).toString('base64'),
    maxSide: 120,
    maxBytes: 1_000_000,
  }
  expect(scalePixels(request).parts[0]?.type).toBe('image/png')
  const noisy = pixels.map((value, at) => (at % 4 === 3 ? 0 : value))
  const image = Buffer.from(new photon.PhotonImage(noisy, 120, 80).get_bytes()).toString('base64')
  const [part] = scalePixels({ image, maxSide: 120, maxBytes: 3_000 }).parts
  expect(part?.type).toBe('image/jpeg')
  const seen = photon.PhotonImage.new_from_byteslice(
    Buffer.from(part?.base64 ?? '', 'base64'),
  ).get_raw_pixels()
  expect(seen.every((value) => value === 255)).toBe(true)
})
