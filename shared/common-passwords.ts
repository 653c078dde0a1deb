import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { minPasswordCharacters } from './limits.ts'

/** The page loads this many: 32 KB, compressed. */
const listLength = 10_000

/** The most common passwords of public lists that are long enough to be chosen, most common first; in lower case. */
export const selectCommonPasswords = (all: readonly string[]): string[] =>
  all.filter((password) => password.length >= minPasswordCharacters).slice(0, listLength)

const common = new Set(selectCommonPasswords(passwords))

/** Whether attackers try a password first, in whatever letter case and width it is written. */
export const isCommonPassword = (password: string): boolean =>
  common.has(password.normalize('NFKC').toLowerCase())

/** What Cognito says of a password that it knows to be stolen, where it checks that. */
export const commonPasswordMessage = 'Provided password cannot be used for security reasons.'
