import type { Table } from '../platform/dynamodb/table.ts'
import { fileRows } from './file-row.ts'

/** The requests on a file's row that the role of the function that makes vectors allows. */
export const vectorsRepository = (table: Table) => {
  const { find, update } = fileRows(table)
  return {
    find,
    /** Records that vectors of this model are stored. @throws AttachmentNotFound if the file was deleted */
    save: (sub: string, id: string, model: string) =>
      update(sub, id, 'SET #vectors_model = :model', { ':model': model }),
  }
}

export type VectorsRepository = ReturnType<typeof vectorsRepository>
