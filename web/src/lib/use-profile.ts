import { useQuery } from '@tanstack/react-query'
import { accountQuery, avatarQuery } from './account-queries.ts'
import type { SignedInUser } from './auth-tokens.ts'
import { splitCharacters } from './characters.ts'

export interface Person {
  /** what to show as the name: never empty */
  name: string
  email: string
  /** stands for a person without a picture */
  initials: string
  imageUrl: string | undefined
}

/** The signed-in person as the page shows them; by what the sign-in tells until the profile is there. */
export function usePerson({ fullName, email }: SignedInUser): Person {
  const { data: account } = useQuery(accountQuery)
  const { data: image } = useQuery(avatarQuery(account?.profile.avatar_id ?? null))
  const known = account?.profile.display_name ?? fullName
  return {
    name: displayName(known, email),
    email,
    initials: initials(known, email),
    imageUrl: (account?.profile.avatar_id ?? null) === null ? undefined : (image ?? undefined),
  }
}

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
