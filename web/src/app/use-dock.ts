import { useState } from 'react'
import { readStored, removeStored, writeStored } from '../lib/storage.ts'
import { useMediaQuery } from '../lib/use-media-query.ts'

const storageKey = 'juno.docked'

/** Whether the conversations stand beside the chat: chosen in this browser, and from 1024 px only. Known at the first paint. */
export function useDock() {
  const isWide = useMediaQuery('(min-width: 64rem)')
  const [chosen, setChosen] = useState(() => readStored('local', storageKey) !== null)
  const dock = (next: boolean) => {
    setChosen(next)
    if (next) writeStored('local', storageKey, 'true')
    else removeStored('local', storageKey)
  }
  return { canDock: isWide, docked: chosen && isWide, dock }
}
