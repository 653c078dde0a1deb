import { useEffect, useRef, useState } from 'react'

/** Prefix of the title after a reply ended in a hidden tab. */
const unreadPrefix = '● '

/**
 * Sets the tab's title: conversation, brand, and a prefix after a reply ended in a hidden tab.
 * @param title null for a conversation without one
 */
export function useDocumentTitle(title: string | null, brandName: string, isReplying: boolean): void {
  const [isUnread, setUnread] = useState(false)
  const wasReplying = useRef(isReplying)

  useEffect(() => {
    if (wasReplying.current && !isReplying && document.hidden) setUnread(true)
    wasReplying.current = isReplying
  }, [isReplying])

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
