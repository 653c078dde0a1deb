import { afterAll, vi } from 'vitest'

/** Files of a worker share the packages and the document; each loads the page's modules anew, with its own replacements. */
afterAll(() => {
  vi.useRealTimers()
  vi.resetModules()
})
