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
  const headers = { 'content-type': 'image/png' }
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(header, { headers })))
  // its size is in its header: it is not loaded as an image
  const load = vi.fn<() => string>(() => {
    throw new Error('loaded')
  })
  vi.stubGlobal(
    'URL',
    class extends URL {
      static override createObjectURL = load
    },
  )
  const file = { id: 'a', name: 'a.png', type: 'image/png', url: 'data:image/png;base64,' } as never
  expect(await loadPicture(file)).toBeUndefined()
  expect(decode).not.toHaveBeenCalled()
  expect(load).not.toHaveBeenCalled()
})
