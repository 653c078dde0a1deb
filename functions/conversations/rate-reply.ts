import type { Feedback } from '#shared/contracts/messages.ts'
import type { Rating } from '#shared/contracts/sessions.ts'
import type { RatedReply, StoredFeedback } from '../feedback/feedback-reader.ts'
import type { ConversationStores } from './store/conversation-stores.ts'
import { ConversationNotFound, MessageNotFound, ReplyNotRated } from './store/errors.ts'

/**
 * Rates a reply, or takes its rating back; can be repeated. The rating is one row, so the last request counts.
 * @param rating null: none. The caller has checked that a text may be read.
 * @returns what is stored
 * @throws ConversationNotFound, as of a temporary chat; MessageNotFound; ReplyNotRated
 */
export async function rateReply(
  stores: ConversationStores,
  { sub, ...reply }: RatedReply & { sub: string },
  rating: Rating | null,
): Promise<Feedback | null> {
  const { turn, ...ratedBy } = await findReply(stores, sub, reply)
  if (!rating) {
    await stores.feedback.remove(sub, reply)
    return null
  }
  const { text, named } = rating
  const feedback: Feedback = {
    rating: rating.rating,
    ...(text && { text, ...(named && { named }) }),
  }
  await stores.feedback.put(sub, reply, { ...feedback, ...ratedBy, at: new Date().toISOString() })
  try {
    // a deletion removes ratings after its first write: whichever of both comes last, no rating outlives its reply
    await requireReply(stores, sub, reply, turn)
  } catch (error) {
    await stores.feedback.remove(sub, reply)
    throw error
  }
  return feedback
}

async function findReply(
  stores: ConversationStores,
  sub: string,
  reply: RatedReply,
): Promise<Pick<StoredFeedback, 'model' | 'assistant'> & { turn: number }> {
  const turn = await stores.messages.findTurn(sub, reply.sessionId, reply.messageId)
  const { message, assistant } = await requireReply(stores, sub, reply, turn)
  const { kind, usage, imported, ended } = message
  const model = usage?.model
  // another attempt takes the place of one that failed, under another id
  const isReplaceable = ended === 'failed' || ended === 'interrupted'
  if (kind !== 'reply' || imported || isReplaceable || model === undefined)
    throw new ReplyNotRated(`${reply.messageId} is no reply that can be rated`)
  return {
    turn: turn ?? 0,
    model,
    ...(assistant && !assistant.gone && { assistant: { id: assistant.id, name: assistant.name } }),
  }
}

async function requireReply(
  { conversations, messages }: ConversationStores,
  sub: string,
  { sessionId, messageId }: RatedReply,
  turn: number | undefined,
) {
  const [session, found] = await Promise.all([
    conversations.find(sub, sessionId),
    turn === undefined ? [] : messages.loadTurn(sub, sessionId, turn),
  ])
  if (!session || session === 'deleted') throw new ConversationNotFound(`no conversation ${sessionId}`)
  const message = found.find(({ id }) => id === messageId)
  if (!message) throw new MessageNotFound(`no message ${messageId}`)
  return { message, assistant: session.assistant }
}
