import { useEscape } from '../../../lib/input/escape.ts'

const openLayers = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** Escape leaves the page unless it closes a layer first, or the user is writing in a text field. */
export function useEscapeToLeave(onLeave: () => void): void {
  useEscape('page', onLeave, (target) => !document.querySelector(openLayers) && !isWriting(target))
}

/** Whether the event comes from a text field that is not empty. */
function isWriting(target: EventTarget | null): boolean {
  const isTextField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  return isTextField && target.value !== ''
}
