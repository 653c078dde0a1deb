import { useEffect } from 'react'
import { useBrand } from './config.ts'

/**
 * Sets the tab's title: a page or a conversation, and the brand; the one before comes back when the page is left.
 * @param title empty for the brand alone
 */
export function useDocumentTitle(title: string, isUnread = false): void {
  const { brandName } = useBrand()
  useEffect(() => {
    const previousTitle = document.title
    document.title = (isUnread ? '● ' : '') + (title === '' ? brandName : `${title} - ${brandName}`)
    return () => {
      document.title = previousTitle
    }
  }, [title, brandName, isUnread])
}
