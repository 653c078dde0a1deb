import * as z from 'zod'
import { feedback } from '#shared/contracts/messages.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
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

export const feedbackPartition = (sub: string) => `FEEDBACK#${sub}`

/**
 * What users think of replies: one row for each reply that is rated, from which counts are made when they are read. So a repeated
 * request and a change of mind count once. A user's rows are in a partition of their own, where administrators' function may read them,
 * and hold nothing that its user does not let administrators read.
 */
export const feedbackReader = (table: Table) => ({
  /** @param prefix of the sort keys; all ratings of the user by default */
  async list(sub: string, prefix = ''): Promise<(RatedReply & StoredFeedback)[]> {
    const rows = await queryAll(table, { partition: feedbackPartition(sub), prefix })
    return rows.flatMap((item) => {
      const { success, data } = row.safeParse(item)
      const [sessionId = '', messageId = ''] = String(item['SK']).split('#')
      return success ? [{ sessionId, messageId, ...data }] : []
    })
  },
})
