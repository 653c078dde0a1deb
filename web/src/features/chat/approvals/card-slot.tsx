import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { unlockMs } from './use-press-lock.ts'

/**
 * A card, or the line that replaces it when it is decided. The line keeps the height of the card for as long as presses are locked, so that the
 * next card does not move under the pointer.
 * @param line undefined while the card is open
 */
export function CardSlot({ line, children }: { line: ReactNode | undefined; children: ReactNode }) {
  const slot = useRef<HTMLDivElement>(null)
  const heightPx = useRef(0)
  const isDecided = line !== undefined
  useLayoutEffect(() => {
    const node = slot.current
    if (!isDecided || !node) return
    node.style.minHeight = `${heightPx.current}px`
    const timer = setTimeout(() => (node.style.minHeight = ''), unlockMs)
    return () => clearTimeout(timer)
  }, [isDecided])
  return (
    <div ref={slot}>
      {line ?? <Measured onRemove={(height) => (heightPx.current = height)}>{children}</Measured>}
    </div>
  )
}

/** Measures its content when it is removed. @param onRemove called with the height, in CSS pixels */
function Measured({ onRemove, children }: { onRemove: (heightPx: number) => void; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const onRemoveRef = useRef(onRemove)
  useLayoutEffect(() => {
    const node = box.current
    const report = onRemoveRef.current
    // a layout effect is cleaned up while its element is still in the document
    return () => report(node?.offsetHeight ?? 0)
  }, [])
  return <div ref={box}>{children}</div>
}
