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
