import { useEffect } from 'react'
import { announce, announcement } from '../../lib/announce.ts'
import { useStore } from '../../lib/create-store.ts'
import { onAuthEvent } from '../../lib/auth-events.ts'

const ends = new Set(['ended', 'signed-out', 'revoked'])

/** The live region of `announce`: it stands before anything is announced, and is heard above dialogs, too. */
export function Announcer() {
  const { id, text } = useStore(announcement)
  useEffect(
    () =>
      onAuthEvent((event) => {
        // names of files among it
        if (ends.has(event)) announce('')
      }),
    [],
  )
  return (
    <div role="status" className="sr-only">
      {/* new words in a new node: the same ones in the same node would not be said again */}
      <p key={id}>{text}</p>
    </div>
  )
}
