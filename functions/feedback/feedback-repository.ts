import * as z from 'zod'
import { feedback, type Feedback } from '#shared/contracts/messages.ts'
import { deleteByPrefix } from '../platform/dynamodb/delete-rows.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { deleteRow, putRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'

const row = feedback.extend({
  /** the server's name of the model that wrote the reply */
  model: z.string(),
  assistant: z.object({ id: z.string(), name: z.string() }).optional().catch(undefined),
  /** ISO 8601, when the reply was rated last */
  at: z.string(),
})
export type StoredFeedback = z.infer<typeof row>

/** Which reply was rated. Each version of a reply has an id of its own. */
export interface RatedReply {
  sessionId: string
  messageId: string
}

const partition = (sub: string) => `FEEDBACK#${sub}`
const prefix = (sessionId: string) => `${sessionId}#`

/**
 * What users think of replies: one row for each reply that is rated, from which counts are made when they are read. So a repeated
 * request and a change of mind count once. A user's rows are in a partition of their own, where administrators' function may read them,
 * and hold nothing that its user does not let administrators read.
 */
export const feedbackRepository = (table: Table) => {
  async function load(sub: string, sortKeyPrefix: string) {
    const rows = await queryAll(table, { partition: partition(sub), prefix: sortKeyPrefix })
    return rows.flatMap((item) => {
      const { success, data } = row.safeParse(item)
      const [sessionId = '', messageId = ''] = String(item['SK']).split('#')
      return success ? [{ sessionId, messageId, ...data }] : []
    })
  }

  return {
    /** All ratings of a user. */
    list: (sub: string) => load(sub, ''),

    /** @returns by the id of the message */
    async findInConversation(sub: string, sessionId: string): Promise<Map<string, Feedback>> {
      const rows = await load(sub, prefix(sessionId))
      return new Map(rows.map(({ messageId, ...stored }) => [messageId, feedback.parse(stored)]))
    },

    /** Replaces what was stored of the reply. */
    put: (sub: string, { sessionId, messageId }: RatedReply, stored: StoredFeedback): Promise<void> =>
      putRow(table, { PK: partition(sub), SK: prefix(sessionId) + messageId, ...stored }),

    remove: (sub: string, { sessionId, messageId }: RatedReply): Promise<void> =>
      deleteRow(table, { PK: partition(sub), SK: prefix(sessionId) + messageId }),

    removeConversation: (sub: string, sessionId: string) =>
      deleteByPrefix(table, partition(sub), prefix(sessionId)),
  }
}

export type FeedbackRepository = ReturnType<typeof feedbackRepository>
