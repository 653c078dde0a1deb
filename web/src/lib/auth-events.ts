import { Hub } from '@aws-amplify/core'

/**
 * A change of the sign-in, in this tab or in another: `ended` when it is over for whatever reason, `signed-out` when the user chose to sign
 * out and none of their data may stay in this browser, `revoked` when the API rejects tokens that the user pool would still refresh.
 */
export type AuthEvent = 'signed-in' | 'ended' | 'signed-out' | 'revoked' | 'refreshed' | 'refresh-failed'
type SignOutEvent = 'ended' | 'signed-out' | 'revoked' | 'refresh-failed'

const events: Record<string, AuthEvent> = {
  signedIn: 'signed-in',
  // sent by other tabs through the storage, which does not say why
  signedOut: 'ended',
  tokenRefresh: 'refreshed',
  tokenRefresh_failure: 'refresh-failed',
}

const listeners = new Set<(event: AuthEvent) => void>()
let channel: BroadcastChannel | undefined

const emit = (event: AuthEvent) => {
  for (const listener of listeners) listener(event)
}

/** One channel for listening and sending: a tab does not receive its own messages. */
function openChannel(): BroadcastChannel | undefined {
  if (channel || typeof BroadcastChannel === 'undefined') return channel
  channel = new BroadcastChannel('juno-session')
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'signed-out') emit(data)
  }
  return channel
}

/** @returns unsubscribes */
export function onAuthEvent(listener: (event: AuthEvent) => void): () => void {
  openChannel()
  listeners.add(listener)
  const stop = Hub.listen(
    'auth',
    ({ payload }) => {
      const event = events[payload.event]
      if (event !== undefined) listener(event)
    },
    { enableCrossTabEvents: true },
  )
  return () => {
    listeners.delete(listener)
    stop()
  }
}

/** Makes this tab read the claims of its tokens again: the API refused a token for a claim that the page has not noticed. */
export const emitTokenChange = (): void => emit('refreshed')

/** Emits the end of a sign-in in this tab, and in all others when the user signed out. */
export function emitSignOut(event: SignOutEvent): void {
  emit(event)
  if (event === 'signed-out') openChannel()?.postMessage(event)
}
