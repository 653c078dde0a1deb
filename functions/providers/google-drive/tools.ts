import { sayCapability } from '#shared/sentences/capabilities.ts'
import { ToolError } from '../../platform/tool-error.ts'
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { capability, type Capability } from '../capability.ts'
import { linkField, shortField } from '../schemas.ts'

const fields = 'id,name,mimeType,size,modifiedTime,webViewLink'
/** Drive's limit for a multipart upload, of which the metadata and boundaries are a part. */
const maxUploadBytes = 5 * 1024 * 1024

const file = z
  .object({
    id: z.string(),
    name: shortField.catch(''),
    mimeType: z.string().default(''),
    /** what a shortcut leads to */
    shortcutDetails: z
      .object({ targetId: z.string(), targetMimeType: z.string() })
      .optional()
      .catch(undefined),
    /** absent for folders and Google's own documents */
    size: z.coerce.number().optional().catch(undefined),
    modifiedTime: z.string().optional(),
    webViewLink: linkField,
  })
  .transform(({ modifiedTime: modified, webViewLink: link, ...rest }) => ({ ...rest, modified, link }))
const listResponse = z.object({ files: z.array(file).default([]), nextPageToken: z.string().optional() })

/** Builds a search from words. The model's text is only ever a value in Drive's query language. */
function buildSearchQuery(words: string): string {
  const value = words.replace(/\\/g, '\\\\').replace(/'/g, "\\'")
  return `(name contains '${value}' or fullText contains '${value}') and trashed = false`
}

export const tools: readonly Capability[] = [
  capability({
    id: 'list_files',
    name: 'List files',
    description:
      'Lists files and documents of Google Drive, the last changed first, or those that contain certain words.',
    parameters: z.object({
      query: z.string().max(200).optional().describe('words in the name or the text; empty for all'),
      maxResults: z.number().int().min(1).max(100).default(20).describe('how many files'),
    }),
    examples: ['Which files did I change last?', 'Find the travel plan in my Drive'],
    async run(api, { query, maxResults }) {
      const words = query?.trim() ?? ''
      const { files, nextPageToken } = await api.get(listResponse, '/files', {
        pageSize: maxResults,
        q: words === '' ? 'trashed = false' : buildSearchQuery(words),
        // Drive cannot sort the results of a full-text search
        orderBy: words === '' ? 'modifiedTime desc' : undefined,
        fields: `nextPageToken,files(${fields},shortcutDetails)`,
        spaces: 'drive',
        // both are required for files of shared drives
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
      })
      return { files, more: nextPageToken !== undefined }
    },
  }),
  capability({
    id: 'create_file',
    name: 'Create a file',
    description: 'Creates a text file in Google Drive.',
    parameters: z.object({
      name: z.string().trim().min(1).max(255).describe('name of the file'),
      content: z.string().describe('text of the file'),
      mimeType: z
        .string()
        .regex(/^[a-z]+\/[a-z0-9.+-]+$/i)
        .max(100)
        .default('text/plain')
        .describe('type of the file, such as text/plain or text/markdown'),
    }),
    examples: ['Save this as notes.txt in my Drive'],
    writes: true,
    activity: 'file_upload',
    async run(api, { name, content, mimeType }) {
      // random, so that the content cannot contain the boundary
      const boundary = `part-${randomBytes(16).toString('hex')}`
      const body = [
        `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify({ name, mimeType })}`,
        `--${boundary}\r\nContent-Type: ${mimeType}\r\n\r\n${content.toWellFormed()}`,
        `--${boundary}--\r\n`,
      ].join('\r\n')
      if (Buffer.byteLength(body) > maxUploadBytes)
        throw new ToolError(sayCapability('drive_file_too_large.upload', { megabytes: 5 }))
      const created = await api.post(file, '/files', {
        base: 'upload',
        query: { uploadType: 'multipart', fields },
        headers: { 'content-type': `multipart/related; boundary=${boundary}` },
        body,
      })
      return { created: true, file: created }
    },
  }),
]
