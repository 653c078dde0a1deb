import type { ListedModel } from '#shared/models.ts'

/** How much of a conversation a prompt may hold. */
export interface ContextLimits {
  /** of messages and earlier tool calls together */
  maxCharacters: number
  maxMessages: number
}

/** For a model whose window is unknown: it fits into 32,000 tokens, with room for tools, files and the reply. */
const smallest: ContextLimits = { maxCharacters: 48_000, maxMessages: 100 }
/** Reading more would cost more than it helps: about 80,000 tokens, sent with each message. */
const largestCharacters = 240_000
const maxMessages = 500
/** On average: one in Chinese, four in English. */
const charactersPerToken = 3

/** A conversation gets half of the model's window: instructions, tools, files and the reply share the rest. */
export function limitContext({ contextTokens }: Pick<ListedModel, 'contextTokens'>): ContextLimits {
  if (contextTokens === undefined) return smallest
  const maxCharacters = Math.min(largestCharacters, Math.floor((contextTokens / 2) * charactersPerToken))
  const messages = Math.round((maxCharacters / smallest.maxCharacters) * smallest.maxMessages)
  return { maxCharacters, maxMessages: Math.max(smallest.maxMessages, Math.min(maxMessages, messages)) }
}
