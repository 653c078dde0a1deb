import { useCallback, type MouseEvent } from 'react'
import { useNavigate } from './router.tsx'
import { readHistoryIndex, readLastChat } from './last-chat.ts'
import { newChatPath } from './new-chat.ts'

/** The address of the chat that this tab showed last, or of a new one. */
export function lastChatPath(): string {
  const { path } = readLastChat()
  return typeof path === 'string' && /^\/(?:\?|$)/.test(path) ? path : newChatPath()
}

/**
 * Leads back to the last chat, from a page that shows none.
 * @returns its address, and the handler of a link or button: it goes back in the history if the chat is the entry before this one
 */
export function useBackToChat(): { path: string; onBack: (event?: MouseEvent) => void } {
  const navigate = useNavigate()
  const onBack = useCallback(
    (event?: MouseEvent) => {
      // a new tab or window
      if (event && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return
      event?.preventDefault()
      const { index } = readLastChat()
      if (typeof index === 'number' && readHistoryIndex() === index + 1) history.back()
      else navigate(lastChatPath())
    },
    [navigate],
  )
  return { path: lastChatPath(), onBack }
}
