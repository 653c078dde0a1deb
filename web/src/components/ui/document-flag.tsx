import { useLayoutEffect } from 'react'

const counts = new Map<string, number>()

/**
 * Sets the attribute `data-has-<name>` on the root element while it is mounted, for CSS rules elsewhere: `card` for a card of the
 * conversation that toasts must not cover, `sheet` for a dialog, `viewer` for a picture that covers the page, `dock` for a docked panel.
 * `:has()` would do the same, but the browser evaluates it again for every piece of a streamed reply, which takes a tenth of its rendering
 * time.
 */
export function DocumentFlag({ name }: { name: 'card' | 'dock' | 'sheet' | 'viewer' }) {
  useLayoutEffect(() => {
    const add = (difference: number) => {
      const count = (counts.get(name) ?? 0) + difference
      counts.set(name, count)
      document.documentElement.toggleAttribute(`data-has-${name}`, count > 0)
    }
    add(1)
    return () => add(-1)
  }, [name])
  return null
}
