import { Hub } from '@aws-amplify/core'

/** What happened to the session, in this tab or in another (AUTH-14). */
export type SessionEvent = 'signed-in' | 'signed-out' | 'renewed' | 'refused'

const events: Record<string, SessionEvent> = {
  signedIn: 'signed-in',
  signedOut: 'signed-out',
  tokenRefresh: 'renewed',
  tokenRefresh_failure: 'refused',
}

/** @returns stops listening */
export function onSessionEvent(listener: (event: SessionEvent) => void): () => void {
  return Hub.listen(
    'auth',
    ({ payload }) => {
      const event = events[payload.event]
      if (event !== undefined) listener(event)
    },
    { enableCrossTabEvents: true },
  )
}
