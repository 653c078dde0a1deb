import { onTestFinished, vi } from 'vitest'

/**
 * Evaluates modules of the page anew, in German.
 * @param load imports them
 */
export async function inGerman<T>(load: () => Promise<T>): Promise<T> {
  vi.resetModules()
  document.documentElement.lang = 'de'
  onTestFinished(() => {
    document.documentElement.lang = 'en'
    vi.resetModules()
  })
  const { loadCatalogue } = await import('../../web/src/lib/text/language.ts')
  await loadCatalogue()
  return await load()
}
