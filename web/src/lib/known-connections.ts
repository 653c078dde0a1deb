import type { ChatRequest } from '#shared/contracts/chat.ts'

/** CAP-10, CAP-12: a user's connections as the page knows them and a message tells them: hints without authority (DEC-011). */
export interface KnownConnections {
  connectedTools: NonNullable<ChatRequest['connectedTools']>
  integrationContext: NonNullable<ChatRequest['integrationContext']>
}
