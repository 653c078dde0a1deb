import { feedback, type Feedback } from '#shared/contracts/messages.ts'
import { deleteByPrefix } from '../platform/dynamodb/delete-rows.ts'
import { deleteRow, putRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { feedbackPartition, feedbackReader, type RatedReply, type StoredFeedback } from './feedback-reader.ts'

const conversationPrefix = (sessionId: string) => `${sessionId}#`
const toKey = (sub: string, { sessionId, messageId }: RatedReply) => ({
  PK: feedbackPartition(sub),
  SK: conversationPrefix(sessionId) + messageId,
})

/** Reads and writes ratings, as `feedbackReader` explains them. */
export const feedbackRepository = (table: Table) => {
  const reader = feedbackReader(table)
  return {
    ...reader,

    /** @returns by the id of the message */
    async findInConversation(sub: string, sessionId: string): Promise<Map<string, Feedback>> {
      const rows = await reader.list(sub, conversationPrefix(sessionId))
      return new Map(rows.map(({ messageId, ...stored }) => [messageId, feedback.parse(stored)]))
    },

    /** Replaces what was stored of the reply. */
    put: (sub: string, reply: RatedReply, stored: StoredFeedback): Promise<void> =>
      putRow(table, { ...toKey(sub, reply), ...stored }),

    remove: (sub: string, reply: RatedReply): Promise<void> => deleteRow(table, toKey(sub, reply)),

    removeConversation: (sub: string, sessionId: string) =>
      deleteByPrefix(table, feedbackPartition(sub), conversationPrefix(sessionId)),
  }
}

export type FeedbackRepository = ReturnType<typeof feedbackRepository>
