import { useEffect } from 'react'
import { announce, announcementStore } from '../../lib/browser/announce.ts'
import { useStore } from '../../lib/browser/create-store.ts'
import { onAuthEvent } from '../../lib/api/auth-events.ts'
import { useHasRendered } from '../../lib/browser/use-has-rendered.ts'

const signOutEvents = new Set(['ended', 'signed-out', 'revoked'])

/**
 * The live region of `announce`, outside of modal dialogs. It is there before its first text, also before one that was announced while the
 * code of the region was loaded.
 */
export function Announcer() {
  const { id, text } = useStore(announcementStore)
  const hasRendered = useHasRendered()
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
      <p key={id}>{hasRendered && text}</p>
    </div>
  )
}
