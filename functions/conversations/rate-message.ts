import type { Rating } from '#shared/contracts/messages.ts'
import { MessageNotFound, ConversationNotFound } from './store/errors.ts'
import type { ConversationStores } from './store/conversation-stores.ts'

/** Read at once: most people rate one of the last replies. */
const pageSize = 20

/**
 * Stores the user's rating with the reply.
 * @param rating null takes it back
 * @throws ConversationNotFound, MessageNotFound if it is not a reply of this conversation
 */
export async function rateMessage(
  { conversations, messages }: Pick<ConversationStores, 'conversations' | 'messages'>,
  { sub, sessionId, messageId }: { sub: string; sessionId: string; messageId: string },
  rating: Rating | null,
): Promise<void> {
  const session = await conversations.find(sub, sessionId)
  if (!session || session === 'deleted') throw new ConversationNotFound(`no conversation ${sessionId}`)
  for (let before: string | null | undefined; before !== null;) {
    const page = await messages.loadNewest(sub, sessionId, { before, maxMessages: pageSize })
    const found = page.messages.find(({ id }) => id === messageId)
    if (found?.slot === 'reply' && (await messages.rate(sub, found, rating))) return
    if (found) break
    before = page.earlier
  }
  throw new MessageNotFound(`no reply ${messageId}`)
}
