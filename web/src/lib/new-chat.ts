import { useCallback } from 'react'
import { useNavigate } from 'react-router'

/** The address of a new chat. Following it is the only way to begin one; the chat page does the rest. */
export const newChatPath = (): string => '/'

/** The history state of the navigation that the first message of a chat causes: the same chat stays open. */
export const sameChatState = 'begins-here'

/** The address of a conversation, or of a message in it. */
export const conversationPath = (c: string, m?: string): string =>
  `/?${new URLSearchParams(m === undefined ? { c } : { c, m })}`

/** @returns begins a new chat, after the user has agreed to lose what would be lost */
export function useStartNewChat(): () => void {
  const navigate = useNavigate()
  return useCallback(
    // synchronously: a later render would take the focus away, and text typed meanwhile belongs to the new chat
    () => void navigate(newChatPath(), { flushSync: true }),
    [navigate],
  )
}
