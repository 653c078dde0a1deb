import { useCallback, useState } from 'react'
import { keepDraft, readDraft } from '../../lib/drafts.ts'

/**
 * The text of a composer, kept in this browser until it is sent.
 * @param key names the user and the conversation
 */
export function useDraft(key: string): [text: string, change: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(key))
  const change = useCallback(
    (next: string) => {
      setText(next)
      keepDraft(key, next)
    },
    [key],
  )
  return [text, change]
}
