import { coded } from '#shared/sentences/sentence.ts'
import * as z from 'zod'
import { readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { AttachmentNotFound } from './errors.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'
import { fileVersion } from '#shared/contracts/files.ts'
import type { StoredTables } from './stored-tables.ts'
import { readerVersion, storedPictures, storedScans, storedText } from './stored-text.ts'

/** How much of the document its text has; the note is a sentence for people and models. */
const storedReading = z.object({
  status: z.enum(['whole', 'part', 'failed']),
  note: z.string(),
  code: z.string().optional(),
  /** what the note says, between its semicolons; older rows have none */
  codes: z.array(coded).optional().catch(undefined),
})
export type StoredReading = z.infer<typeof storedReading>

const row = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  state: z.enum(['incoming', 'ready']),
  created_at: z.string(),
  /** the smaller copy of an image that the page uploads */
  preview: z.object({ type: z.string(), size: z.number() }).optional(),
  reading: storedReading.optional(),
  /** the first 2,000 characters of the text; the bucket has all of it */
  extracted_text: z.string().optional(),
  /** of the readers that read it; 1.0 left none */
  reader_version: z.number().optional(),
  /** characters of the whole document's text, stored or not */
  text_length: z.number().optional(),
  text: storedText.optional().catch(undefined),
  pictures: storedPictures.optional().catch(undefined),
  /** checked before they are stored: their schema is no code of the chat */
  tables: z.custom<StoredTables>(Array.isArray).optional().catch(undefined),
  scans: storedScans.optional().catch(undefined),
  /** name of the model whose vectors of the text are stored */
  vectors_model: z.string().optional(),
  /** from when on (ms) its vectors may be made or completed; absent if they are complete, or were never begun */
  vectors_due: z.number().optional(),
  /** until when a reader has claimed it (ms), and how many have begun since the last success */
  reading_until: z.number().optional(),
  reading_attempts: z.number().optional(),
  is_generated: z.boolean().optional(),
  prompt: z.string().optional(),
  /** of a file that `create_file` has made: all of its versions, the newest last */
  versions: z.array(fileVersion).optional(),
  /** name of the integration whose tool returned the file */
  integration: z.string().optional(),
  /** the address of the page of the web that it is */
  page_url: z.string().optional(),
  /** conversations that reference the file, and projects as `projectUse` names them */
  used_in: z.set(z.string()).optional(),
  /** ISO time at which a temporary file expires */
  expires_at: z.string().optional(),
  /** its deletion has begun: to everybody else the file is gone (ISO time) */
  deleted_at: z.string().optional(),
})
/** The stored row of a user's file. */
export type StoredFile = z.infer<typeof row>

/** Whether the readers of today have read it, with success or not. */
export const isRead = ({ reader_version = 0 }: Pick<StoredFile, 'reader_version'>): boolean =>
  reader_version >= readerVersion

/**
 * Whether a text has no vectors of the model, or not all, and they may be made now.
 * @param model undefined: none is configured
 */
export const needsVectors = (
  { text, vectors_model, vectors_due }: StoredFile,
  model: string | undefined,
  nowMs: number,
): boolean =>
  model !== undefined &&
  text?.isIndexed === true &&
  (vectors_due === undefined ? vectors_model !== model : vectors_due <= nowMs)

const projectPrefix = 'P#'
/** How the row of a file names a project that has it: no id of a conversation contains the sign. */
export const projectUse = (projectId: string) => `${projectPrefix}${projectId}`

/** The conversations and the projects that have the file. */
export function listUses({ used_in = new Set() }: Pick<StoredFile, 'used_in'>) {
  const uses = [...used_in]
  return {
    session_ids: uses.filter((use) => !use.startsWith(projectPrefix)),
    project_ids: uses
      .filter((use) => use.startsWith(projectPrefix))
      .map((use) => use.slice(projectPrefix.length)),
  }
}

export const filesPrefix = 'A#'
export const fileKey = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `${filesPrefix}${id}` })
export const parseFileRow = (item: Record<string, unknown>): StoredFile => row.parse(item)

/** Whether the file exists: its deletion has not begun. */
export const isKept = ({ deleted_at }: Pick<StoredFile, 'deleted_at'>) => deleted_at === undefined

/** Reads and updates one file's row. */
export const fileRows = (table: Table) => ({
  /** @throws AttachmentNotFound */
  find: async (sub: string, id: string): Promise<StoredFile> => {
    const item = await readRow(table, fileKey(sub, id))
    const file = item && parseFileRow(item)
    if (!file || !isKept(file)) throw new AttachmentNotFound(`no file ${id}`)
    return file
  },

  /** @param expression with `#field` for names @throws AttachmentNotFound if it was deleted */
  update: async (
    sub: string,
    id: string,
    expression: string,
    values: Record<string, unknown> | undefined,
  ): Promise<void> => {
    const condition = 'attribute_exists(PK) AND attribute_not_exists(#deleted_at)'
    const change = { update: expression, condition, values }
    if (!(await updateIf(table, fileKey(sub, id), change)))
      throw new AttachmentNotFound(`file ${id} was deleted meanwhile`)
  },
})
