import catalogues from 'virtual:catalogues/'
import type { Catalogue } from 'virtual:catalogues/'

/** The languages that the page can be shown in. */
export const languages: readonly string[] = ['en', ...Object.keys(catalogues)]

type LoadedCatalogue = Catalogue & typeof import('./translate-code.ts')

let loaded: LoadedCatalogue | undefined

/** The translations into the language of the page; undefined for English. */
export const getCatalogue = (): LoadedCatalogue | undefined => loaded

/**
 * Loads the translations into the language of `<html lang>`. If they cannot be loaded, the page is English. Call before the modules with
 * texts are imported.
 */
export async function loadCatalogue(): Promise<void> {
  const root = document.documentElement
  try {
    const load = catalogues[root.lang]
    if (!load) return
    const [translator, catalogue] = await Promise.all([import('./translate-code.ts'), load()])
    loaded = { ...translator, ...catalogue.default }
  } catch {
    root.lang = 'en'
    root.dir = 'ltr'
  }
}
