import { isFocusLost } from '../../lib/input/focus-targets.ts'
import { returnFocus } from './tooltip.tsx'

/**
 * Handles Radix's `onCloseAutoFocus`, which gives the focus to a trigger only: our dialogs have none. The target gets it unless something else
 * has it.
 */
export function giveFocus(event: Event, target: Element | null): void {
  event.preventDefault()
  if (isFocusLost() && target instanceof HTMLElement) returnFocus(target)
}
