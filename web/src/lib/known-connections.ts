import type { ChatRequest } from '#shared/contracts/chat.ts'

/** A user's connections as far as the page knows them, sent with a message as hints: the server decides. */
export interface KnownConnections {
  connectedTools: NonNullable<ChatRequest['connectedTools']>
  integrationContext: NonNullable<ChatRequest['integrationContext']>
}
