import { useLayoutEffect } from 'react'
import { isShortcut } from '../lib/input/shortcuts.ts'
import { getCurrentDialog, setCurrentDialog } from './current-dialog.ts'

/**
 * The keyboard shortcuts of all pages, from the moment one is shown. Above a dialog of a page they open nothing, and do not close it with the
 * list of conversations that it was opened from.
 */
export function useShortcuts(onNewChat: () => void): void {
  useLayoutEffect(() => {
    const handlers = {
      search: () => setCurrentDialog('search'),
      newChat: () => {
        setCurrentDialog(null)
        onNewChat()
      },
      list: () => setCurrentDialog('shortcuts'),
    }
    const names = ['search', 'newChat', 'list'] as const satisfies (keyof typeof handlers)[]
    const onKeyDown = (event: KeyboardEvent) => {
      const name = event.defaultPrevented ? undefined : names.find((each) => isShortcut(event, each))
      if (!name) return
      // the browser has other uses for the same keys
      event.preventDefault()
      const isOverDialog = document.documentElement.matches('[data-has-sheet],[data-has-viewer]')
      if (!isOverDialog || getCurrentDialog() === 'shortcuts') handlers[name]()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onNewChat])
}
