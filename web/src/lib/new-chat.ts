import { useCallback } from 'react'
import { useNavigate } from 'react-router'

/** The address of a new chat. Navigating to it is the only way to begin one: the chat page then creates it. */
export const newChatPath = (): string => '/'

/** `location.state` of a navigation on which the chat page keeps the open chat, such as the one that gives a new chat its address. */
export const sameChatState = 'begins-here'

/** The address of a conversation, or of a message in it. */
export const conversationPath = (conversationId: string, messageId?: string): string =>
  `/?${new URLSearchParams({ c: conversationId, ...(messageId !== undefined && { m: messageId }) })}`

/** @returns a function that begins a new chat; the router's leave guard asks first if that would lose unsaved work */
export function useStartNewChat(): () => void {
  const navigate = useNavigate()
  return useCallback(
    // synchronously: a later render would take the focus away, and text typed meanwhile belongs to the new chat
    () => void navigate(newChatPath(), { flushSync: true }),
    [navigate],
  )
}
