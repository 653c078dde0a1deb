import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const path = z.string().regex(/^(?:\/[^/]+)*$/)
const entry = {
  name: z.string(),
  // null where the file is not mounted
  path_display: z.string().nullable().optional(),
}
const modified = withExample(z.string(), '2026-11-01T10:00:00Z')
const file = z.object({ ...entry, id: z.string(), size: z.number().int(), server_modified: modified })
/** `.tag` says which other fields there are */
const metadata = z.union([
  file.extend({ '.tag': z.literal('file') }),
  z.object({ ...entry, '.tag': z.literal('folder'), id: z.string() }),
  z.object({ ...entry, '.tag': z.literal('deleted') }),
])
const limit = (most: number) => z.number().int().min(1).max(most).optional()

/** https://www.dropbox.com/developers/documentation/http/documentation */
export const contract: Contract = {
  sources: [
    {
      name: 'dropbox-api-spec (files.stone, auth.stone)',
      url: 'https://github.com/dropbox/dropbox-api-spec',
      version: 'commit 0d994eb, 2026-08-05',
      checkedOn: '2026-11-21',
    },
  ],
  api: {
    version: '2',
    supportedUntil: null,
    source: 'https://www.dropbox.com/developers/documentation/http/documentation',
  },
  oauth: { parameters: ['token_access_type', 'force_reapprove'], pkce: true },
  operations: {
    'POST /files/list_folder': {
      scopes: ['files.metadata.read'],
      body: strictObject({ path, limit: limit(2_000) }),
      response: z.object({ entries: z.array(metadata), cursor: z.string(), has_more: z.boolean() }),
    },
    'POST /files/search_v2': {
      scopes: ['files.metadata.read'],
      body: strictObject({
        query: nonEmptyText.max(1_000),
        options: strictObject({
          path: path.optional(),
          max_results: limit(1_000),
          file_status: z.enum(['active', 'deleted']).optional(),
        }).optional(),
      }),
      response: z.object({
        matches: z.array(
          z.object({
            // an open union: results of other kinds come with another tag
            metadata: z.union([
              z.object({ '.tag': z.literal('metadata'), metadata }),
              z.object({ '.tag': z.literal('other') }),
            ]),
          }),
        ),
        has_more: z.boolean(),
        cursor: z.string().nullable().optional(),
      }),
    },
    'POST /content/files/upload': {
      scopes: ['files.content.write'],
      contentType: /^application\/octet-stream$/,
      headers: z.looseObject({
        'dropbox-api-arg': z
          .string()
          .regex(/^[\x20-\x7e]*$/)
          .transform((value): unknown => JSON.parse(value))
          .pipe(
            strictObject({
              path,
              mode: z.enum(['add', 'overwrite']).optional(),
              autorename: z.boolean().optional(),
            }),
          ),
      }),
      response: file,
    },
  },
  invalid: (message) => json(400, { error_summary: message }),
  forbidden: ([required_scope = '']) =>
    json(401, {
      error_summary: 'missing_scope/',
      error: { '.tag': 'missing_scope', required_scope },
    }),
  notFound: () => json(404, { error_summary: 'Unknown API function' }),
}
