import type { Extraction } from '#shared/contracts/files.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { fileRows } from './file-row.ts'

/** What the function of documents needs of a file's row, and no more: its role allows nothing else. */
export const extractionRepository = (table: Table) => {
  const { find, update } = fileRows(table)
  return {
    find,

    /** Stores what the analysis of a document extracted. @throws AttachmentNotFound when the file was deleted meanwhile */
    saveExtraction: (sub: string, id: string, extraction: { reading: Extraction; extractedText: string }) =>
      update(sub, id, 'SET #reading = :reading, #extracted_text = :text', {
        ':reading': extraction.reading,
        ':text': extraction.extractedText,
      }),
  }
}

export type ExtractionRepository = ReturnType<typeof extractionRepository>
