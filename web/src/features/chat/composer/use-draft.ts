import { useCallback, useSyncExternalStore } from 'react'
import { readDraft, saveDraft, subscribeToDrafts } from '../../../lib/drafts.ts'

/**
 * The text of a composer, stored in this browser until it is sent.
 * @param key identifies the user, the conversation and the tab
 */
export function useDraft(key: string): [text: string, change: (text: string) => void] {
  const text = useSyncExternalStore(subscribeToDrafts, () => readDraft(key))
  const change = useCallback((next: string) => saveDraft(key, 'text', next), [key])
  return [text, change]
}
