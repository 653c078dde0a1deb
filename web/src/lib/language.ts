import catalogues from 'virtual:catalogues/'
import type { Catalogue } from 'virtual:catalogues/'

/** What the page can be shown in. */
export const languages: readonly string[] = ['en', ...Object.keys(catalogues)]

let loaded: Catalogue | undefined

/** The translations into the language of the page; undefined for English. */
export const getCatalogue = (): Catalogue | undefined => loaded

/**
 * Loads the translations into the language of `<html lang>`. If they cannot be loaded, the page is English. Call before the modules with
 * texts are imported.
 */
export async function loadCatalogue(): Promise<void> {
  const root = document.documentElement
  try {
    loaded = (await catalogues[root.lang]?.())?.default
  } catch {
    root.lang = 'en'
    root.dir = 'ltr'
  }
}
