import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { createPressLock, type PressLock } from './press-lock.ts'

/**
 * Locks the buttons and links of a card while they are new in their position, so that a card that appears or moves under the pointer takes no
 * press that was meant for something else (`createPressLock`).
 * @returns whether a button of the footer is locked. The component marks the footer then, and not its buttons, which have states of their own
 */
export function usePressLock(
  card: RefObject<HTMLElement | null>,
  footer: RefObject<HTMLElement | null>,
): boolean {
  const [isLocked, setIsLocked] = useState(true)
  const lock = useRef<PressLock>(undefined)
  // layout effects, so that a button is locked before it can be seen
  useLayoutEffect(() => {
    if (!card.current) return
    const created = createPressLock(card.current, () => footer.current, setIsLocked)
    lock.current = created
    return () => created.dispose()
  }, [card, footer])
  // after each render, which may have replaced a button by another one
  useLayoutEffect(() => lock.current?.measure())
  return isLocked
}
