import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { putRow, deleteRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { logger } from '../../platform/telemetry/logger.ts'

const PK = 'REFRESH'
const key = (sub: string, mcpId: string) => ({ PK, SK: `${sub}#${mcpId}` })

const row = z.object({ SK: z.string().includes('#'), renewed_at: z.string() })

/** A connection with a refresh token. */
export interface IndexedConnection {
  sub: string
  mcpId: string
  /** ISO 8601; when its tokens were last refreshed */
  refreshedAt: string
}

/**
 * The connections of all users that have a refresh token. Connections are below their users' keys, and no role may scan the table: only
 * this partition leads the daily refresh to them. A missing row is written by the next refresh, and the daily refresh deletes rows of
 * connections that are gone.
 */
export const refreshIndex = (table: Table) => ({
  /** Never throws: tokens matter more than their index row. */
  async put({ sub, mcpId, refreshedAt }: IndexedConnection): Promise<void> {
    try {
      await putRow(table, { ...key(sub, mcpId), renewed_at: refreshedAt })
    } catch (error) {
      logger.warn('a connection could not be listed for the daily refresh', { error })
    }
  },

  async remove(sub: string, mcpId: string): Promise<void> {
    await deleteRow(table, key(sub, mcpId))
  },

  /** Removes a row that was read, unless it was written again since: the user may have signed in meanwhile. */
  async removeStale({ sub, mcpId, refreshedAt }: IndexedConnection): Promise<void> {
    await deleteRow(table, key(sub, mcpId), {
      ConditionExpression: 'renewed_at = :seen',
      ExpressionAttributeValues: { ':seen': refreshedAt },
    })
  },

  /**
   * Reads the connections from a sort key on to the end, then from the beginning up to it.
   * @yields a page at a time, which may be empty
   */
  async *pages(startKey: string): AsyncGenerator<IndexedConnection[]> {
    for (const range of ['SK >= :start', 'SK < :start']) {
      let start: Record<string, unknown> | undefined
      do {
        const page = await table.client.send(
          new QueryCommand({
            TableName: table.name,
            KeyConditionExpression: `PK = :pk AND ${range}`,
            ExpressionAttributeValues: { ':pk': PK, ':start': startKey },
            ...(start && { ExclusiveStartKey: start }),
          }),
        )
        yield (page.Items ?? []).map(fromItem)
        start = page.LastEvaluatedKey
      } while (start)
    }
  },
})

export type RefreshIndex = ReturnType<typeof refreshIndex>

function fromItem(item: Record<string, unknown>): IndexedConnection {
  const { SK, renewed_at: refreshedAt } = row.parse(item)
  const end = SK.indexOf('#')
  return { sub: SK.slice(0, end), mcpId: SK.slice(end + 1), refreshedAt }
}
