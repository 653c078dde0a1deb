import * as z from 'zod'
import {
  importSource,
  type ImportedConversation,
  type ImportSource,
  type ImportSummary,
} from '#shared/contracts/imports.ts'
import { listEntries } from '../conversations/store/list-entries.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { putIf } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'

/** The import that a conversation belongs to. */
export interface ImportReference {
  importId: string
  source: ImportSource
}

const row = z.object({
  SK: z.string().startsWith('S#'),
  import_id: z.string().optional(),
  import_source: importSource.optional(),
  imported_at: z.string().optional(),
  /** messages may follow; the conversation is not listed yet */
  import_open: z.boolean().optional(),
  /** later messages of its source were not imported; absent in rows of earlier releases */
  import_until: z.string().optional(),
  deleted_at: z.string().optional(),
})
const projection = 'SK, import_id, import_source, imported_at, import_open, import_until, deleted_at'

const partition = (sub: string) => `U#${sub}`
const sortKey = (id: string) => `S#${id}`

/** Reads and writes what an import adds to the rows of conversations. */
export const importRepository = (table: Table) => {
  const loadRows = async (sub: string, idPrefix = '') => {
    const items = await queryAll(table, { partition: partition(sub), prefix: sortKey(idPrefix), projection })
    return items.map((item) => {
      const { SK, ...fields } = row.parse(item)
      return { id: SK.slice('S#'.length), isDeleted: fields.deleted_at !== undefined, ...fields }
    })
  }

  const entries = listEntries(table)

  return {
    /** Conversations whose id has the prefix, deleted ones included. */
    findByPrefix: loadRows,

    /**
     * Creates a conversation that is not listed yet, or overwrites it while it is open.
     * @returns false if one with the id exists that is not open
     */
    async open(
      sub: string,
      id: string,
      { importId, source }: ImportReference,
      {
        archived,
        pinned,
        project_id,
        ...fields
      }: Pick<
        ImportedConversation,
        'title' | 'created_at' | 'updated_at' | 'archived' | 'pinned' | 'project_id'
      >,
    ): Promise<boolean> {
      const isOpen = await putIf(
        table,
        {
          PK: partition(sub),
          SK: sortKey(id),
          ...fields,
          // it has a name: no first message gives it another one
          title_set: true,
          message_count: 0,
          ...(archived && { archived }),
          ...(pinned && { pinned }),
          ...(project_id !== undefined && { project_id }),
          import_id: importId,
          import_source: source,
          imported_at: new Date().toISOString(),
          import_open: true,
        },
        {
          ConditionExpression: 'attribute_not_exists(PK) OR (import_open = :yes AND import_id = :import)',
          ExpressionAttributeValues: { ':yes': true, ':import': importId },
        },
      )
      if (!isOpen) return false
      // before it is listed
      await Promise.all([
        entries.addDay(sub, id, fields.updated_at),
        pinned === true && entries.addPin(sub, id),
      ])
      return true
    },

    /**
     * Lists the conversation from now on.
     * @param until later messages of its source are not there
     * @returns false if it was deleted, or belongs to another import
     */
    close: (
      sub: string,
      id: string,
      { importId, messageCount, until }: { importId: string; messageCount: number; until: string },
    ): Promise<boolean> =>
      updateIf(
        table,
        { PK: partition(sub), SK: sortKey(id) },
        {
          // searches load what changed since the last time
          update:
            'SET #message_count = :count, #changed_at = :now, #import_until = :until REMOVE #import_open',
          condition: '#import_id = :import AND attribute_not_exists(#deleted_at)',
          values: {
            ':count': messageCount,
            ':now': new Date().toISOString(),
            ':import': importId,
            ':until': until,
          },
        },
      ),

    /** Records up to when the messages of a conversation's source are there. @returns false if it was deleted */
    setUntil: (sub: string, id: string, until: string): Promise<boolean> =>
      updateIf(
        table,
        { PK: partition(sub), SK: sortKey(id) },
        {
          update: 'SET #import_until = :until',
          condition: 'attribute_exists(#import_id) AND attribute_not_exists(#deleted_at)',
          values: { ':until': until },
        },
      ),

    /** A user's imports with conversations that are not deleted, newest first. */
    async list(sub: string): Promise<ImportSummary[]> {
      const imports = new Map<string, ImportSummary>()
      for (const {
        import_id: id,
        import_source: source,
        imported_at,
        import_open,
        ...other
      } of await loadRows(sub)) {
        if (id === undefined || source === undefined || imported_at === undefined || other.isDeleted) continue
        const known = imports.get(id) ?? { id, source, imported_at, conversations: 0 }
        imports.set(id, {
          ...known,
          imported_at: imported_at < known.imported_at ? imported_at : known.imported_at,
          conversations: known.conversations + Number(!import_open),
        })
      }
      return [...imports.values()].sort((a, b) => b.imported_at.localeCompare(a.imported_at))
    },

    /** Ids of an import's conversations with rows left, those whose deletion was interrupted among them. */
    async listIds(sub: string, importId: string): Promise<string[]> {
      const rows = await loadRows(sub)
      return rows.filter(({ import_id }) => import_id === importId).map(({ id }) => id)
    },
  }
}

export type ImportRepository = ReturnType<typeof importRepository>
