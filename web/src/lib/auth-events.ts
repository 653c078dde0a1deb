import { Hub } from '@aws-amplify/core'
import { removeStored, writeStored } from './storage.ts'

/**
 * A change of the sign-in, in this tab or in another:
 * - `expired`: the tokens are no longer valid
 * - `revoked`: the API rejects tokens that the user pool would still refresh
 * - `disabled`: an administrator has disabled the account
 * - `signed-out`: the user chose to sign out, and none of their data may stay in this browser
 * - `ended`: the page has ended the sign-in, for whatever reason
 */
export type AuthEvent =
  | 'signed-in'
  | 'refreshed'
  | 'expired'
  | 'revoked'
  | 'disabled'
  | 'signed-out'
  | 'ended'
type SignOutEvent = Exclude<AuthEvent, 'signed-in' | 'refreshed'>

const rejectionNames =
  /^(NotAuthorized|TokenRevoked|UserNotFound|PasswordResetRequired|UserNotConfirmed|RefreshTokenReuse)/

/** Whether an error of the user pool means that the tokens are no longer valid: for these, Amplify has removed them. */
export const isRejection = (error: unknown): boolean =>
  error instanceof Error && rejectionNames.test(error.name)

/** Whether the user pool refuses an account because it is disabled. It says so only after the right password, or to a refresh. */
export const isAccountDisabled = (error: unknown): boolean =>
  error instanceof Error && error.name.startsWith('NotAuthorized') && /user is disabled/i.test(error.message)

const listeners = new Set<(event: AuthEvent) => void>()

const emit = (event: AuthEvent) => {
  for (const listener of listeners) listener(event)
}

/** @returns undefined for an event of Amplify that does not change the sign-in */
function parseHubEvent({ event, data }: { event: string; data?: unknown }): AuthEvent | undefined {
  if (event === 'signedIn') return 'signed-in'
  if (event === 'tokenRefresh') return 'refreshed'
  // sent by other tabs through the storage, which does not say why
  if (event === 'signedOut') return 'expired'
  // a refresh without a response keeps the tokens
  if (event !== 'tokenRefresh_failure') return undefined
  const { error } = Object(data) as { error?: unknown }
  if (isAccountDisabled(error)) return 'disabled'
  return isRejection(error) ? 'expired' : undefined
}

/** Written when the user signs out. It tells other tabs why the tokens disappear, before they do: storage events keep their order. */
const signOutKey = 'juno.sign-out'

/** Calls back on each change of the sign-in, in this tab and in others. @returns unsubscribes */
export function onAuthEvent(listener: (event: AuthEvent) => void): () => void {
  listeners.add(listener)
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === signOutKey && newValue !== null) listener('signed-out')
  }
  addEventListener('storage', onStorage)
  const stop = Hub.listen(
    'auth',
    ({ payload }) => {
      const event = parseHubEvent(payload)
      if (event !== undefined) listener(event)
    },
    { enableCrossTabEvents: true },
  )
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
    stop()
  }
}

/** Makes this tab read the claims of its tokens again: the API refused a token for a claim that the page has not noticed. */
export const emitTokenChange = (): void => emit('refreshed')

/** Emits the end of a sign-in in this tab. */
export const emitSignOut = (event: SignOutEvent): void => emit(event)

/** Tells the other tabs that the user signs out. Call it before the tokens are removed. */
export function announceSignOut(): void {
  writeStored('local', signOutKey, String(Date.now()))
  removeStored('local', signOutKey)
}
