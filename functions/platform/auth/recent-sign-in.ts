import { SignInTooOld } from '../errors.ts'
import type { User } from './access-token.ts'

/** How long a sign-in counts as the person's own presence. */
const recentSeconds = 900

/** Requires the person's presence, not just an open browser or a stolen session. @throws SignInTooOld */
export function requireRecentSignIn({ signedInAt }: Pick<User, 'signedInAt'>, nowMs: number): void {
  const age = Math.round(nowMs / 1000 - signedInAt)
  if (age > recentSeconds) throw new SignInTooOld(`signed in ${age} s ago`)
}
