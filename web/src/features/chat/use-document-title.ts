import { useEffect, useRef, useState } from 'react'

/** Prefix of the title after a reply ended in a hidden tab. */
const unreadPrefix = '● '

/**
 * Sets the tab's title: conversation, brand, and a prefix after a reply ended in a hidden tab.
 * @param title null for a conversation without one
 */
export function useDocumentTitle(title: string | null, brandName: string, isLoading: boolean): void {
  const [isUnread, setUnread] = useState(false)
  const wasLoading = useRef(isLoading)

  useEffect(() => {
    if (wasLoading.current && !isLoading && document.hidden) setUnread(true)
    wasLoading.current = isLoading
  }, [isLoading])

  useEffect(() => {
    const clearUnread = () => {
      if (!document.hidden) setUnread(false)
    }
    document.addEventListener('visibilitychange', clearUnread)
    return () => document.removeEventListener('visibilitychange', clearUnread)
  }, [])

  useEffect(() => {
    const previousTitle = document.title
    document.title = (isUnread ? unreadPrefix : '') + (title === null ? brandName : `${title} - ${brandName}`)
    return () => {
      document.title = previousTitle
    }
  }, [title, brandName, isUnread])
}
