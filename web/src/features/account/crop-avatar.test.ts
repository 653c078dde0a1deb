import { beforeEach, expect, it, vi } from 'vitest'
import { avatarPx } from '../../lib/limits.ts'
import { maxAvatarBytes } from '#shared/limits.ts'
import { cropAvatar, UnreadableImageError } from './crop-avatar.ts'

/** What the canvas was asked to encode, as `type quality side`. */
let encodings: string[]
/** The size of an encoded image. */
let measure: (type: string, quality: number, side: number) => number
/** What a browser encodes instead of a type that it does not know. */
let unknownTypes: string[]

beforeEach(() => {
  encodings = []
  unknownTypes = []
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

const crop = () => cropAvatar(new Blob(['x'], { type: 'image/png' }))

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
