import { useEffect, useRef, useState } from 'react'

/** Before the title of a page whose reply ended while nobody looked. */
const mark = '● '

/**
 * The tab's title: the conversation's, then the brand's, marked when a reply ended in a hidden tab.
 * @param title null while the conversation has none
 */
export function useDocumentTitle(title: string | null, brandName: string, isLoading: boolean): void {
  const [unseen, setUnseen] = useState(false)
  const wasLoading = useRef(isLoading)

  useEffect(() => {
    if (wasLoading.current && !isLoading && document.hidden) setUnseen(true)
    wasLoading.current = isLoading
  }, [isLoading])

  useEffect(() => {
    const look = () => {
      if (!document.hidden) setUnseen(false)
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])

  useEffect(() => {
    const before = document.title
    document.title = (unseen ? mark : '') + (title === null ? brandName : `${title} - ${brandName}`)
    return () => {
      document.title = before
    }
  }, [title, brandName, unseen])
}
