import type { Rating } from '#shared/contracts/sessions.ts'
import { MessageNotFound, SessionNotFound } from './errors.ts'
import type { Stores } from './stores.ts'

/** Read at once: most people rate one of the last replies. */
const messagesRead = 20

/**
 * Stores what the user thinks of a reply, with the reply.
 * @param rating null takes it back
 * @throws SessionNotFound, MessageNotFound for what is no reply of this conversation
 */
export async function rateMessage(
  { sessions, messages }: Pick<Stores, 'sessions' | 'messages'>,
  { sub, sessionId, messageId }: { sub: string; sessionId: string; messageId: string },
  rating: Rating | null,
): Promise<void> {
  const session = await sessions.find(sub, sessionId)
  if (!session || session === 'deleted') throw new SessionNotFound(`no conversation ${sessionId}`)
  for (let before: string | null | undefined; before !== null;) {
    const page = await messages.newest(sub, sessionId, { before, maxMessages: messagesRead })
    const found = page.messages.find(({ id }) => id === messageId)
    if (found?.place === 'reply' && (await messages.rate(sub, found, rating))) return
    if (found) break
    before = page.earlier
  }
  throw new MessageNotFound(`no reply ${messageId}`)
}
