import * as z from 'zod'
import { attachmentResponse } from '#shared/contracts/files.ts'

/** GET /api/drive-files: files of the caller's Google Drive, the last changed first, or those that a search finds. */
export const driveQuery = z.object({ query: z.string().trim().max(200).default('') })
export const driveList = z.object({
  /** those that can be attached, at most 100 */
  files: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** mime type */
      type: z.string(),
      /** bytes; null where they are not known before: Google's own documents are converted */
      size: z.number().nullable(),
      /** ISO 8601 */
      modified_at: z.string().nullable(),
    }),
  ),
  /** whether the Drive has more files than were looked at */
  more: z.boolean(),
})
/** A file of the Drive. */
export type DriveFile = z.infer<typeof driveList>['files'][number]

export const driveUploadRequest = z.strictObject({ file_id: z.string().min(1).max(200) })

/** The contracts of the function 'tools' for files of a connected Google Drive. */
export const driveContracts = {
  'drive.list': { query: driveQuery, response: driveList },
  /**
   * POST /api/drive-files copies a file to the uploads, as if the caller had sent it: `files.complete` comes next.
   * Refused with what `files.presign` refuses, and 422 `drive_no_file`, 409 `drive_unavailable` and 502 `drive_failed`.
   */
  'drive.upload': { request: driveUploadRequest, response: attachmentResponse },
} as const
