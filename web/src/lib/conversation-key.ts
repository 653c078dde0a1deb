/** The query key of a conversation. In a module of its own, as the list of conversations loads later. */
export const conversationKey = (conversationId: string) => ['conversation', conversationId] as const
