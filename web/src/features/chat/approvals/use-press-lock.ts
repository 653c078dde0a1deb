import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { isEnter } from '../../../lib/keys.ts'

/** How long a button of a card has to be in its position before it takes a press: an earlier press was meant for something else. */
export const unlockMs = 800
const sampleMs = 100

/** Where a button is, what it says, and since when. */
interface ButtonPosition {
  left: number
  top: number
  /** how far the containers of the card are scrolled */
  scrolledPx: number
  /** the sum of their heights, which changes when something in them grows or shrinks */
  heightsPx: number
  label: string
  sinceMs: number
}

/** Whether a button is where it was, or was only scrolled, which the user sees. */
function isUnmoved(before: ButtonPosition, now: Omit<ButtonPosition, 'sinceMs'>): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) < 1
  const isSamePosition = isNear(before.top, now.top) && isNear(before.left, now.left)
  const isScrolled =
    isNear(before.top + before.scrolledPx, now.top + now.scrolledPx) &&
    isNear(before.left, now.left) &&
    before.heightsPx === now.heightsPx
  return isSamePosition || isScrolled
}

function measureContainers(card: Element): Pick<ButtonPosition, 'scrolledPx' | 'heightsPx'> {
  let scrolledPx = 0
  let heightsPx = 0
  for (let each = card.parentElement; each; each = each.parentElement) {
    scrolledPx += each.scrollTop
    heightsPx += each.scrollHeight + each.clientHeight
  }
  return { scrolledPx, heightsPx }
}

/** Marks a button outside the footer as locked. The footer itself is marked for all of its buttons. */
function showLock(button: Element, isLocked: boolean): void {
  if (isLocked && !button.hasAttribute('aria-disabled')) {
    button.setAttribute('aria-disabled', 'true')
    button.setAttribute('data-locked', '')
  } else if (!isLocked && button.hasAttribute('data-locked')) {
    button.removeAttribute('aria-disabled')
    button.removeAttribute('data-locked')
  }
}

/**
 * Locks each button and link of a card, for the pointer and the keyboard, until it has been in its position for `unlockMs`. So a card that
 * appears or moves under the pointer takes no press that was meant for something else. What the user moves by scrolling or typing stays unlocked.
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
    const positions = new WeakMap<Element, ButtonPosition>()
    let movedByUserAtMs = -Infinity
    const isSettled = (button: Element) =>
      performance.now() - (positions.get(button)?.sinceMs ?? Infinity) >= unlockMs
    const sample = () => {
      const now = performance.now()
      const isMovedByUser = now - movedByUserAtMs < unlockMs
      const buttons = [...node.querySelectorAll('button, a')]
      const containers = measureContainers(node)
      for (const button of buttons) {
        const { left, top } = button.getBoundingClientRect()
        const position = { left, top, label: button.textContent, ...containers }
        const before = positions.get(button)
        const isSame = before?.label === position.label && (isMovedByUser || isUnmoved(before, position))
        positions.set(button, { ...position, sinceMs: isSame ? before.sinceMs : now })
      }
      for (const button of buttons) {
        if (!footer.current?.contains(button)) showLock(button, !isSettled(button))
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
      // what has moved until now was still moved by the user
      sample()
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
    addEventListener('resize', sample)
    sampleNow.current = sample
    sample()
    const timer = setInterval(sample, sampleMs)
    return () => {
      node.removeEventListener('click', guard, true)
      node.removeEventListener('auxclick', guard, true)
      for (const type of ['wheel', 'touchmove', 'input']) removeEventListener(type, noteMove, passive)
      removeEventListener('keydown', onKeyDown, passive)
      removeEventListener('pointerdown', notePress, passive)
      removeEventListener('resize', sample)
      clearInterval(timer)
    }
  }, [card, footer])
  // after each render, which may have replaced a button by another one
  useLayoutEffect(() => sampleNow.current())
  return isLocked
}
