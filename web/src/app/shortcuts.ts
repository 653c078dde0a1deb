import { useEffect } from 'react'
import { showOverlay } from './open-dialog.ts'

/** The keys that work everywhere. */
export function useShortcuts(onStartFresh: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const key = event.key.toLowerCase()
      if (event.ctrlKey || event.metaKey) {
        if (key === 'k' && !event.shiftKey) {
          event.preventDefault()
          showOverlay('search')
        } else if (key === 'o' && event.shiftKey) {
          event.preventDefault()
          showOverlay(null)
          onStartFresh()
        }
      } else if (key === '?' && !isWriting(event.target)) {
        event.preventDefault()
        showOverlay('shortcuts')
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onStartFresh])
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input,textarea,select,[contenteditable]') !== null
}
