import type { ListedModel } from '#shared/models.ts'

/** How much of a conversation a prompt may hold. */
export interface ContextLimits {
  /** of messages and earlier tool calls together, as `measureText` counts them */
  maxCharacters: number
  maxMessages: number
  /** of the text of documents, in UTF-8 */
  maxDocumentBytes: number
  /** of scanned documents; none for a model that sees no images */
  maxPagePictures: number
}

/** For a model whose window is unknown: 16,000 tokens of messages and as many of documents, with room for tools and the reply. */
const smallest = { maxCharacters: 48_000, maxMessages: 100, maxDocumentBytes: 64_000 }
/** Reading more would cost more than it helps: about 80,000 tokens, sent with each message. */
const largestCharacters = 240_000
const maxMessages = 500
/** Between code and English, which has four. A letter that is a token by itself counts as three (`measureText`). */
export const charactersPerToken = 3
/** What English has: a document that fits into its share is given whole. */
const bytesPerToken = 4
/** What documents and a conversation get of the window: instructions, tools and the reply share the rest. */
const documentShare = 1 / 4
const conversationShare = 1 / 2
const mostPagePictures = 10

/** What counts of a model's window in the run of a schedule, whose conversation grows by itself and which has tokens for few requests. */
const scheduledContextTokens = 24_000

/** Derives from a model's window how much a prompt to it may hold. @param schedule of the run of a schedule, whose prompts are smaller */
export function limitContext(
  { contextTokens: window, vision }: Pick<ListedModel, 'contextTokens' | 'vision'>,
  schedule?: object,
): ContextLimits {
  const contextTokens = schedule ? Math.min(window ?? Infinity, scheduledContextTokens) : window
  const maxPagePictures = vision === false ? 0 : mostPagePictures
  if (contextTokens === undefined) return { ...smallest, maxPagePictures }
  const maxCharacters = Math.min(
    largestCharacters,
    Math.floor(contextTokens * conversationShare * charactersPerToken),
  )
  const messages = Math.round((maxCharacters / smallest.maxCharacters) * smallest.maxMessages)
  return {
    maxCharacters,
    maxMessages: Math.max(smallest.maxMessages, Math.min(maxMessages, messages)),
    maxDocumentBytes: Math.ceil(contextTokens * documentShare * bytesPerToken),
    maxPagePictures,
  }
}

/** The window that these limits are for, as far as it counts. */
export const toWindow = ({ maxCharacters }: ContextLimits): number =>
  maxCharacters / (conversationShare * charactersPerToken)

/** The limits of a part of the window. @param share from 0 to 1 */
export const shareLimits = (limits: ContextLimits, share: number): ContextLimits => ({
  ...limits,
  maxCharacters: Math.floor(limits.maxCharacters * share),
  maxDocumentBytes: Math.floor(limits.maxDocumentBytes * share),
})
