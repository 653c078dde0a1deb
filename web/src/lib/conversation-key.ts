/** The query key of a conversation. A module of its own, because conversation-list.ts loads later. */
export const conversationKey = (conversationId: string) => ['conversation', conversationId] as const
