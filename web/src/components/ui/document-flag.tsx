import { useLayoutEffect } from 'react'

const counts = new Map<string, number>()

/**
 * Says on the root element (`data-has-error` …) that something stands on the page, for rules about what lies elsewhere. `:has()`
 * could say the same; the browser then looks for it again with every piece of a reply, a tenth of what drawing that takes.
 */
export function DocumentFlag({ name }: { name: 'question' | 'error' | 'sheet' }) {
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
