import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'
import { fileKey, fileRows } from './file-row.ts'

/** Longer than the function that makes vectors may run: one that ended without a word loses its claim. */
const claimMs = 1_200_000

/** The requests on a file's row that the role of the function that makes vectors allows. */
export const vectorsRepository = (table: Table) => {
  const { find, update } = fileRows(table)
  return {
    find,

    /** Claims the vectors of a file. @returns whether nobody else makes them, and they are due */
    claim: (sub: string, id: string, nowMs: number): Promise<boolean> =>
      updateIf(table, fileKey(sub, id), {
        update: 'SET #vectors_due = :later',
        condition:
          'attribute_exists(PK) AND attribute_not_exists(#deleted_at) AND (attribute_not_exists(#vectors_due) OR #vectors_due <= :now)',
        values: { ':later': nowMs + claimMs, ':now': nowMs },
      }),

    /** Records that all vectors of this model are stored. @throws AttachmentNotFound if the file was deleted */
    complete: (sub: string, id: string, model: string) =>
      update(sub, id, 'SET #vectors_model = :model REMOVE #vectors_due', { ':model': model }),

    /**
     * Records that vectors are missing.
     * @param model whose first vectors are stored; undefined if none are
     * @param dueMs from when on the others may be made
     * @throws AttachmentNotFound if the file was deleted
     */
    postpone: (sub: string, id: string, model: string | undefined, dueMs: number) =>
      update(
        sub,
        id,
        model === undefined
          ? 'SET #vectors_due = :due REMOVE #vectors_model'
          : 'SET #vectors_due = :due, #vectors_model = :model',
        { ':due': dueMs, ...(model !== undefined && { ':model': model }) },
      ),
  }
}

export type VectorsRepository = ReturnType<typeof vectorsRepository>
