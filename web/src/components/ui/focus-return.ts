import { isFocusLost } from '../../lib/restore-focus.ts'
import { returnFocus } from './tooltip.tsx'

/**
 * For Radix's `onCloseAutoFocus`, which gives the focus to a trigger only: ours have none.
 * @param findTarget finds the element that gets the focus, or nothing
 */
export const giveFocusTo = (findTarget: () => Element | null) => (event: Event) => {
  event.preventDefault()
  const target = isFocusLost() ? findTarget() : null
  if (target instanceof HTMLElement) returnFocus(target)
}

/** For Radix's events. */
export const preventDefault = (event: { preventDefault: () => void }) => event.preventDefault()
