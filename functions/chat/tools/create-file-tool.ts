import * as z from 'zod'
import type { Attachment } from '#shared/contracts/files.ts'
import { maxSqlCharacters } from '#shared/limits.ts'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'
import type { QueryTables } from './query-table-tool.ts'
import type { ResultTable } from './result-tables.ts'

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])

const parameters = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('its ending decides: md, txt, csv, json, ics, html, docx, pdf, pptx or xlsx'),
  content: z.string().optional().describe('the text; Markdown for docx, pdf and pptx'),
  sheets: z
    .array(
      z.object({
        name: z.string(),
        rows: z.array(z.array(cell)).optional().describe('the first has the names of the columns'),
        sql: z
          .string()
          .trim()
          .max(maxSqlCharacters)
          .optional()
          .describe('a SELECT as of query_table, all of whose rows become the sheet'),
      }),
    )
    .max(50)
    .optional()
    .describe('of xlsx'),
})
export type FileRequest = z.infer<typeof parameters>

export interface FileToolInput {
  sub: string
  sessionId: string | undefined
  listFiles: () => Promise<StoredFile[]>
  listResultTables: () => readonly ResultTable[]
  queryTables: QueryTables
  /** takes the attachment into the reply while that is still being written */
  onFile: (file: Attachment) => void
}

/** Lets the model make a file, which becomes an attachment of the reply. */
export function createFileTool(fileDeps: ReadingFileDeps, input: FileToolInput): Tool {
  // two calls of one name in a round are two versions
  let last: Promise<unknown> = Promise.resolve()
  return {
    name: 'create_file',
    title: 'Create file',
    description:
      'Makes a file that the user can download below the reply, and that read_attachment reads: md, txt, csv, json, ics and html from content as it is, docx, pdf (letters of Western Europe only) and pptx from content in Markdown (pptx: a slide for each heading of the first or second level), xlsx from sheets or a table in Markdown. Rows of tables come by sql, never copied into the call. The same name again makes a new version of the file. Do not repeat its content in the reply.',
    parameters: zodParameters(parameters),
    writes: false,
    activity: 'other',
    timeoutMs: 120_000,
    async run(request, signal) {
      const { createFile } = await import('./create-file.ts')
      const made = last.then(() => createFile(fileDeps, input, request as FileRequest, signal))
      last = made.catch(() => undefined)
      return made
    },
  }
}
