import { useCallback } from 'react'
import { useNavigate } from 'react-router'

/** The query parameter with the project of a new chat: `/?p=<id>`. */
export const projectParameter = 'p'

/** How a new chat begins. */
export interface NewChat {
  /** id of its project */
  projectId?: string
}

/** The address of a new chat. Following it is the only way to begin one; the chat page does the rest. */
export const newChatPath = ({ projectId }: NewChat = {}): string =>
  projectId === undefined ? '/' : `/?${new URLSearchParams({ [projectParameter]: projectId })}`

/** The address of a conversation, or of a message in it. */
export const conversationPath = (c: string, m?: string): string =>
  `/?${new URLSearchParams(m === undefined ? { c } : { c, m })}`

/** @returns begins a new chat, after the user has agreed to lose what would be lost */
export function useStartNewChat(): (chat?: NewChat) => void {
  const navigate = useNavigate()
  return useCallback(
    // synchronously: a later render would take the focus away, and text typed meanwhile belongs to the new chat
    (chat) => void navigate(newChatPath(chat), { flushSync: true }),
    [navigate],
  )
}
