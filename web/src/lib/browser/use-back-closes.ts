import { useEffect, useEffectEvent, useRef } from 'react'

/** The state of the shown entry; `sheet` is the id of what covers the page there. */
const getState = () => history.state as { sheet?: unknown } | null

/**
 * Lets the browser's Back button close what covers the page, by an entry of its own in the history. Closing it otherwise removes the
 * entry.
 */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const closeNow = useEffectEvent(close)
  /** id of the entry while there is one */
  const sheet = useRef<string>(undefined)
  const isActive = useRef(false)
  useEffect(() => {
    if (!isOpen) return
    if (sheet.current === undefined) {
      sheet.current = crypto.randomUUID()
      // the address and the router's state stay as they are
      history.pushState({ ...getState(), sheet: sheet.current }, '')
    }
    const isCurrent = () => getState()?.sheet === sheet.current
    const closeIfLeft = () => {
      if (!isCurrent()) closeNow()
    }
    addEventListener('popstate', closeIfLeft)
    isActive.current = true
    return () => {
      removeEventListener('popstate', closeIfLeft)
      isActive.current = false
      // React may only try the effect, and begin it again at once
      queueMicrotask(() => {
        if (isActive.current) return
        if (isCurrent()) history.back()
        sheet.current = undefined
      })
    }
  }, [isOpen])
}
