import { useEffect, useState } from 'react'
import { readStored, writeStored } from '../lib/storage.ts'
import { useMediaQuery } from '../lib/use-media-query.ts'

/** Where the list of conversations is on a wide screen: beside the page, hidden there, or over the page when it is opened. */
type Dock = 'shown' | 'hidden' | 'overlay'

const storageKey = 'juno.docked'

/** The choice of this browser. Read synchronously, for the first paint. */
function readDock(): Dock {
  const stored = readStored('local', storageKey)
  return stored === 'hidden' || stored === 'overlay' ? stored : 'shown'
}

/**
 * Whether the window has room for the list beside the page. A change waits until the dialogs are closed: the list is built anew then, and a
 * dialog that was opened from it would be lost, with what was typed there.
 */
function useRoom(): boolean {
  const hasRoom = useMediaQuery('(min-width: 80rem)')
  const [room, setRoom] = useState(hasRoom)
  useEffect(() => {
    const root = document.documentElement
    const update = () => {
      if (!root.matches('[data-has-sheet]')) setRoom(hasRoom)
    }
    update()
    const observer = new MutationObserver(update)
    observer.observe(root, { attributeFilter: ['data-has-sheet'] })
    return () => observer.disconnect()
  }, [hasRoom])
  return room
}

/** Whether the list is beside the page: by default, but only where there is room for both. */
export function useDock() {
  const canDock = useRoom()
  const [dock, setState] = useState(readDock)
  const setDock = (next: Dock) => {
    setState(next)
    writeStored('local', storageKey, next)
  }
  return { canDock, isDocked: canDock && dock !== 'overlay', isHidden: dock === 'hidden', setDock }
}
