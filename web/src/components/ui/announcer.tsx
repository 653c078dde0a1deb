import { useEffect } from 'react'
import { announce, announcementStore } from '../../lib/announce.ts'
import { useStore } from '../../lib/create-store.ts'
import { onAuthEvent } from '../../lib/auth-events.ts'

const signOutEvents = new Set(['ended', 'signed-out', 'revoked'])

/** The live region of `announce`: present before anything is announced, and outside of modal dialogs. */
export function Announcer() {
  const { id, text } = useStore(announcementStore)
  useEffect(
    () =>
      onAuthEvent((event) => {
        // the text may contain file names
        if (signOutEvents.has(event)) announce('')
      }),
    [],
  )
  return (
    <div role="status" className="sr-only">
      {/* a new node for each text, so that a repeated text is announced again */}
      <p key={id}>{text}</p>
    </div>
  )
}
