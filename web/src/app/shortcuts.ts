import { useLayoutEffect } from 'react'
import { setCurrentDialog } from './current-dialog.ts'

/** The keyboard shortcuts of the main screen, from the moment it is shown. */
export function useShortcuts(onNewChat: () => void): void {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return
      const key = event.key.toLowerCase()
      if (event.ctrlKey || event.metaKey) {
        if (key === 'k' && !event.shiftKey) {
          event.preventDefault()
          setCurrentDialog('search')
        } else if (key === 'o' && event.shiftKey) {
          event.preventDefault()
          setCurrentDialog(null)
          onNewChat()
        }
      } else if (key === '?' && !isWriting(event.target)) {
        event.preventDefault()
        setCurrentDialog('shortcuts')
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onNewChat])
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input,textarea,select,[contenteditable]') !== null
}
