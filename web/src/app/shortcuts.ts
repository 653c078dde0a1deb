import { useEffect } from 'react'
import { showOverlay } from './overlays.ts'

export interface Shortcut {
  keys: readonly string[]
  does: string
}

/** How the system's own key is called. */
function modifierName(): 'Ctrl' | '⌘' {
  return /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl'
}

/** What the list shows; the keys themselves are heard where they act. */
export function shortcuts(modifier = modifierName()): readonly Shortcut[] {
  return [
    { keys: [modifier, 'K'], does: 'Search conversations and pages' },
    { keys: [modifier, 'Shift', 'O'], does: 'Start a fresh chat' },
    { keys: ['Enter'], does: 'Send the message' },
    { keys: ['Shift', 'Enter'], does: 'Add a line' },
    { keys: ['Esc'], does: 'Stop the reply, or close what is open' },
    { keys: ['↑'], does: 'Edit your last message, in an empty composer' },
    { keys: [modifier, 'Z'], does: 'Take a deletion back, in the list of conversations' },
    { keys: ['Alt', 'T'], does: 'Go to the notifications' },
    { keys: ['?'], does: 'Show this list' },
  ]
}

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
