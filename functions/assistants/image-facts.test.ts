import { expect, it } from 'vitest'
import { readImageFacts } from '#shared/image-facts.ts'
import { pngOf } from '../../test/support/png-of.ts'

const still = { isAnimated: false, isForPrinters: false }
const webp = (chunk: string, ...content: number[]) =>
  Uint8Array.from([
    ...Buffer.from('RIFF'),
    22 + content.length,
    0,
    0,
    0,
    ...Buffer.from(`WEBP${chunk}`),
    content.length,
    0,
    0,
    0,
    ...content,
  ])
const jpeg = (components: number) =>
  Uint8Array.from([0xff, 0xd8, 0xff, 0xc2, 0, 17, 8, 0, 40, 1, 0, components, 0, 0, 0, 0, 0, 0, 0, 0])

it.each([
  ['a PNG', pngOf(300, 200), { type: 'image/png', width: 300, height: 200, ...still }],
  [
    'a PNG that moves',
    pngOf(32, 32, { gAMA: '', acTL: '' }),
    { type: 'image/png', width: 32, height: 32, ...still, isAnimated: true },
  ],
  ['a JPEG', jpeg(3), { type: 'image/jpeg', width: 256, height: 40, ...still }],
  ['a JPEG in CMYK', jpeg(4), { type: 'image/jpeg', width: 256, height: 40, ...still, isForPrinters: true }],
  [
    'a lossy WebP',
    webp('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2a, 0x00, 0x41, 0x28, 0x00),
    { type: 'image/webp', width: 256, height: 40, ...still },
  ],
  [
    'a lossless WebP',
    webp('VP8L', 0x2f, 0xff, 0xc0, 0x09, 0x00),
    { type: 'image/webp', width: 256, height: 40, ...still },
  ],
  [
    'a WebP that moves',
    webp('VP8X', 0x12, 0, 0, 0, 255, 0, 0, 39, 0, 0),
    { type: 'image/webp', width: 256, height: 40, ...still, isAnimated: true },
  ],
])('reads %s', (_, bytes, facts) => {
  expect(readImageFacts(bytes)).toEqual(facts)
})

it.each([
  ['text', Buffer.from('This is text.')],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['another kind of image', Buffer.from('GIF89a0123456789')],
  ['another kind of WebP', webp('ICCP', 0)],
  ['another first chunk', Buffer.from(pngOf(32, 32)).fill('X', 12, 16)],
])('reads no facts of %s', (_, bytes) => {
  expect(readImageFacts(bytes)).toBeUndefined()
})

it('survives bytes that end anywhere', () => {
  for (const whole of [pngOf(32, 32, { acTL: '' }), jpeg(3), webp('VP8X', 0, 0, 0, 0, 255, 0, 0, 39, 0, 0)])
    for (let end = 0; end < whole.length; end += 1)
      expect(() => readImageFacts(whole.subarray(0, end))).not.toThrow()
})

it('ends with chunks whose lengths are nonsense', () => {
  const bytes = pngOf(32, 32, { gAMA: '', tEXt: '' })
  bytes.writeUInt32BE(0xff_ff_ff_ff, 33)
  expect(readImageFacts(bytes)).toMatchObject({ width: 32 })
})
