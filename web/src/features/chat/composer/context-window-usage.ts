import type { PublicModel } from '#shared/models.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { ConversationState } from '../state/conversation-state.ts'

/** Below this share of the model's window no gauge is shown, unless earlier messages are left out: nobody has to mind the length yet. */
const minShownShare = 0.25

/** How much of its model's context window a conversation filled at the newest reply. */
export interface ContextWindowUsage {
  modelName: string
  /** tokens */
  used: number
  max: number
  /** whether earlier messages no longer fitted */
  isCut: boolean
}

/** The usage of the newest reply whose share of the window is known. */
export const findLastUsage = ({ messages }: Pick<ConversationState, 'messages'>): ChatMessage['usage'] =>
  messages.findLast(({ usage }) => usage?.contextUsed !== undefined)?.usage

/**
 * Relates the usage of a reply to the context window of its model.
 * @returns undefined if a gauge would say nothing useful: little is used, or the model or its window is not known
 */
export function toContextWindowUsage(
  usage: ChatMessage['usage'],
  models: readonly PublicModel[] = [],
): ContextWindowUsage | undefined {
  const model = models.find(({ id }) => id === usage?.model)
  if (usage?.contextUsed === undefined || model?.contextTokens === undefined) return undefined
  const { contextUsed: used, contextStart, contextTurns } = usage
  const { name: modelName, contextTokens: max } = model
  const isCut = (contextStart ?? contextTurns) !== undefined
  return isCut || used / max >= minShownShare ? { modelName, used, max, isCut } : undefined
}
