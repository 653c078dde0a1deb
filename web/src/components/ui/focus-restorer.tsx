import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { isFocusLost } from '../../lib/restore-focus.ts'
import { returnFocus } from './tooltip.tsx'

/**
 * Rendered inside a dialog, it moves the focus out of the dialog in the moment the dialog is removed. Radix does that in a later task, and
 * keys pressed until then would be lost; its own event has to be prevented.
 * @param findTarget finds the element that gets the focus, or nothing
 */
export function FocusRestorer({ findTarget }: { findTarget: () => Element | null }) {
  const marker = useRef<HTMLSpanElement>(null)
  const restore = useEffectEvent((dialog: Element | null | undefined) => {
    if (!isFocusLost() && !dialog?.contains(document.activeElement)) return
    const target = findTarget()
    if (target instanceof HTMLElement) returnFocus(target)
  })
  useLayoutEffect(() => {
    const dialog = marker.current?.closest('[role="dialog"]')
    return () => restore(dialog)
  }, [])
  // a dialog that is removed while open keeps the focus inside until Radix has cleaned up, which is before this
  useEffect(() => () => restore(undefined), [])
  return <span ref={marker} hidden />
}

/** For Radix's focus events, where the focus is moved by other means. */
export const preventDefault = (event: { preventDefault: () => void }) => event.preventDefault()
