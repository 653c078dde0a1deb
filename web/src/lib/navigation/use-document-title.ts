import { useEffect } from 'react'
import { useBrand } from '../api/config.ts'
import { createStore, useStore } from '../browser/create-store.ts'

/** How many calls wait for the user. The number stands before the title of every page. */
export const titleCount = createStore(0)

/**
 * Sets the tab's title: a page or a conversation, and the brand; the one before comes back when the page is left.
 * @param title empty for the brand alone
 * @param options.isUnread whether something new came while the tab was hidden: a dot before the title says so
 */
export function useDocumentTitle(title: string, { isUnread = false }: { isUnread?: boolean } = {}): void {
  const { brandName } = useBrand()
  const count = useStore(titleCount)
  useEffect(() => {
    const previousTitle = document.title
    const prefix = (count > 0 ? `(${count}) ` : '') + (isUnread ? '● ' : '')
    document.title = prefix + (title === '' ? brandName : `${title} - ${brandName}`)
    return () => {
      document.title = previousTitle
    }
  }, [title, brandName, isUnread, count])
}
