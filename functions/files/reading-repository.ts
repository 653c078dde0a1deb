import type { Table } from '../platform/dynamodb/table.ts'
import { isConditionFailed, updateIf, updateRow } from '../platform/dynamodb/update-row.ts'
import { fileKey, fileRows, type StoredReading } from './file-row.ts'
import { toStorableNumber } from '../platform/dynamodb/storable.ts'
import type { StoredTables, TableInfo } from './stored-tables.ts'
import { readerVersion, type StoredPictures, type StoredScans, type StoredText } from './stored-text.ts'

/** A reader that ended without a word loses its claim after this time. */
export const claimMs = 60_000

/** What a reading leaves in the row of its file. */
export interface FileReading {
  reading: StoredReading
  /** the first 2,000 characters of the text */
  extractedText: string
  /** characters of the whole document's text, stored or not */
  length: number
  text: StoredText | undefined
  pictures: StoredPictures | undefined
  tables: StoredTables | undefined
  scans: StoredScans | undefined
}

export const releaseClaim = (table: Table, sub: string, id: string): Promise<boolean> =>
  updateIf(table, fileKey(sub, id), {
    update: 'REMOVE #reading_until',
    condition: 'attribute_exists(#reading_until)',
  })

/** The requests on a file's row that the role of the function that has documents read allows. */
export const readingRepository = (table: Table) => {
  const { find, update } = fileRows(table)
  return {
    find,

    /**
     * Claims the reading of a file for a minute.
     * @returns how many readings have begun with this one; undefined if another reader has it, or the file is read or gone
     */
    async claim(sub: string, id: string, nowMs: number): Promise<number | undefined> {
      try {
        const { attributes } = await updateRow(table, fileKey(sub, id), {
          update: 'SET #reading_until = :until ADD #reading_attempts :one',
          condition:
            '#state = :ready AND attribute_not_exists(#deleted_at) AND (attribute_not_exists(#reading_until) OR #reading_until < :now) AND (attribute_not_exists(#reader_version) OR #reader_version < :version)',
          values: {
            ':until': nowMs + claimMs,
            ':now': nowMs,
            ':ready': 'ready',
            ':version': readerVersion,
            ':one': 1,
          },
          returns: 'UPDATED_NEW',
        })
        return Number(attributes?.['reading_attempts'] ?? 1)
      } catch (error) {
        if (isConditionFailed(error)) return undefined
        throw error
      }
    },

    /** Keeps the claim. */
    renewClaim: (sub: string, id: string, nowMs: number) =>
      updateIf(table, fileKey(sub, id), {
        update: 'SET #reading_until = :until',
        condition: 'attribute_exists(#reading_until)',
        values: { ':until': nowMs + claimMs },
      }),

    /** Lets another reader try at once. */
    release: (sub: string, id: string) => releaseClaim(table, sub, id),

    /** Stores what was read. @throws AttachmentNotFound if the file was deleted */
    async save(
      sub: string,
      id: string,
      { reading, extractedText, length, text, pictures, scans, tables }: FileReading,
    ): Promise<void> {
      await update(
        sub,
        id,
        `SET #reading = :reading, #extracted_text = :beginning, #reader_version = :version, #text_length = :length${text ? ', #text = :text' : ''}${pictures ? ', #pictures = :pictures' : ''}${scans ? ', #scans = :scans' : ''}${tables ? ', #tables = :tables' : ''} REMOVE #reading_until, #reading_attempts, #vectors_model, #vectors_due${text ? '' : ', #text'}${pictures ? '' : ', #pictures'}${scans ? '' : ', #scans'}${tables ? '' : ', #tables'}`,
        {
          ':reading': reading,
          ':beginning': extractedText,
          ':version': readerVersion,
          ':length': length,
          ...(text && { ':text': text }),
          ...(pictures && { ':pictures': pictures }),
          ...(tables && { ':tables': tables.map(toStorableSample) }),
          ...(scans && { ':scans': scans }),
        },
      )
    },
  }
}

/** Values of a document may be numbers that the table does not take. */
const toStorableSample = (info: TableInfo): TableInfo => ({
  ...info,
  sample: info.sample.map((row) =>
    row.map((value) => (typeof value === 'number' ? toStorableNumber(value) : value)),
  ),
})

export type ReadingRepository = ReturnType<typeof readingRepository>
