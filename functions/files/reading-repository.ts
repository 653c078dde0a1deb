import type { Reading } from '#shared/contracts/files.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { fileRows } from './file-row.ts'

/** What an analysis found in files. */
export const readingRepository = (table: Table) => {
  const { find, update } = fileRows(table)
  return {
    find,

    /** @throws AttachmentNotFound when the file was deleted meanwhile */
    saveExtraction: (sub: string, id: string, found: { reading: Reading; extractedText: string }) =>
      update(sub, id, 'SET #reading = :reading, #extracted_text = :text', {
        ':reading': found.reading,
        ':text': found.extractedText,
      }),
  }
}

export type ReadingRepository = ReturnType<typeof readingRepository>
