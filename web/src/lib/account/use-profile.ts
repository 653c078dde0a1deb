import { useQuery } from '@tanstack/react-query'
import { accountQuery, avatarQuery } from './account-queries.ts'
import type { SignedInUser } from '../api/signed-in-user.ts'
import { splitCharacters } from '../text/characters.ts'

/** How the signed-in user is shown. */
export interface Profile {
  /** the display name; the e-mail's local part for a user without one */
  name: string
  email: string
  /** shown when there is no image */
  initials: string
  imageUrl: string | undefined
}

/** The signed-in user's profile; from the ID token until the account is loaded. */
export function useProfile({ fullName, email }: SignedInUser): Profile {
  const { data: account } = useQuery(accountQuery)
  const { data: imageUrl } = useQuery(avatarQuery(account?.profile.avatar_id ?? null))
  const knownName = account?.profile.display_name ?? fullName
  return {
    name: getDisplayName(knownName, email),
    email,
    initials: getInitials(knownName, email),
    imageUrl,
  }
}

const getLocalPart = (email: string): string => email.replace(/@[^@]*$/, '')

/**
 * The initials shown without an image: the first letters of up to two words of the name, otherwise the first two characters of the e-mail's
 * local part; uppercase.
 */
export function getInitials(fullName: string, email: string): string {
  const words = fullName.trim().split(/\s+/).filter(Boolean)
  const letters =
    words.length > 0
      ? words.slice(0, 2).map((word) => splitCharacters(word)[0] ?? '')
      : splitCharacters(getLocalPart(email)).slice(0, 2)
  return letters.join('').toLocaleUpperCase()
}

/** The full name, or the e-mail's local part if it is empty. */
export function getDisplayName(fullName: string, email: string): string {
  return fullName.trim() || getLocalPart(email)
}
