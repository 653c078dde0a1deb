import { readStored } from './storage.ts'

/** The storage key of the language that was chosen in this browser. public/theme.js reads both keys before the first paint. */
export const languageKey = 'juno.language'

/** The storage key of the language that is saved with the account. */
export const accountLanguageKey = 'juno.account-language'

/** The language of the account at the last visit. @returns null if it had none, or storage is blocked */
export const readAccountLanguage = (): string | null => readStored('local', accountLanguageKey)
