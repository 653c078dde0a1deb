import { useEffect } from 'react'

/** Prefix of the title after a reply ended in a hidden tab. */
const unreadPrefix = '● '

/**
 * Sets the tab's title: conversation, brand, and a prefix if something is unread.
 * @param title null for a conversation without one
 */
export function useDocumentTitle(title: string | null, brandName: string, isUnread: boolean): void {
  useEffect(() => {
    const previousTitle = document.title
    document.title = (isUnread ? unreadPrefix : '') + (title === null ? brandName : `${title} - ${brandName}`)
    return () => {
      document.title = previousTitle
    }
  }, [title, brandName, isUnread])
}
