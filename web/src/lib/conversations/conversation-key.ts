// a module of its own, because conversation-list.ts loads later

/** The query key that matches every conversation. */
export const conversationsKey = ['conversation'] as const
/** The query key of a conversation. */
export const conversationKey = (conversationId: string) => [...conversationsKey, conversationId] as const
