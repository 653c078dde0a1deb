import { afterAll, vi } from 'vitest'

/** Files of a worker share the packages and the document; each loads the page's modules anew, with its own replacements. */
afterAll(async () => {
  vi.useRealTimers()
  // a module that is still being loaded would stay, with what it has imported of this file, and the next one would get both
  await vi.dynamicImportSettled()
  vi.resetModules()
})
