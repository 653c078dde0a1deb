import { useLayoutEffect } from 'react'

const openLayers = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/**
 * Escape leaves the page unless it closes a layer or clears a text field first.
 * @param onLeave must be a stable function
 */
export function useEscapeToLeave(onLeave: () => void): void {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      if (document.querySelector(openLayers) || isWriting(event.target)) return
      onLeave()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [onLeave])
}

/** Whether the event comes from a text field that is not empty. */
function isWriting(target: EventTarget | null): boolean {
  const isTextField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  return isTextField && target.value !== ''
}
