import type { Extraction } from '#shared/contracts/files.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { storedFile } from './file-row.ts'

/** What an analysis found in files. */
export const readingRepository = (table: Table) => {
  const { find, update } = storedFile(table)
  return {
    find,

    /** @throws AttachmentNotFound when the file was deleted meanwhile */
    saveReading: (sub: string, id: string, found: { reading: Extraction; extractedText: string }) =>
      update(sub, id, 'SET #reading = :reading, #extracted_text = :text', {
        ':reading': found.reading,
        ':text': found.extractedText,
      }),
  }
}

export type ReadingRepository = ReturnType<typeof readingRepository>
