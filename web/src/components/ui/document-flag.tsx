import { useLayoutEffect } from 'react'

const shown = new Map<string, number>()

/**
 * Says on the root element (`data-has-error` …) that something stands on the page, for rules about what lies elsewhere. `:has()`
 * could say the same; the browser then looks for it again with every piece of a reply, a tenth of what drawing that takes.
 */
export function RootMark({ has }: { has: 'question' | 'error' | 'sheet' }) {
  useLayoutEffect(() => {
    const add = (difference: number) => {
      const count = (shown.get(has) ?? 0) + difference
      shown.set(has, count)
      document.documentElement.toggleAttribute(`data-has-${has}`, count > 0)
    }
    add(1)
    return () => add(-1)
  }, [has])
  return null
}
