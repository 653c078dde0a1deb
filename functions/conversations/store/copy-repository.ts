import type { Session } from '#shared/contracts/messages.ts'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { putRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { getStoredRow, isConditionFailed, updateRow, wasRetried } from '../../platform/dynamodb/update-row.ts'
import { conversationKey, fromRow } from './conversation-row.ts'
import { listEntries } from './list-entries.ts'

/** Reads and writes the rows of conversations that are being copied. */
export function copyRepository(table: Table) {
  const entries = listEntries(table)
  return {
    /**
     * Creates the row of a copy, which is not listed before it is closed.
     * @param of the conversation that is copied
     */
    open: async (sub: string, id: string, of: Session): Promise<void> => {
      const { title, model, effort, disabled_tools, project_id, assistant } = of
      const now = new Date().toISOString()
      await putRow(table, {
        ...conversationKey(sub, id),
        title,
        created_at: now,
        updated_at: now,
        usage_from: now,
        message_count: 0,
        rev: 1,
        copy_of: of.id,
        ...(model !== undefined && { model }),
        ...(effort !== undefined && { effort }),
        ...(disabled_tools && { disabled_tools }),
        ...(project_id !== undefined && { project_id }),
        ...(assistant && { assistant }),
      })
    },

    /** Lists a copy from now on. @returns undefined if it was deleted meanwhile */
    async close(sub: string, id: string, messageCount: number): Promise<Session | undefined> {
      const now = new Date().toISOString()
      try {
        await entries.addDay(sub, id, now)
        const { attributes } = await updateRow(table, conversationKey(sub, id), {
          update:
            'SET #message_count = :count, #created_at = :now, #updated_at = :now REMOVE #copy_of ADD #rev :one',
          condition: 'attribute_exists(#copy_of) AND attribute_not_exists(#deleted_at)',
          values: { ':count': messageCount, ':now': now, ':one': 1 },
          returns: 'ALL_NEW',
        })
        return fromRow(sub, attributes)
      } catch (error) {
        if (!isConditionFailed(error)) throw error
        // the client sends a write again whose response was lost
        const stored = wasRetried(error) ? getStoredRow(error) : undefined
        return stored && stored['deleted_at'] === undefined ? fromRow(sub, stored) : undefined
      }
    },

    /** Copies that are being made, or whose making was interrupted. */
    async listOpen(sub: string): Promise<{ id: string; of: string; openedAtMs: number }[]> {
      const items = await queryAll(table, {
        partition: `U#${sub}`,
        prefix: 'S#',
        projection: 'SK, copy_of, created_at',
      })
      return items
        .filter(({ copy_of }) => copy_of !== undefined)
        .map(({ SK, copy_of, created_at }) => ({
          id: String(SK).slice('S#'.length),
          of: String(copy_of),
          openedAtMs: Date.parse(String(created_at)),
        }))
    },
  }
}

export type CopyRepository = ReturnType<typeof copyRepository>
