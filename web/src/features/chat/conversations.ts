import type { Session } from '#shared/contracts/sessions.ts'
import type { KnownConnections } from '../../lib/known-connections.ts'
import type { ChatApi } from './chat-api.ts'
import type { ChatMessage } from './chat-message.ts'
import { createConversation, type Conversation, type ConversationOptions } from './conversation.ts'
import { findUnsent } from './unsent-message.ts'

/** The conversations that the page has met, so that a reply goes on where it belongs while another one is shown (DEC-008). */
export interface Conversations {
  /** @param fresh whether it begins now; only asked for one that is not known yet */
  get: (id: string, fresh: boolean) => Conversation
  /** What of the user's connections the messages tell from now on. */
  know: (connections: KnownConnections | undefined) => void
  closeAll: () => void
}

/** Where messages are stored until the service has acknowledged them. */
export interface UnsentMessages {
  restore: (conversationId: string) => ChatMessage | undefined
  /** @param message undefined once it is acknowledged */
  save: (conversationId: string, message: ChatMessage | undefined) => void
}

export function createConversations(
  api: ChatApi,
  onSession: (session: Session) => void,
  unsentMessages: UnsentMessages,
  tell: Pick<ConversationOptions, 'onUnreadDocument' | 'onToolsUsed'> = {},
): Conversations {
  const known = new Map<string, Conversation>()
  let connections: KnownConnections | undefined
  return {
    get(id, fresh) {
      const met = known.get(id)
      if (met) return met
      let unsent = unsentMessages.restore(id)
      const conversation = createConversation({
        id,
        fresh,
        unsent,
        api,
        onSession,
        connections: () => connections,
        ...tell,
      })
      conversation.subscribe(() => {
        const now = findUnsent(conversation.getState())
        if (now === unsent) return
        unsent = now
        unsentMessages.save(id, now)
      })
      known.set(id, conversation)
      return conversation
    },
    know(now) {
      connections = now
    },
    closeAll() {
      for (const conversation of known.values()) conversation.close()
    },
  }
}
