import { useEffect, useLayoutEffect } from 'react'
import type { KnownConnections } from '../../lib/known-connections.ts'
import { useUserResource } from '../../lib/user-resources.ts'
import { createConversations, type Conversations } from './state/conversations.ts'

/** Who writes, and what their chats need. */
export interface ChatUser {
  /** the owner of the drafts */
  userId: string
  /** the user's connections to send with a message; must be stable */
  readConnections: () => KnownConnections | undefined
  /** whether new chats are saved */
  savesConversations: boolean
  /** absent: yes */
  mayChooseTemporary?: boolean
}

/** The open conversations of the user, with the user's settings. */
export function useConversations({ userId, readConnections, savesConversations }: ChatUser): Conversations {
  const conversations = useUserResource(createConversations, userId)
  useLayoutEffect(() => conversations.setStoring(savesConversations), [conversations, savesConversations])
  useEffect(() => conversations.setConnections(readConnections), [conversations, readConnections])
  return conversations
}
