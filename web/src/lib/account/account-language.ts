import { canReloadSilently, reloadPage } from '../browser/reload-page.ts'
import { readStored, removeStored, writeStored } from '../browser/storage.ts'
import { languages } from '../text/language.ts'

/** The storage key of the language that was chosen in this browser. public/theme.js reads both keys before the first paint. */
export const languageKey = 'juno.language'

/** The storage key of the language that is saved with the account. */
export const accountLanguageKey = 'juno.account-language'

/** The language of the account at the last visit. @returns null if it had none, or storage is blocked */
export const readAccountLanguage = (): string | null => readStored('local', accountLanguageKey)

/**
 * Applies the language saved with the account, unless one was selected in this browser: reloads the page if it is in another one, and if
 * nothing would be lost.
 * @param language empty, or not one of the page's: the browser's
 */
export function applyAccountLanguage(language: string): void {
  const supportedLanguage = languages.includes(language) ? language : null
  const before = readAccountLanguage()
  // where nothing can be stored, the page would find another language after each reload, and reload for ever
  if (supportedLanguage === null) removeStored('local', accountLanguageKey)
  else if (!writeStored('local', accountLanguageKey, supportedLanguage)) return
  const isChosenHere =
    readStored('local', languageKey) !== null || readStored('session', languageKey) !== null
  const { lang } = document.documentElement
  // without one the page is to be in the browser's language, and is unless it shows what the account had before
  const isShown = supportedLanguage === null ? before !== lang : supportedLanguage === lang
  if (!isChosenHere && !isShown && canReloadSilently()) reloadPage()
}
