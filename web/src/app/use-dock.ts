import { useEffect, useState } from 'react'
import { readStored, writeStored } from '../lib/storage.ts'
import { useMediaQuery } from '../lib/use-media-query.ts'

/** Where the list of conversations is: beside the page, beside it but hidden, or over the page when it is opened. */
type DockPlacement = 'beside' | 'hidden' | 'overlay'

const storageKey = 'juno.docked'

/** The list (`--width-dock`, 18rem) leaves a page the width for its text and the margins around it. */
const roomQuery = '(min-width: 80rem)'

/** The choice of this browser; beside the page by default. Read synchronously, for the first paint. */
function readChoice(): DockPlacement {
  const stored = readStored('local', storageKey)
  return stored === 'hidden' || stored === 'overlay' ? stored : 'beside'
}

/**
 * Whether the window has room for the list beside the page. A change waits until the dialogs are closed: the list is built anew then, and a
 * dialog that was opened from it would be lost, with what was typed there.
 */
function useRoom(): boolean {
  const hasRoomNow = useMediaQuery(roomQuery)
  const [hasRoom, setHasRoom] = useState(hasRoomNow)
  useEffect(() => {
    const root = document.documentElement
    const update = () => {
      if (!root.matches('[data-has-sheet]')) setHasRoom(hasRoomNow)
    }
    update()
    const observer = new MutationObserver(update)
    observer.observe(root, { attributeFilter: ['data-has-sheet'] })
    return () => observer.disconnect()
  }, [hasRoomNow])
  return hasRoom
}

/**
 * Where the list of conversations is: as the user has chosen in this browser, but over the page where there is no room for both.
 * @returns `hasRoom`: whether it can be beside the page; `choosePlacement`: stores another choice
 */
export function useDock() {
  const hasRoom = useRoom()
  const [choice, setChoice] = useState(readChoice)
  const choosePlacement = (next: DockPlacement) => {
    setChoice(next)
    writeStored('local', storageKey, next)
  }
  return { hasRoom, placement: hasRoom ? choice : 'overlay', choosePlacement } as const
}
