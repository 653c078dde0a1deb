import { afterEach, expect, it, vi } from 'vitest'
import { loadPicture } from './load-picture.ts'

afterEach(() => vi.unstubAllGlobals())

it('does not wait forever for a picture', async () => {
  const fetched = vi.fn<typeof fetch>(() => Promise.reject(new DOMException('', 'TimeoutError')))
  vi.stubGlobal('fetch', fetched)
  const file = { id: 'a', name: 'a.png', type: 'image/png', url: 'data:image/png;base64,' } as never
  expect(await loadPicture(file)).toBeUndefined()
  expect(fetched.mock.calls[0]?.[1]?.signal).toBeInstanceOf(AbortSignal)
})

it('does not decode a picture with too many pixels', async () => {
  // the header of a PNG of 20,000 × 20,000 pixels
  const header = Uint8Array.from([
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 78, 32, 0, 0, 78, 32, 8, 6, 0, 0, 0,
  ])
  const decode = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('decoded')))
  vi.stubGlobal('createImageBitmap', decode)
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(new Blob([header], { type: 'image/png' }))))
  const file = { id: 'a', name: 'a.png', type: 'image/png', url: 'data:image/png;base64,' } as never
  expect(await loadPicture(file)).toBeUndefined()
  expect(decode).not.toHaveBeenCalled()
})
