import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  document.documentElement.lang = 'en'
  vi.resetModules()
})

/** The locale of a page in a language, in a browser that prefers these. */
async function loadLocale(language: string, tags: readonly string[]) {
  vi.resetModules()
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags)
  document.documentElement.lang = language
  return (await import('./locale.ts')).locale
}

it.each([
  ['de', ['en-US', 'de-AT'], 'de-AT-u-nu-latn'],
  ['de', ['en-US'], 'de-u-nu-latn'],
  ['ar', ['ar-EG'], 'ar-EG-u-nu-latn'],
  ['en', ['en-US@posix', 'en-GB'], 'en-GB-u-nu-latn'],
  // regional preferences of Android
  ['en', ['en-US-u-fw-mon-mu-celsius'], 'en-US-u-fw-mon-mu-celsius-nu-latn'],
  ['ar', ['ar-EG-u-nu-arab'], 'ar-EG-u-nu-latn'],
])('a page in %s, in a browser with %j, has the locale %s', async (language, tags, locale) => {
  expect(await loadLocale(language, tags)).toBe(locale)
  expect(() => new Intl.NumberFormat(locale)).not.toThrow()
})
