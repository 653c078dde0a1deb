type Stem = (word: string) => string

/** By ISO 639-1 code; the stemmers are Snowball's. @see https://snowballstem.org */
const loaders: Readonly<Record<string, () => Promise<{ stemmer: Stem }>>> = {
  ar: () => import('@orama/stemmers/arabic'),
  bg: () => import('@orama/stemmers/bulgarian'),
  da: () => import('@orama/stemmers/danish'),
  de: () => import('@orama/stemmers/german'),
  el: () => import('@orama/stemmers/greek'),
  en: () => import('@orama/stemmers/english'),
  es: () => import('@orama/stemmers/spanish'),
  fi: () => import('@orama/stemmers/finnish'),
  fr: () => import('@orama/stemmers/french'),
  hu: () => import('@orama/stemmers/hungarian'),
  it: () => import('@orama/stemmers/italian'),
  nl: () => import('@orama/stemmers/dutch'),
  no: () => import('@orama/stemmers/norwegian'),
  pt: () => import('@orama/stemmers/portuguese'),
  ro: () => import('@orama/stemmers/romanian'),
  ru: () => import('@orama/stemmers/russian'),
  sv: () => import('@orama/stemmers/swedish'),
  tr: () => import('@orama/stemmers/turkish'),
  uk: () => import('@orama/stemmers/ukrainian'),
}

export const stemmedLanguages: readonly string[] = Object.keys(loaders)

/** Loads the stemmers of these languages, by language; the others have none. */
export async function loadStemmers(languages: readonly string[]): Promise<Map<string, Stem>> {
  const entries = await Promise.all(
    languages.flatMap((language) => {
      const load = loaders[language]
      return load ? load().then(({ stemmer }) => [language, stemmer] as const) : []
    }),
  )
  return new Map(entries)
}
