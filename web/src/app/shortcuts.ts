import { useEffect } from 'react'
import { setOpenDialog } from './open-dialog.ts'

/** The keyboard shortcuts of the main screen. */
export function useShortcuts(onNewChat: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const key = event.key.toLowerCase()
      if (event.ctrlKey || event.metaKey) {
        if (key === 'k' && !event.shiftKey) {
          event.preventDefault()
          setOpenDialog('search')
        } else if (key === 'o' && event.shiftKey) {
          event.preventDefault()
          setOpenDialog(null)
          onNewChat()
        }
      } else if (key === '?' && !isWriting(event.target)) {
        event.preventDefault()
        setOpenDialog('shortcuts')
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onNewChat])
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input,textarea,select,[contenteditable]') !== null
}
