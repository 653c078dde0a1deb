import { useEffect } from 'react'

const open = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/**
 * INT-02, DEC-080: Escape leaves the page, but first it closes what is open, and it is left alone while text is being written.
 * @param onLeave must stay the same
 */
export function useEscapeHome(onLeave: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      if (document.querySelector(open) || isWriting(event.target)) return
      onLeave()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onLeave])
}

/** Whether a field with text in it has the focus; an empty one has nothing to lose. */
function isWriting(target: EventTarget | null): boolean {
  const field = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  return field && target.value !== ''
}
