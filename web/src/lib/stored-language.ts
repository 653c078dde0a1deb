import { readStored } from './storage.ts'

/** Of the language that was chosen in this browser. public/theme.js reads both before the first paint. */
export const languageKey = 'juno.language'

/** Of the language that is saved with the account. */
export const accountLanguageKey = 'juno.account-language'

/** @returns null if the account had none at the last visit */
export const readAccountLanguage = (): string | null => readStored('local', accountLanguageKey)
