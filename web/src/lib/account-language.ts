import { accountLanguageKey, languageKey, readAccountLanguage } from './stored-language.ts'
import { languages } from './language.ts'
import { canReloadSilently, reloadPage } from './reload-page.ts'
import { readStored, removeStored, writeStored } from './storage.ts'

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
