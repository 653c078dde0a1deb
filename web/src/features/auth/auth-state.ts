import { onAuthEvent } from '../../lib/api/auth-events.ts'
import { claimPage, loadSignedInUser } from '../../lib/api/auth-tokens.ts'
import { removeInputs } from '../../lib/input/inputs.ts'
import { forgetLastChat } from '../../lib/navigation/last-chat.ts'
import { serverNow } from '../../lib/browser/server-clock.ts'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import type { AuthState, SessionEnd } from './auth-context.ts'
import { isEndReason, readSessionEnd } from './session-end.ts'

/** The state without a signed-in user. @param ended why the session is over without the user */
export const createSignedOutState = (ended = readSessionEnd()): AuthState => ({
  status: 'signed-out',
  isByUser: false,
  ended,
})

/** Removes what other users of this browser have entered, before this user sees the page. */
export function removeOthersInput({ sub }: SignedInUser): void {
  forgetLastChat({ exceptUserId: sub })
  removeInputs(sub)
}

/** Reads who is signed in, for a page that is not rendered yet. */
export async function loadAuthState(): Promise<AuthState> {
  let ended: SessionEnd | undefined
  const stopListening = onAuthEvent((event) => {
    if (isEndReason(event)) ended = { reason: event, atMs: serverNow() }
  })
  const user = await loadSignedInUser().finally(stopListening)
  if (!user) return createSignedOutState(ended)
  removeOthersInput(user)
  claimPage(user.sub)
  return { status: 'signed-in', user }
}
