import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { unlockMs } from './press-lock.ts'

/**
 * A card, or the line that replaces it when it is decided. The line keeps the height of the card for as long as presses are locked, so that the
 * next card does not move under the pointer.
 * @param line undefined while the card is open
 */
export function CardSlot({ line, children }: { line: ReactNode; children: ReactNode }) {
  const slot = useRef<HTMLDivElement>(null)
  const cardHeightPx = useRef(0)
  const isDecided = line !== undefined
  // a layout effect, so that nothing moves in between
  useLayoutEffect(() => {
    const node = slot.current
    if (!isDecided || !node) return
    node.style.minHeight = `${cardHeightPx.current}px`
    const timer = setTimeout(() => (node.style.minHeight = ''), unlockMs)
    return () => {
      clearTimeout(timer)
      node.style.minHeight = ''
    }
  }, [isDecided])
  return <div ref={slot}>{isDecided ? line : <Measured heightPx={cardHeightPx}>{children}</Measured>}</div>
}

/** Measures its content when it is removed. @param heightPx gets the height, in CSS pixels */
function Measured({ heightPx, children }: { heightPx: RefObject<number>; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const node = box.current
    // a layout effect is cleaned up while its element is still in the document
    return () => {
      heightPx.current = node?.offsetHeight ?? 0
    }
  }, [heightPx])
  return <div ref={box}>{children}</div>
}
