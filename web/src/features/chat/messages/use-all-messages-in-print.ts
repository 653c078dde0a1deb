import { useEffect, type Dispatch, type SetStateAction } from 'react'
import { flushSync } from 'react-dom'

/** Renders all loaded messages while the page is printed, and as many as before afterwards. */
export function useAllMessagesInPrint(setVisibleCount: Dispatch<SetStateAction<number>>): void {
  useEffect(() => {
    let countBefore: number | undefined
    // the browser lays out the page as soon as this returns
    const showAll = () =>
      flushSync(() =>
        setVisibleCount((count) => {
          countBefore ??= count
          return Infinity
        }),
      )
    const restore = () => {
      const count = countBefore
      countBefore = undefined
      if (count !== undefined) setVisibleCount(count)
    }
    addEventListener('beforeprint', showAll)
    addEventListener('afterprint', restore)
    return () => {
      removeEventListener('beforeprint', showAll)
      removeEventListener('afterprint', restore)
    }
  }, [setVisibleCount])
}
