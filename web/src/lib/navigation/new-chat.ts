import { useCallback } from 'react'
import { useNavigate } from './router.tsx'
import { conversationParameter, messageParameter } from './paths.ts'

/** The address of a new chat: the chat page creates one when it is navigated to. */
export const newChatPath = (): string => '/'

/** `location.state` of a navigation on which the chat page keeps the open chat, such as the one that gives a new chat its address. */
export const sameChatState = 'begins-here'

/** The address of a conversation, or of a message in it. */
export const conversationPath = (conversationId: string, messageId?: string): string =>
  `/?${new URLSearchParams({ [conversationParameter]: conversationId, ...(messageId !== undefined && { [messageParameter]: messageId }) })}`

/** @returns a function that begins a new chat; the router's leave guard asks first if that would lose unsaved work */
export function useStartNewChat(): () => void {
  const navigate = useNavigate()
  return useCallback(
    // synchronously: a later render would take the focus away, and text typed meanwhile belongs to the new chat
    () => navigate(newChatPath(), { flushSync: true }),
    [navigate],
  )
}
