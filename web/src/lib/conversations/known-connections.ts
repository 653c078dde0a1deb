import type { ChatRequest } from '#shared/contracts/chat.ts'

/** The user's connections as the page knows them. They are sent with a message as hints; the server checks them. */
export interface KnownConnections {
  connectedTools: NonNullable<ChatRequest['connectedTools']>
  integrationContext: NonNullable<ChatRequest['integrationContext']>
}
