import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { isEnter } from '../../../lib/input/keys.ts'

/**
 * How long a button of a card has to be in its position before it takes a press: an earlier press was meant for something else. Longer than
 * the interval of a double click, which is 500 ms on Windows.
 */
export const unlockMs = 800
/**
 * How soon the positions are measured after something that may have moved a button, which has to look locked then. A press itself measures
 * again, so this decides only about the look.
 */
const measureAfterMs = 100

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

/** Whether two positions in CSS pixels are the same: browsers round them. */
const isNear = (a: number, b: number) => Math.abs(a - b) < 1

/** Whether a button is where it was, or was only scrolled, which the user sees. */
function isUnmoved(before: ButtonPosition, now: Omit<ButtonPosition, 'sinceMs'>): boolean {
  if (!isNear(before.left, now.left)) return false
  const isScrolled =
    isNear(before.top + before.scrolledPx, now.top + now.scrolledPx) && before.heightsPx === now.heightsPx
  return isNear(before.top, now.top) || isScrolled
}

type Containers = Pick<ButtonPosition, 'scrolledPx' | 'heightsPx'>
/** Of the containers that were measured already. */
type ContainerCache = Map<Element, Containers>

/** Measures an element and its containers, which cards have in common. */
function measureContainers(element: Element | null, cache: ContainerCache): Containers {
  if (!element) return { scrolledPx: 0, heightsPx: 0 }
  const known = cache.get(element)
  if (known) return known
  const outer = measureContainers(element.parentElement, cache)
  const measured = {
    scrolledPx: outer.scrolledPx + element.scrollTop,
    heightsPx: outer.heightsPx + element.scrollHeight + element.clientHeight,
  }
  cache.set(element, measured)
  return measured
}

const buttonSelector = 'button, a'

/** Remembers since when each button and link of a card is in its position. */
function createPositions(card: Element) {
  let positions = new WeakMap<Element, ButtonPosition>()
  let movedByUserAtMs = -Infinity
  const measure = (cache: ContainerCache = new Map()): Element[] => {
    const now = performance.now()
    const isMovedByUser = now - movedByUserAtMs < unlockMs
    const containers = measureContainers(card.parentElement, cache)
    const buttons = [...card.querySelectorAll(buttonSelector)]
    for (const button of buttons) {
      const { left, top } = button.getBoundingClientRect()
      const position = { left, top, label: button.textContent, ...containers }
      const before = positions.get(button)
      const isSame = before?.label === position.label && (isMovedByUser || isUnmoved(before, position))
      positions.set(button, { ...position, sinceMs: isSame ? before.sinceMs : now })
    }
    return buttons
  }
  return {
    measure,
    isSettled: (button: Element) =>
      performance.now() - (positions.get(button)?.sinceMs ?? Infinity) >= unlockMs,
    /** All buttons are new in their positions. */
    forget: () => {
      positions = new WeakMap()
    },
    /** What moves from now on, for `unlockMs`, was moved by the user. */
    noteMove: () => {
      movedByUserAtMs = performance.now()
    },
    /** What has moved until now was still moved by the user; what moves after the press was not. */
    notePress: () => {
      measure()
      movedByUserAtMs = -Infinity
    },
  }
}

/**
 * Marks a button as locked, for the eye (`data-locked`) and for screen readers. The attributes are set by hand, because the buttons belong
 * to the content of the card, which does not know of the lock. React leaves attributes alone that its elements do not have; a button that
 * React has disabled is not marked.
 */
function showLock(button: Element, isLocked: boolean): void {
  if (isLocked && !button.hasAttribute('aria-disabled')) {
    button.setAttribute('aria-disabled', 'true')
    button.setAttribute('data-locked', '')
  } else if (!isLocked && button.hasAttribute('data-locked')) {
    button.removeAttribute('aria-disabled')
    button.removeAttribute('data-locked')
  }
}

interface CardLock {
  /** @returns whether a button has been in its position for too short a time */
  measure: (cache: ContainerCache) => boolean
  relock: () => void
}

/** The locks of all cards, which are measured together: after what may have moved a button, and until all buttons have settled. */
const locks = new Set<CardLock>()
let timer: ReturnType<typeof setTimeout> | undefined
let stopWatching: () => void = () => undefined

function measureSoon(): void {
  if (locks.size > 0) timer ??= setTimeout(measureAll, measureAfterMs)
}

function measureAll(): void {
  clearTimeout(timer)
  timer = undefined
  const cache: ContainerCache = new Map()
  const areUnsettled = [...locks].map(({ measure }) => measure(cache))
  if (areUnsettled.includes(true)) measureSoon()
}

/** What may move an element of the page. What grows without one of these, such as an image, resizes the containers of a card. */
function watchPage(): () => void {
  const listeners = new AbortController()
  const options = { capture: true, passive: true, signal: listeners.signal }
  for (const type of ['scroll', 'transitionend', 'animationend']) addEventListener(type, measureSoon, options)
  // once for each frame at most, and everything has moved
  addEventListener('resize', measureAll, options)
  const observer = new MutationObserver(measureSoon)
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['class', 'style', 'hidden', 'open'],
  })
  return () => {
    listeners.abort()
    observer.disconnect()
  }
}

function addLock(lock: CardLock, card: Element): () => void {
  if (locks.size === 0) stopWatching = watchPage()
  locks.add(lock)
  const resizes = new ResizeObserver(measureSoon)
  for (let each: Element | null = card; each; each = each.parentElement) resizes.observe(each)
  measureSoon()
  return () => {
    resizes.disconnect()
    locks.delete(lock)
    if (locks.size > 0) return
    stopWatching()
    clearTimeout(timer)
    timer = undefined
  }
}

/** Locks the buttons of all cards again: the page has scrolled by itself. */
export function relockCards(): void {
  for (const { relock } of locks) relock()
  measureAll()
}

/** The lock of a card. */
export interface PressLock {
  /** Measures at once, after the buttons may have changed. */
  measure: () => void
  /** Ends the lock: the buttons take every press. */
  dispose: () => void
}

/**
 * Locks each button and link of a card, for the pointer and the keyboard, until it has been in its position for `unlockMs`. What the user moves
 * by scrolling or typing stays unlocked.
 * @param findFooter finds the element of the buttons that decide; it is marked as a whole by the caller, the other buttons one by one
 * @param onMeasured called with whether a button of the footer is locked
 */
export function createPressLock(
  card: HTMLElement,
  findFooter: () => Element | null,
  onMeasured: (isFooterLocked: boolean) => void,
): PressLock {
  const { isSettled, noteMove, notePress, ...positions } = createPositions(card)
  const measure = (cache?: ContainerCache) => {
    const buttons = positions.measure(cache)
    const footer = findFooter()
    const isInFooter = (button: Element) => footer?.contains(button) === true
    for (const button of buttons) if (!isInFooter(button)) showLock(button, !isSettled(button))
    onMeasured(buttons.some((button) => isInFooter(button) && !isSettled(button)))
    const isUnsettled = buttons.some((button) => !isSettled(button))
    if (isUnsettled) measureSoon()
    return isUnsettled
  }
  const guard = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest(buttonSelector) : null
    if (!button) return
    measure()
    if (isSettled(button)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const onKeyDown = (event: KeyboardEvent) => (isEnter(event) || event.key === ' ' ? notePress() : noteMove())

  const listeners = new AbortController()
  const { signal } = listeners
  // captured, before the button's own listeners. Enter and Space on a button are clicks, too
  card.addEventListener('click', guard, { capture: true, signal })
  // the middle button opens a link without a click event
  card.addEventListener('auxclick', guard, { capture: true, signal })
  // captured, because a listener of the page may stop these events
  const early = { capture: true, passive: true, signal }
  for (const type of ['wheel', 'touchmove', 'input']) addEventListener(type, noteMove, early)
  addEventListener('keydown', onKeyDown, early)
  addEventListener('pointerdown', notePress, early)
  const removeLock = addLock({ measure, relock: positions.forget }, card)
  measure()
  return {
    measure: () => void measure(),
    dispose() {
      listeners.abort()
      removeLock()
    },
  }
}

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
