import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { unlockMs } from './use-press-lock.ts'

/**
 * The place of a card in the list. When the card is decided, its line keeps the card's height as long as presses are locked, so that the
 * next card does not move under the pointer.
 */
export function CardSlot({ line, children }: { line: ReactNode | undefined; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const heightPx = useRef(0)
  const isDecided = line !== undefined
  useLayoutEffect(() => {
    const node = place.current
    if (!isDecided || !node) return
    node.style.minHeight = `${heightPx.current}px`
    const timer = setTimeout(() => (node.style.minHeight = ''), unlockMs)
    return () => clearTimeout(timer)
  }, [isDecided])
  return (
    <div ref={place}>
      {line ?? <Measured onRemove={(height) => (heightPx.current = height)}>{children}</Measured>}
    </div>
  )
}

/** Measures its height in the moment before it is removed. */
function Measured({ onRemove, children }: { onRemove: (heightPx: number) => void; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const onRemoveRef = useRef(onRemove)
  useLayoutEffect(() => {
    const node = box.current
    const report = onRemoveRef.current
    // the effects of what is removed are cleaned up while it is still in the document
    return () => report(node?.offsetHeight ?? 0)
  }, [])
  return <div ref={box}>{children}</div>
}
