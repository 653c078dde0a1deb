import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** LIB-11: a tooltip opens after this long a rest on its element. */
export const tooltipOpenDelayMs = 700
/** LIB-12: within this time after one closed, the next opens at once. */
export const tooltipSkipDelayMs = 300

let closedAt = -Infinity

/**
 * A short text about the element inside: on hover after a delay, on keyboard focus at once, gone on Escape, press or leaving.
 * A bubble of its own instead of a library's: it stands on the first page, which a positioning library would make a tenth larger.
 * The text describes the element (`aria-describedby`) only where it says more than its name.
 * @param side where it stands; it flips when there is no room
 */
export function Tooltip({
  text,
  side = 'bottom',
  children,
}: {
  text: ReactNode
  side?: 'top' | 'bottom'
  children: ReactNode
}) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [open, setOpen] = useState(false)

  const show = () => {
    clearTimeout(timer.current)
    setOpen(true)
  }
  const hide = () => {
    clearTimeout(timer.current)
    if (open) closedAt = Date.now()
    setOpen(false)
  }
  const showAfterRest = () => {
    if (Date.now() - closedAt < tooltipSkipDelayMs) return show()
    clearTimeout(timer.current)
    timer.current = setTimeout(show, tooltipOpenDelayMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    const described = anchor.current?.firstElementChild
    if (described && described.getAttribute('aria-label') !== text)
      described.setAttribute('aria-describedby', id)
    const escape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false)
    }
    document.addEventListener('keydown', escape)
    return () => {
      document.removeEventListener('keydown', escape)
      if (described?.getAttribute('aria-describedby') === id) described.removeAttribute('aria-describedby')
    }
  }, [open, id, text])

  return (
    <span
      ref={anchor}
      className="contents"
      onPointerEnter={(event) => event.pointerType !== 'touch' && showAfterRest()}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show()}
      onBlur={hide}
    >
      {children}
      {open && <Bubble id={id} anchor={anchor.current?.firstElementChild} side={side} text={text} />}
    </span>
  )
}

const gapPx = 6
const marginPx = 8

function Bubble({
  id,
  anchor,
  side,
  text,
}: {
  id: string
  anchor: Element | null | undefined
  side: 'top' | 'bottom'
  text: ReactNode
}) {
  const bubble = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const node = bubble.current
    if (!node || !anchor) return
    const at = anchor.getBoundingClientRect()
    const { width, height } = node.getBoundingClientRect()
    const above = at.top - height - gapPx
    const below = at.bottom + gapPx
    const fitsBelow = below + height + marginPx <= innerHeight
    const top = side === 'bottom' ? (fitsBelow ? below : above) : above >= marginPx ? above : below
    const centred = at.left + at.width / 2 - width / 2
    node.style.top = `${top}px`
    node.style.left = `${Math.max(marginPx, Math.min(centred, innerWidth - width - marginPx))}px`
  }, [anchor, side, text])
  return createPortal(
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      className="pointer-events-none fixed top-0 left-0 z-(--z-tooltip) max-w-72 animate-fade rounded-sm bg-ink px-2.5 py-[7px] text-xs/[18px] text-surface shadow-float"
    >
      {text}
    </div>,
    document.body,
  )
}
