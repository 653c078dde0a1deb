import { vi } from 'vitest'

/** Has every image load with this size, which jsdom does not read; the browser cannot show one of no size. The test has to reset globals. */
export function stubImageLoading(size: { width: number; height: number } | undefined): void {
  vi.stubGlobal(
    'Image',
    class extends EventTarget {
      naturalWidth = size?.width ?? 0
      naturalHeight = size?.height ?? 0
      set src(_url: string) {
        queueMicrotask(() => this.dispatchEvent(new Event(size ? 'load' : 'error')))
      }
      decode = () => (size ? Promise.resolve() : Promise.reject(new Error('broken')))
    },
  )
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:image')
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
}
