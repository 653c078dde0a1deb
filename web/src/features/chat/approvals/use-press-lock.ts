import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { isEnter } from '../../../lib/keys.ts'

/** How long a button of a card has to be where it is before it takes a press: until then the press was meant for something else. */
export const unlockMs = 800
const sampleMs = 100

interface Place {
  left: number
  top: number
  label: string
  sinceMs: number
}

/**
 * Locks each button and link of a card until it has been in its place for `unlockMs`, for the pointer and the keyboard. What the user
 * moves by scrolling or typing stays unlocked.
 * @returns whether a button of the footer is locked
 */
export function usePressLock(
  card: RefObject<HTMLElement | null>,
  footer: RefObject<HTMLElement | null>,
): boolean {
  const [isLocked, setIsLocked] = useState(true)
  const sampleNow = useRef(() => {})
  useLayoutEffect(() => {
    const node = card.current
    if (!node) return
    const places = new WeakMap<Element, Place>()
    let movedByUserAtMs = -Infinity
    const isSettled = (button: Element) =>
      performance.now() - (places.get(button)?.sinceMs ?? Infinity) >= unlockMs
    const sample = () => {
      const now = performance.now()
      const isMovedByUser = now - movedByUserAtMs < unlockMs
      const buttons = [...node.querySelectorAll('button, a')]
      for (const button of buttons) {
        const { left, top } = button.getBoundingClientRect()
        const label = button.textContent
        const before = places.get(button)
        const isThere = before && Math.abs(before.left - left) < 1 && Math.abs(before.top - top) < 1
        const isSame = before?.label === label && (isThere || isMovedByUser)
        places.set(button, { left, top, label, sinceMs: isSame ? before.sinceMs : now })
      }
      setIsLocked(buttons.some((button) => footer.current?.contains(button) && !isSettled(button)))
    }
    const guard = (event: MouseEvent) => {
      const button = event.target instanceof Element ? event.target.closest('button, a') : null
      if (!button) return
      sample()
      if (isSettled(button)) return
      event.preventDefault()
      event.stopPropagation()
    }
    const noteMove = () => {
      movedByUserAtMs = performance.now()
    }
    const notePress = () => {
      movedByUserAtMs = -Infinity
    }
    const onKeyDown = (event: KeyboardEvent) =>
      isEnter(event) || event.key === ' ' ? notePress() : noteMove()
    const passive = { capture: true, passive: true }
    node.addEventListener('click', guard, true)
    // the middle button opens a link without a click event
    node.addEventListener('auxclick', guard, true)
    for (const type of ['wheel', 'touchmove', 'input']) addEventListener(type, noteMove, passive)
    addEventListener('keydown', onKeyDown, passive)
    addEventListener('pointerdown', notePress, passive)
    sampleNow.current = sample
    sample()
    const timer = setInterval(sample, sampleMs)
    return () => {
      node.removeEventListener('click', guard, true)
      node.removeEventListener('auxclick', guard, true)
      for (const type of ['wheel', 'touchmove', 'input']) removeEventListener(type, noteMove, passive)
      removeEventListener('keydown', onKeyDown, passive)
      removeEventListener('pointerdown', notePress, passive)
      clearInterval(timer)
    }
  }, [card, footer])
  // a button that replaced another with this render
  useLayoutEffect(() => sampleNow.current())
  return isLocked
}
