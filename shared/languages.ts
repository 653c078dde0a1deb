/** The languages of the page and its mails, and the direction of their script. `web/public/theme.js` has the same list: a test compares them. */
export const languageDirections = {
  en: 'ltr',
  de: 'ltr',
  fr: 'ltr',
  es: 'ltr',
  'pt-BR': 'ltr',
  ja: 'ltr',
  ar: 'rtl',
} as const

export type Language = keyof typeof languageDirections

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languageDirections, tag)

/**
 * The language of a locale, found by its longest known prefix (RFC 4647, section 3.4).
 * @param locale such as 'ar-EG-u-nu-latn'
 */
export function findLanguage(locale: string): Language | undefined {
  const subtags = locale.split('-', 8)
  for (let count = subtags.length; count > 0; count--) {
    const tag = subtags.slice(0, count).join('-')
    if (isLanguage(tag)) return tag
  }
  return undefined
}

/** The direction of a locale's texts; those of one that is not known are written from left to right. */
export const getDirection = (locale: string): 'ltr' | 'rtl' =>
  languageDirections[findLanguage(locale) ?? 'en']
