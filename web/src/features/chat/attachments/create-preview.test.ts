import { expect, it, vi } from 'vitest'
import { maxPreviewBytes } from '#shared/limits.ts'
import { stubImageLoading } from '../../../../../test/support/image-loading.ts'
import { createPreview } from './create-preview.ts'

function mockBrowser(width: number, height: number, blobSizes: number[]) {
  const drawnAreas: number[][] = []
  stubImageLoading({ width, height })
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close() {} }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    fillRect() {},
    drawImage: (_: unknown, ...area: number[]) => drawnAreas.push(area),
  } as unknown as null)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done({ size: blobSizes.shift() ?? 1 } as Blob),
  )
  return drawnAreas
}
const file = (type: string, ...bytes: number[]) => new File([Uint8Array.from(bytes)], 'a.png', { type })
const letters = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0))
const frame = (components: number) => [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, components, 0, 0, 0]

const png = file('image/png', 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const jpeg = file('image/png', 0xff, 0xd8, ...frame(3))
const big = (value: number) => [0, 0, 0, value]
/** EXIF with an orientation. */
const exif = (orientation: number) => [
  ...letters('MM'),
  0,
  0x2a,
  0,
  0,
  0,
  8,
  0,
  1,
  0x01,
  0x12,
  0,
  3,
  0,
  0,
  0,
  1,
  0,
  orientation,
  0,
  0,
  0,
  0,
  0,
  0,
]
const pngChunk = (name: string, ...data: number[]) => [
  ...big(data.length),
  ...letters(name),
  ...data,
  0,
  0,
  0,
  0,
]
const pngHead = [0x89, ...letters('PNG\r\n\x1a\n'), ...pngChunk('IHDR', ...big(8), ...big(6), 8, 2, 0, 0, 0)]
const webpChunk = (name: string, ...data: number[]) => [
  ...letters(name),
  ...big(data.length).toReversed(),
  ...data,
  ...(data.length % 2 === 0 ? [] : [0]),
]
const webp = (flags: number, ...chunks: number[]) =>
  file(
    '',
    ...letters('RIFF'),
    0,
    0,
    0,
    0,
    ...letters('WEBP'),
    ...webpChunk('VP8X', flags, 0, 0, 0, 7, 0, 0, 5, 0, 0),
    ...chunks,
  )
const bmp = file('', ...letters('BM'), 9, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0)

it.each([
  ['PNG', png],
  ['JPEG, whatever its name', jpeg],
  ['WebP', webp(0)],
  ['upright WebP with EXIF', webp(0x08, ...webpChunk('EXIF', ...exif(1)))],
  ['upright PNG with EXIF', file('', ...pngHead, ...pngChunk('eXIf', ...exif(1)), ...pngChunk('IDAT'))],
  ['PNG that is cut off', file('', ...pngHead, 0, 0)],
])('creates no copy of an image that all models read: %s', async (_, picture) => {
  mockBrowser(800, 600, [])
  expect(await createPreview(picture)).toBeUndefined()
})

it.each([
  [4096, 2048, 2048, 1024],
  [1000, 5000, 410, 2048],
  [2048, 2048, 2048, 2048],
  [10, 20_000, 1, 2048],
])('the copy of an image of %i × %i has %i × %i', async (width, height, toWidth, toHeight) => {
  const drawnAreas = mockBrowser(width, height, [1000])
  expect(await createPreview(bmp)).toBeDefined()
  expect(drawnAreas).toEqual([[0, 0, toWidth, toHeight]])
})

it('creates a small enough copy of a large image', async () => {
  const drawnAreas = mockBrowser(4096, 4096, [maxPreviewBytes + 1, 1000])
  expect(await createPreview(png)).toMatchObject({
    type: 'image/jpeg',
    blob: { size: 1000 },
  })
  expect(drawnAreas).toEqual([[0, 0, 2048, 2048]])
})

it.each([
  ['BMP', bmp],
  ['TIFF', file('image/tiff', 0x49, 0x49, 0x2a, 0)],
  ['HEIC', file('image/jpeg', 0, 0, 0, 24, ...letters('ftypheic'))],
  ['GIF, of which a copy does not move', file('image/gif', ...letters('GIF89a'))],
  ['WebP that moves', webp(0x02)],
  ['PNG that moves', file('', ...pngHead, ...pngChunk('acTL', 0, 0, 0, 1, 0, 0, 0, 0), ...pngChunk('IDAT'))],
  [
    'WebP that EXIF turns, behind its pixels',
    webp(0x08, ...webpChunk('VP8 ', 1), ...webpChunk('EXIF', ...exif(6))),
  ],
  ['WebP whose EXIF has a prefix', webp(0x08, ...webpChunk('EXIF', ...letters('Exif\0\0'), ...exif(8)))],
  ['PNG that EXIF turns', file('', ...pngHead, ...pngChunk('IDAT', 1), ...pngChunk('eXIf', ...exif(3)))],
  ['CMYK', file('image/jpeg', 0xff, 0xd8, ...frame(4))],
])('creates a copy of an image that not all models read: %s', async (_, picture) => {
  mockBrowser(100, 100, [10])
  expect(await createPreview(picture)).toMatchObject({ type: 'image/jpeg', blob: { size: 10 } })
})

it('creates no copy of an image that this browser cannot decode, and of what is no image', async () => {
  stubImageLoading(undefined)
  vi.stubGlobal('createImageBitmap', async () => Promise.reject(new Error('broken')))
  expect(await createPreview(bmp)).toBeUndefined()
  mockBrowser(100, 100, [10])
  expect(await createPreview(new File(['<svg/>'], 'a.png', { type: 'image/png' }))).toBeUndefined()
})

it('decodes no picture that has more pixels than there may be memory for', async () => {
  mockBrowser(100, 100, [10])
  const decode = vi.fn<typeof createImageBitmap>()
  vi.stubGlobal('createImageBitmap', decode)
  const size = [0, 0, 0x75, 0x30]
  const bytes = [
    0x89,
    0x50,
    0x4e,
    0x47,
    0x0d,
    0x0a,
    0x1a,
    0x0a,
    0,
    0,
    0,
    13,
    ...letters('IHDR'),
    ...size,
    ...size,
  ]
  expect(await createPreview(file('image/png', ...bytes, 8, 6, 0, 0, 0))).toBeUndefined()
  expect(decode).not.toHaveBeenCalled()
})

it('decodes none of another kind either', async () => {
  mockBrowser(30_000, 30_000, [10])
  const decode = vi.fn<typeof createImageBitmap>()
  vi.stubGlobal('createImageBitmap', decode)
  expect(await createPreview(bmp)).toBeUndefined()
  expect(decode).not.toHaveBeenCalled()
})
