import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { isEnter } from '../../../lib/keys.ts'

/** How long a button of a card has to be where it is before it takes a press: until then the press was meant for something else. */
export const unlockMs = 800
const sampleMs = 100

interface Place {
  left: number
  top: number
  /** how far the containers of the card are scrolled */
  scrolledPx: number
  /** changes when something in them grows or shrinks */
  heightsPx: number
  label: string
  sinceMs: number
}

/** Scrolling alone moves nothing under the pointer that the user does not see move. */
function isInPlace(before: Place, now: Omit<Place, 'sinceMs'>): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) < 1
  const isUnmoved = isNear(before.top, now.top) && isNear(before.left, now.left)
  const isScrolled =
    isNear(before.top + before.scrolledPx, now.top + now.scrolledPx) &&
    isNear(before.left, now.left) &&
    before.heightsPx === now.heightsPx
  return isUnmoved || isScrolled
}

function measureContainers(card: Element): Pick<Place, 'scrolledPx' | 'heightsPx'> {
  let scrolledPx = 0
  let heightsPx = 0
  for (let each = card.parentElement; each; each = each.parentElement) {
    scrolledPx += each.scrollTop
    heightsPx += each.scrollHeight + each.clientHeight
  }
  return { scrolledPx, heightsPx }
}

/** Shows that a button outside the footer takes no press yet; the footer shows it for all of its own. */
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
      const containers = measureContainers(node)
      for (const button of buttons) {
        const { left, top } = button.getBoundingClientRect()
        const place = { left, top, label: button.textContent, ...containers }
        const before = places.get(button)
        const isSame = before?.label === place.label && (isMovedByUser || isInPlace(before, place))
        places.set(button, { ...place, sinceMs: isSame ? before.sinceMs : now })
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
      // what has moved until now was moved by the user
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
  // a button that replaced another with this render
  useLayoutEffect(() => sampleNow.current())
  return isLocked
}
