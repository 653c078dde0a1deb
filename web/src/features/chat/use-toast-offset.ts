import { useLayoutEffect, type RefObject } from 'react'

const height = '--composer-height'

/** Positions toasts above the composer as it grows; see app.css. */
export function useToastOffset(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const node = part.current
    if (!node) return
    const root = document.documentElement.style
    const observer = new ResizeObserver(() => root.setProperty(height, `${node.offsetHeight}px`))
    observer.observe(node)
    return () => {
      observer.disconnect()
      root.removeProperty(height)
    }
  }, [part])
}
