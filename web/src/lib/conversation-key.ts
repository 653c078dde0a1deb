/** The key of what is stored of one conversation. */
export const conversationKey = (sessionId: string) => ['conversation', sessionId] as const
