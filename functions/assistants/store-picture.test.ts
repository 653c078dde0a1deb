import { expect, it } from 'vitest'
import { maxAssistantPictureBytes, maxAssistantPicturePx, minAssistantPicturePx } from '#shared/limits.ts'
import { pngOf } from '../../test/support/png-of.ts'
import { webpOf } from '../../test/support/webp-of.ts'
import { parsePicture } from './store-picture.ts'

const parse = (bytes: Uint8Array) => parsePicture(Buffer.from(bytes).toString('base64'))
const [min, max] = [minAssistantPicturePx, maxAssistantPicturePx]

it('takes pictures of the sizes that are allowed, without what else they say', () => {
  for (const [width, height] of [
    [min, min],
    [max, min],
    [min, max],
  ] as const) {
    const plain = pngOf(width, height)
    expect(parse(plain)).toEqual({ type: 'image/png', bytes: new Uint8Array(plain) })
    expect(parse(pngOf(width, height, { tEXt: 'Author\0Ann' })).bytes).toEqual(new Uint8Array(plain))
  }
})

it('takes a WebP that ends where it says', () => {
  // lossless, 64 by 64 pixels
  const webp = webpOf(['VP8L', Uint8Array.of(0x2f, 63, 192, 15, 0, 0)])
  expect(parse(webp)).toEqual({ type: 'image/webp', bytes: new Uint8Array(webp) })
  for (const other of [webp.subarray(0, -1), Buffer.concat([webp, Buffer.from('x')])])
    expect(() => parse(other)).toThrow(String(min))
})

it.each<[string, Uint8Array]>([
  ['is no picture', Buffer.from('hello')],
  ['is cut off', pngOf(64, 64).subarray(0, -1)],
  ['has something behind it', Buffer.concat([pngOf(64, 64), Buffer.from('x')])],
  ['is too narrow', pngOf(min - 1, min)],
  ['is too low', pngOf(min, min - 1)],
  ['is too wide', pngOf(max + 1, max)],
  ['is too high', pngOf(max, max + 1)],
  ['moves', pngOf(64, 64, { acTL: '12345678' })],
  ['is too large', pngOf(64, 64, { tEXt: 'x'.repeat(maxAssistantPictureBytes) })],
])('refuses what %s, and says what it takes', (_, bytes) => {
  expect(() => parse(bytes)).toThrow(
    expect.objectContaining({
      status: 400,
      message: expect.stringMatching(new RegExp(String.raw`\b${min}\b.*\b${max}\b`)) as string,
    }) as Error,
  )
})
