import { splitCharacters } from './characters.ts'

/** The part of an e-mail address before the @. */
function localPart(email: string): string {
  return email.slice(0, email.lastIndexOf('@') === -1 ? undefined : email.lastIndexOf('@'))
}

/**
 * The letters that stand for a person without a picture: the first letters of up to two words of the full name, else the
 * first two of the e-mail's local part; uppercase.
 * @see DEC-035 (MENU-02, SET-06)
 */
export function initials(fullName: string, email: string): string {
  const words = fullName.trim().split(/\s+/).filter(Boolean)
  const letters =
    words.length > 0
      ? words.slice(0, 2).map((word) => splitCharacters(word)[0] ?? '')
      : splitCharacters(localPart(email)).slice(0, 2)
  return letters.join('').toLocaleUpperCase()
}

/** The name to show: the full name, or the e-mail's local part where there is none (DEC-035). */
export function displayName(fullName: string, email: string): string {
  return fullName.trim() || localPart(email)
}
