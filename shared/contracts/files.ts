import { coded } from '#shared/sentences/sentence.ts'
import * as z from 'zod'
import { maxMediaBytes, maxFileNameCharacters, maxPreviewBytes } from '#shared/limits.ts'
import { success } from '#shared/contracts/success.ts'

/**
 * Whether the service has read a document, for the chip and the message. Absent: a kind that nothing reads. `note` is ready to be shown:
 * 'read in full', 'all 12 pages', '2 charts were not read', or the sentence why it cannot be read.
 */
export const reading = z.object({
  state: z.enum(['pending', 'read', 'unreadable']),
  note: z.string().optional(),
  /** what `note` says, between its semicolons */
  codes: z.array(coded).optional(),
})
export type Reading = z.infer<typeof reading>

/** How far a document of a reply has been read, as its events say. */
export interface DocumentReading {
  id: string
  name: string
  reading: Reading
  /** the beginning of its text, in a chat that is not stored: requests send it when the file is gone */
  text?: string
}

export const fileVersion = z.object({
  version: z.number().int().positive(),
  size: z.number().int().nonnegative(),
  created_at: z.string(),
})
export type FileVersion = z.infer<typeof fileVersion>

/** A stored file of the caller. Messages contain the same fields, with new links at each read. */
export const attachment = z.object({
  id: z.string(),
  /** sanitised: no path, no control or direction characters, at most 200 characters */
  name: z.string(),
  /** mime type */
  type: z.string(),
  /** bytes */
  size: z.number().int().nonnegative(),
  /**
   * signed link to read it, good for one to two hours; absent while the upload is unfinished and once the file is deleted. In the events of
   * a temporary chat a data URL of what a tool returned, which is stored nowhere
   */
  url: z.string().optional(),
  /** signed link to the small image the page sent along with a large one; absent without one */
  previewUrl: z.string().optional(),
  /** the file of a message is not stored any more */
  isDeleted: z.boolean().optional(),
  isGenerated: z.boolean().optional(),
  /** prompt of a generated image */
  prompt: z.string().optional(),
  /** name of the integration whose tool returned the file */
  integration: z.string().optional(),
  storage_path: z.string().optional(),
  /** of a file that the assistant has made, the newest last */
  versions: z.array(fileVersion).optional(),
  /** which of them the message has made: `size` and `url` are its own */
  version: z.number().int().positive().optional(),
  /** rows of older messages have another form */
  reading: reading.optional().catch(undefined),
})
export type Attachment = z.infer<typeof attachment>

const size = z.number().int().positive('the file is empty')

/**
 * POST /api/attachments, before each upload. Refused with 400 (empty, name), 413 `file_too_large` (sentence names the limit)
 * `storage_full` (no room among the user's files) or 429 when today's uploads are used up.
 * `preview`: for an image larger than 4 MB or 2,048 px, or of a kind that not all models read (BMP, GIF, CMYK, rotated by EXIF, and what
 * else the browser decodes), the page makes a JPEG, PNG or WebP of at most 2,048 px and 4 MB, and uploads it by `previewUpload`; the model
 * sees that one.
 */
export const presignRequest = z.strictObject({
  name: z.string().min(1).max(maxFileNameCharacters),
  /** as the browser knows it; '' is taken from the extension */
  type: z.string().max(200),
  size: size.max(maxMediaBytes * 10),
  preview: z
    .strictObject({
      type: z.enum(['image/jpeg', 'image/png', 'image/webp']),
      size: size.max(maxPreviewBytes),
    })
    .optional(),
})

/**
 * A presigned POST: multipart form of all `fields`, then `file` as the last one, to `url`, within 15 minutes. S3 answers 204.
 * It refuses other keys, types and sizes with XML (EntityTooLarge, AccessDenied); the page takes any of these as a failed upload.
 */
const upload = z.object({ url: z.string(), fields: z.record(z.string(), z.string()) })
export const presignResponse = z.object({
  success: z.literal(true),
  /** without `url`: unfinished */
  attachment,
  upload,
  previewUpload: upload.optional(),
})

/**
 * POST /api/attachments/{attachmentId}/complete, after the upload: checks what really arrived, and only then may a message
 * carry the file. Its `type` is that of the content from then on. Can be repeated. 409 `upload_missing` when nothing arrived, 422
 * `file_differs` for a program under another name (a program named .png).
 */
export const attachmentResponse = z.object({ success: z.literal(true), attachment })

/**
 * GET /api/attachments/{attachmentId}/link: fresh links. `url` shows images, audio, video and PDF in the browser and
 * downloads everything else; `downloadUrl` always downloads, under the file's name. `version`: of an earlier one of a made file; 404 if it
 * has none such.
 */
export const linkQuery = z.object({ version: z.coerce.number().int().positive().optional() })
export const linkResponse = z.object({
  success: z.literal(true),
  url: z.string(),
  downloadUrl: z.string(),
  previewUrl: z.string().optional(),
  /** ISO 8601; until then the links work */
  expires_at: z.string(),
})

const boundedNumber = (min: number, max: number, defaultValue: number) =>
  z.coerce.number().int().min(min).max(max).default(defaultValue)

/** GET /api/attachments: the caller's finished files; at most 100, from the first, sorted by name unless the query says otherwise. */
export const listQuery = z.object({
  limit: boundedNumber(1, 100, 100),
  offset: boundedNumber(0, 1_000_000, 0),
})
export const listResponse = z.object({
  success: z.literal(true),
  attachments: z.array(
    attachment.extend({
      created_at: z.string(),
      /** the conversations whose messages carry the file */
      session_ids: z.array(z.string()),
      /** the projects that have it */
      project_ids: z.array(z.string()),
    }),
  ),
  total: z.number().int(),
  /** what all files take up, including unfinished uploads, and the limit */
  storage: z.object({ used_bytes: z.number().int(), limit_bytes: z.number().int() }),
})

export const filesContracts = {
  'files.presign': { request: presignRequest, response: presignResponse },
  'files.complete': { response: attachmentResponse },
  'files.link': { query: linkQuery, response: linkResponse },
  'files.list': { query: listQuery, response: listResponse },
} as const

/** Of the function 'sessions': a deleted file goes from the links of conversations, too. */
export const fileDeletionContracts = { 'files.delete': { response: success } } as const
