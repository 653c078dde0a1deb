import { Hub } from '@aws-amplify/core'

/**
 * What happened to the session, in this tab or in another (AUTH-14): `ended` when it is over for whatever reason, `signed-out`
 * when the user chose so and nothing of them may stay in this browser, `revoked` when the API takes its tokens no more, though the
 * user pool would still renew them.
 */
export type AuthEvent = 'signed-in' | 'ended' | 'signed-out' | 'revoked' | 'renewed' | 'refused'
type SignOutEvent = 'ended' | 'signed-out' | 'revoked'

const events: Record<string, AuthEvent> = {
  signedIn: 'signed-in',
  // comes from other tabs only, by the storage, which does not say why
  signedOut: 'ended',
  tokenRefresh: 'renewed',
  tokenRefresh_failure: 'refused',
}

const listeners = new Set<(event: AuthEvent) => void>()
let channel: BroadcastChannel | undefined

const emit = (event: AuthEvent) => {
  for (const listener of listeners) listener(event)
}

/** One channel for hearing and telling: a tab does not hear itself. */
function openChannel(): BroadcastChannel | undefined {
  if (channel || typeof BroadcastChannel === 'undefined') return channel
  channel = new BroadcastChannel('juno-session')
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'signed-out') emit(data)
  }
  return channel
}

/** @returns stops listening */
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

/** Tells this tab that the session is over, and all the others when the user chose so. */
export function emitSignOut(event: SignOutEvent): void {
  emit(event)
  if (event === 'signed-out') openChannel()?.postMessage(event)
}
