import { beforeEach, expect, it, vi } from 'vitest'
import { maxAvatarBytes } from '#shared/limits.ts'
import { stubImageLoading } from '../../../../test/support/image-loading.ts'
import { pngOf } from '../../../../test/support/png-of.ts'
import { cropPicture, UnreadableImageError } from './crop-picture.ts'
import { avatarPx } from './limits.ts'

/** What the canvas was asked to encode, as `type quality side`. */
let encodings: string[]
/** The size of an encoded image. */
let measure: (type: string, quality: number, side: number) => number
/** What a browser encodes instead of a type that it does not know. */
let unknownTypes: string[]

beforeEach(() => {
  encodings = []
  unknownTypes = []
  stubImageLoading({ width: 800, height: 600 })
  vi.stubGlobal('createImageBitmap', async () => ({ width: 800, height: 600, close: () => undefined }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    fillRect: () => undefined,
    drawImage: () => undefined,
  } as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function toBlob(
    this: HTMLCanvasElement,
    callback,
    type = '',
    quality = 0,
  ) {
    encodings.push(`${type} ${quality} ${this.width}`)
    const blob = new Blob(['x'], { type: unknownTypes.includes(type) ? 'image/png' : type })
    Object.defineProperty(blob, 'size', { value: measure(type, quality, this.width) })
    callback(blob)
  })
})

const crop = () => cropPicture(new Blob(['x'], { type: 'image/png' }), 'avatar')

it('takes the best quality that fits, up to the limit and not a byte more', async () => {
  measure = (_, quality) => maxAvatarBytes + (quality > 0.6 ? 1 : 0)
  expect((await crop()).size).toBe(maxAvatarBytes)
  expect(encodings).toEqual([0.86, 0.75, 0.6].map((quality) => `image/webp ${quality} ${avatarPx}`))
})

it('makes a picture smaller that fits in no quality, also where WebP is unknown', async () => {
  unknownTypes = ['image/webp']
  measure = (_type, _quality, side) => (side === avatarPx ? maxAvatarBytes + 1 : 1_000)
  expect(await crop()).toMatchObject({ type: 'image/jpeg', size: 1_000 })
  expect(encodings.at(-1)).toBe(`image/jpeg 0.86 ${avatarPx / 2}`)
})

it('refuses a picture that never fits', async () => {
  measure = () => maxAvatarBytes + 1
  await expect(crop()).rejects.toThrow(UnreadableImageError)
})

it('decodes no picture whose beginning says that it has too many pixels', async () => {
  measure = () => 1_000
  const decode = vi.fn<typeof createImageBitmap>(createImageBitmap)
  vi.stubGlobal('createImageBitmap', decode)
  const crop = (side: number) => cropPicture(new Blob([new Uint8Array(pngOf(side, side))]), 'assistant')
  await expect(crop(50_000)).rejects.toThrow(UnreadableImageError)
  expect(decode).not.toHaveBeenCalled()
  expect(await crop(64)).toMatchObject({ size: 1_000 })
})

it.each([
  ['AVIF', 'image/avif', '    ftypavif'],
  ['GIF', 'image/gif', 'GIF89a'],
  ['BMP', 'image/bmp', 'BM'],
])('decodes no picture that the browser says has too many pixels: %s', async (_, type, content) => {
  measure = () => 1_000
  const decode = vi.fn<typeof createImageBitmap>(createImageBitmap)
  vi.stubGlobal('createImageBitmap', decode)
  const crop = () => cropPicture(new Blob([content], { type }), 'avatar')
  stubImageLoading({ width: 20_000, height: 20_000 })
  await expect(crop()).rejects.toThrow(UnreadableImageError)
  expect(decode).not.toHaveBeenCalled()
  stubImageLoading({ width: 10_000, height: 10_000 })
  expect(await crop()).toMatchObject({ size: 1_000 })
})

it('draws a vector image of any size', async () => {
  measure = () => 1_000
  stubImageLoading({ width: 50_000, height: 50_000 })
  const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/svg+xml' })
  expect(await cropPicture(svg, 'avatar')).toMatchObject({ size: 1_000 })
})

it('a picture of an assistant is smaller', async () => {
  measure = () => 1_000
  await cropPicture(new Blob(['x'], { type: 'image/png' }), 'assistant')
  expect(encodings).toEqual(['image/webp 0.86 256'])
})
