/**
 * The language of the page and its regional variant. `public/theme.js` chooses the language and says so in `<html lang>`; the page is
 * reloaded to change it.
 */
export const language = document.documentElement.lang || 'en'

/** Arrow keys need it; styles follow `<html dir>`. */
export const direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'

/** The language and the script of a tag; undefined for those of browsers that are none, such as 'en-US@posix'. */
function identify(tag: string): string | undefined {
  try {
    const { language: name, script } = new Intl.Locale(tag).maximize()
    return `${name}-${script}`
  } catch {
    return undefined
  }
}

/** Whether a tag of the browser is a variant of the language. */
const isVariant = (tag: string) => identify(tag) === identify(language)
/**
 * For dates and numbers: the browser's variant of the language, such as 'de-AT'. Arabic numbers have the digits of all others, as those in
 * replies and messages of the service have.
 */
export const locale = new Intl.Locale(navigator.languages.find(isVariant) ?? language, {
  numberingSystem: 'latn',
}).toString()

/** `12,345`, `12.345` */
export const formatCount = (count: number): string => count.toLocaleString(locale)

/** `a, b, c` */
export function formatList(items: Iterable<string>): string {
  const units = new Intl.ListFormat(locale, { type: 'unit' })
  // in Japanese only spaces are between units
  return units.format(['', '']).trim() === '' ? formatConjunction(items) : units.format(items)
}

/** `a, b and c` */
export const formatConjunction = (items: Iterable<string>): string =>
  new Intl.ListFormat(locale).format(items)
