import type { Session } from '#shared/contracts/sessions.ts'
import type { KnownConnections } from '../../lib/known-connections.ts'
import type { ChatApi } from './chat-api.ts'
import { createConversation, type Conversation, type ConversationOptions } from './conversation.ts'

/** The conversations that the page has met, so that a reply goes on where it belongs while another one is shown (DEC-008). */
export interface Conversations {
  /** @param fresh whether it begins now; only asked for one that is not known yet */
  get: (id: string, fresh: boolean) => Conversation
  /** What of the user's connections the messages tell from now on. */
  know: (connections: KnownConnections | undefined) => void
  closeAll: () => void
}

export function createConversations(
  api: ChatApi,
  onSession: (session: Session) => void,
  tell: Pick<ConversationOptions, 'onUnreadDocument' | 'onToolsUsed'> = {},
): Conversations {
  const known = new Map<string, Conversation>()
  let connections: KnownConnections | undefined
  return {
    get(id, fresh) {
      const met = known.get(id)
      if (met) return met
      const conversation = createConversation({
        id,
        fresh,
        api,
        onSession,
        connections: () => connections,
        ...tell,
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
