import { useLayoutEffect, type RefObject } from 'react'

const height = '--composer-height'

/** Toasts stand above this part of the page as it grows with a long message and its files; see app.css. */
export function useToastsAbove(part: RefObject<HTMLElement | null>): void {
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
