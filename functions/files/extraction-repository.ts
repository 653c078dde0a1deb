import type { Reading } from '#shared/contracts/files.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { fileRows } from './file-row.ts'

/** The requests on a file's row that the role of the documents function allows. */
export const extractionRepository = (table: Table) => {
  const { find, update } = fileRows(table)
  return {
    find,

    /** Stores the extracted text of a document. @throws AttachmentNotFound if the file was deleted */
    saveExtraction: (sub: string, id: string, extraction: { reading: Reading; extractedText: string }) =>
      update(sub, id, 'SET #reading = :reading, #extracted_text = :text', {
        ':reading': extraction.reading,
        ':text': extraction.extractedText,
      }),
  }
}

export type ExtractionRepository = ReturnType<typeof extractionRepository>
