import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { maxPreviewBytes } from '#shared/limits.ts'
import { fitInside, createPreview } from './create-preview.ts'

it.each([
  [4096, 2048, 2048, 1024],
  [1000, 5000, 410, 2048],
  [2048, 2048, 2048, 2048],
  [10, 20_000, 1, 2048],
])('fits an image of %i × %i into %i × %i', (width, height, toWidth, toHeight) => {
  expect(fitInside(width, height)).toEqual([toWidth, toHeight])
})

function mockBrowser(width: number, height: number, blobSizes: number[]) {
  const drawnAreas: number[][] = []
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
/** A picture of another program, whatever the browser calls it. */
const picture = (name: string, type = '') =>
  new File([readFileSync(`test/fixtures/files/pictures/${name}`)], name, { type })

it.each(['jpeg-named.png', 'picture.webp'])(
  'creates no copy of an image that all models read: %s',
  async (name) => {
    mockBrowser(800, 600, [])
    expect(await createPreview(picture(name, 'image/png'))).toBeUndefined()
  },
)

it('creates a small enough copy of a large image', async () => {
  const drawnAreas = mockBrowser(4096, 4096, [maxPreviewBytes + 1, 1000])
  expect(await createPreview(picture('picture.webp'))).toMatchObject({
    type: 'image/jpeg',
    blob: { size: 1000 },
  })
  expect(drawnAreas).toEqual([[0, 0, 2048, 2048]])
})

it.each(['photo.bmp', 'scan.tiff', 'cmyk.jpg', 'rotated.jpg', 'animated.gif', 'still.gif'])(
  'creates a copy of an image that not all models read: %s',
  async (name) => {
    mockBrowser(100, 100, [10])
    expect(await createPreview(picture(name))).toMatchObject({ type: 'image/jpeg', blob: { size: 10 } })
  },
)

it('creates no copy of an image that this browser cannot decode, and of what is no image', async () => {
  vi.stubGlobal('createImageBitmap', async () => Promise.reject(new Error('broken')))
  expect(await createPreview(picture('scan.tiff'))).toBeUndefined()
  expect(await createPreview(new File(['<svg/>'], 'a.png', { type: 'image/png' }))).toBeUndefined()
})
