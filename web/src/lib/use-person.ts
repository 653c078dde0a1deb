import { useQuery } from '@tanstack/react-query'
import { accountQuery, avatarQuery } from './account-queries.ts'
import type { SignedInUser } from './auth-session.ts'
import { displayName, initials } from './initials.ts'

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
