import { useLayoutEffect, type RefObject } from 'react'

const heightProperty = '--composer-height'

/** Publishes the height of the composer as a CSS property, by which app.css positions toasts above it. Removed on unmount. */
export function useToastOffset(composer: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const node = composer.current
    if (!node) return
    const root = document.documentElement.style
    const observer = new ResizeObserver(() => root.setProperty(heightProperty, `${node.offsetHeight}px`))
    observer.observe(node)
    return () => {
      observer.disconnect()
      root.removeProperty(heightProperty)
    }
  }, [composer])
}
