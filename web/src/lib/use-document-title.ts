import { useEffect } from 'react'
import { useBrand } from './config.ts'
import { createStore, useStore } from './create-store.ts'

/** How much waits for the user: it stands before the title of every page. */
export const titleCount = createStore(0)

/**
 * Sets the tab's title: a page or a conversation, and the brand; the one before comes back when the page is left.
 * @param title empty for the brand alone
 * @param options.isUnread whether a sign in front says that something new came while the tab was hidden
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
