import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useEscape } from '../../lib/input/escape.ts'

/** Hover delay before a tooltip opens: that of Radix. */
const tooltipOpenDelayMs = 700
/** Within this time after one tooltip closed, the next opens at once: that of Radix, too. */
const tooltipSkipDelayMs = 300

/** Time to move the pointer from the element onto the tooltip. */
const hoverGraceMs = 100

let closedAt = -Infinity
/** Only one tooltip is open at a time. */
let closeOther = () => {}
let isReturningFocus = false

/** Restores the focus after a dialog without opening the element's tooltip. */
export function returnFocus(target: HTMLElement): void {
  isReturningFocus = true
  target.focus()
  isReturningFocus = false
}

/**
 * A short text about its child: opens on hover after a delay and on keyboard focus at once; closes on Escape, press or leaving. Written
 * here instead of using a positioning library, which would make the first page a tenth larger. While it is open, it describes the element
 * (`aria-describedby`), unless it is the element's name.
 * @param side preferred side; it flips when there is no room
 */
export function Tooltip({
  text,
  side = 'bottom',
  onPress = 'closes',
  namesEscape = false,
  children,
}: {
  text: ReactNode
  side?: 'top' | 'bottom'
  /** 'opens' for elements without another action, so that touch users can read the text */
  onPress?: 'closes' | 'opens'
  /** the text tells what Escape does: Escape then does it, instead of closing the tooltip */
  namesEscape?: boolean
  children: ReactNode
}) {
  const id = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [anchor, setAnchor] = useState<Element | null>(null)
  const close = useCallback(() => setAnchor(null), [])

  const show = (wrapper: Element) => {
    clearTimeout(timer.current)
    if (closeOther !== close) closeOther()
    closeOther = close
    setAnchor(wrapper.firstElementChild)
  }
  const hide = () => {
    clearTimeout(timer.current)
    if (anchor) closedAt = Date.now()
    close()
  }
  /**
   * The pointer may move onto the tooltip (WCAG 1.4.13), which counts as entering the element, as React
   * events bubble through portals.
   */
  const hideAfterGrace = () => {
    clearTimeout(timer.current)
    if (!anchor) return
    closedAt = Date.now()
    timer.current = setTimeout(close, hoverGraceMs)
  }
  const showAfterDelay = (wrapper: Element) => {
    if (Date.now() - closedAt < tooltipSkipDelayMs) return show(wrapper)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => show(wrapper), tooltipOpenDelayMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEscape('tooltip', anchor && !namesEscape ? close : undefined)
  useEffect(() => {
    if (!anchor) return
    if (anchor.getAttribute('aria-label') !== text) anchor.setAttribute('aria-describedby', id)
    // on iOS a tap elsewhere blurs nothing, because a tap does not focus buttons
    const pressElsewhere = ({ target }: Event) => {
      if (!anchor.contains(target as Node)) close()
    }
    addEventListener('pointerdown', pressElsewhere)
    return () => {
      removeEventListener('pointerdown', pressElsewhere)
      if (anchor.getAttribute('aria-describedby') === id) anchor.removeAttribute('aria-describedby')
    }
  }, [anchor, id, text, close])

  return (
    <span
      role="presentation"
      className="contents"
      onPointerEnter={(event) => event.pointerType !== 'touch' && showAfterDelay(event.currentTarget)}
      onPointerLeave={(event) => event.pointerType !== 'touch' && hideAfterGrace()}
      onPointerDown={onPress === 'closes' ? hide : undefined}
      onClick={onPress === 'opens' ? (event) => show(event.currentTarget) : undefined}
      onFocus={(event) =>
        !isReturningFocus && event.target.matches(':focus-visible') && show(event.currentTarget)
      }
      onBlur={hide}
    >
      {children}
      {anchor && <Bubble id={id} anchor={anchor} side={side} text={text} />}
    </span>
  )
}

/** Between the element and its tooltip. */
const gapPx = 6
/** Between the tooltip and the edges of the window. */
const marginPx = 8

function Bubble({
  id,
  anchor,
  side,
  text,
}: {
  id: string
  anchor: Element
  side: 'top' | 'bottom'
  text: ReactNode
}) {
  const bubble = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const node = bubble.current
    if (!node) return
    const anchorBox = anchor.getBoundingClientRect()
    const { width, height } = node.getBoundingClientRect()
    const above = anchorBox.top - height - gapPx
    const below = anchorBox.bottom + gapPx
    const fitsBelow = below + height + marginPx <= innerHeight
    const fitsAbove = above >= marginPx
    const isBelow = side === 'bottom' ? fitsBelow : !fitsAbove
    const centred = anchorBox.left + anchorBox.width / 2 - width / 2
    node.style.top = `${isBelow ? below : above}px`
    node.style.left = `${Math.max(marginPx, Math.min(centred, innerWidth - width - marginPx))}px`
  }, [anchor, side, text])
  return createPortal(
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      className="fixed top-0 left-0 z-(--z-tooltip) max-w-72 animate-fade rounded-sm bg-ink px-2.5 py-[7px] text-xs/[18px] text-surface shadow-float forced-colors:border"
    >
      {text}
    </div>,
    document.body,
  )
}
