import * as z from 'zod'
import { capabilityWith, type Capability } from '../capability.ts'
import { limit, optionalField, singleLine, longText, shortField, searchTerm } from '../schemas.ts'
import type { ApiFailure } from '../errors.ts'

const scopeError = z.object({
  error: z.object({ '.tag': z.literal('missing_scope'), required_scope: z.string() }),
})

/** Dropbox responds 401 if only a permission is missing. */
function parseFailure(body: unknown): ApiFailure | undefined {
  const { data } = scopeError.safeParse(body)
  return data && { status: 403, message: 'missing scope', scopes: [data.error.required_scope] }
}

const capability = capabilityWith({ toFailure: parseFailure })

const entry = z
  .object({
    '.tag': z.string().optional(),
    /** absent for a deleted entry */
    id: z.string().optional(),
    name: shortField,
    path_display: optionalField,
    size: z.number().optional(),
    server_modified: z.string().optional(),
  })
  .transform(({ '.tag': kind, path_display: path, server_modified: modified, ...rest }) => ({
    ...rest,
    kind,
    path,
    modified,
  }))
const searchResponse = z.object({
  // results of other kinds than files and folders have no metadata
  matches: z.array(z.object({ metadata: z.object({ metadata: entry.optional() }) })),
  has_more: z.boolean().default(false),
})
const listResponse = z.object({ entries: z.array(entry), has_more: z.boolean().default(false) })

/** Escapes non-ASCII characters, which Dropbox does not accept in headers. */
const formatHeaderJson = (value: unknown) =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const folder = z
  .string()
  .trim()
  .regex(/^(?:\/[^/\0\r\n]+)*\/?$/)
  .max(1_000)
  .transform((path) => path.replace(/\/$/, ''))

export const tools: readonly Capability[] = [
  capability({
    id: 'list_files',
    name: 'List files',
    description: 'Lists files and folders in Dropbox, or those with certain words in the name or the text.',
    parameters: z.object({
      query: searchTerm('files'),
      folder: folder.default('').describe('path of the folder, such as /Reports; empty for the top'),
      limit: limit('files'),
    }),
    examples: ['Which files are in my Dropbox?'],
    async run(api, { query, folder: path, limit: maxRows }) {
      if (query) {
        const json = { query, options: { path, max_results: maxRows, file_status: 'active' } }
        const found = await api.post(searchResponse, '/files/search_v2', { reads: true, json })
        return {
          files: found.matches.flatMap(({ metadata: { metadata } }) => metadata ?? []),
          more: found.has_more,
        }
      }
      const json = { path, limit: maxRows }
      const found = await api.post(listResponse, '/files/list_folder', { reads: true, json })
      const files = found.entries.filter(({ kind }) => kind !== 'deleted')
      // Dropbox may return somewhat more entries than the limit
      return { files: files.slice(0, maxRows), more: found.has_more || files.length > maxRows }
    },
  }),
  capability({
    id: 'create_file',
    name: 'Create a file',
    description: 'Creates (uploads) a text file in Dropbox; nothing is ever overwritten.',
    parameters: z.object({
      name: singleLine('name of the file').regex(/^[^/\\]+$/),
      content: longText('text of the file', 100_000),
      folder: folder.default('').describe('path of the folder, such as /Reports; empty for the top'),
    }),
    examples: ['Save this as notes.txt in my Dropbox'],
    writes: true,
    activity: 'file_upload',
    async run(api, { name, content, folder: path }) {
      const headers = {
        'content-type': 'application/octet-stream',
        'dropbox-api-arg': formatHeaderJson({ path: `${path}/${name}`, mode: 'add', autorename: true }),
      }
      const request = { base: 'content', headers, body: content.toWellFormed() }
      return { created: true, file: await api.post(entry, '/files/upload', request) }
    },
  }),
]
