import { useCallback, useState } from 'react'
import { readDraft, saveDraft } from '../../../lib/drafts.ts'

/**
 * The text of a composer, stored in this browser until it is sent.
 * @param key names the user and the conversation
 */
export function useDraft(key: string): [text: string, change: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(key))
  const change = useCallback(
    (next: string) => {
      setText(next)
      saveDraft(key, 'text', next)
    },
    [key],
  )
  return [text, change]
}
