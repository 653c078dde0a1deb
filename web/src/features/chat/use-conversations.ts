import { useEffect, useLayoutEffect } from 'react'
import type { KnownConnections } from '../../lib/conversations/known-connections.ts'
import { useUserResource } from '../../lib/actions/user-resources.ts'
import { createOpenConversations, type Conversations } from './state/conversations.ts'

/** The signed-in user, and the settings that their chats need. */
export interface ChatUser {
  /** drafts are stored under this id */
  userId: string
  /** called when a message is sent, which includes the user's connections; must be a stable function */
  readConnections: () => KnownConnections | undefined
  /** whether new chats are saved */
  savesConversations: boolean
  /** whether the user may make a chat temporary; true by default */
  mayChooseTemporary?: boolean
}

/** The open conversations of the user, kept up to date with the user's settings. Closed at sign-out. */
export function useConversations({ userId, readConnections, savesConversations }: ChatUser): Conversations {
  const conversations = useUserResource(createOpenConversations, userId)
  useLayoutEffect(
    () => conversations.setSavesNewChats(savesConversations),
    [conversations, savesConversations],
  )
  useEffect(() => conversations.setConnections(readConnections), [conversations, readConnections])
  return conversations
}
