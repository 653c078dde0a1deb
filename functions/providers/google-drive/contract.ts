import * as z from 'zod'
import {
  type Contract,
  optionalIntUpTo,
  flag,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'
import {
  googleErrors,
  clientLibrary,
  scope,
  googleOAuth,
} from '../../../test/support/provider-contracts/google.ts'

const contentReaders = ['drive', 'drive.readonly', 'drive.file'].map(scope)
const readers = [...contentReaders, scope('drive.metadata.readonly')]
const file = z.object({
  id: nonEmptyText,
  name: z.string(),
  mimeType: z.string().optional(),
  // number of bytes, as text; folders and Google's own documents have none
  size: z
    .string()
    .regex(/^\d+$/)
    .meta({ examples: ['12'] })
    .optional(),
  modifiedTime: z.iso.datetime({ offset: true }).optional(),
  webViewLink: z.url().optional(),
})

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/files */
export const contract: Contract = {
  sources: [clientLibrary('drive', '26.0.1')],
  api: {
    version: 'v3',
    supportedUntil: null,
    source: 'https://developers.google.com/workspace/drive/release-notes',
  },
  oauth: googleOAuth,
  operations: {
    'GET /files': {
      scopes: readers,
      query: strictObject({
        pageSize: optionalIntUpTo(1_000),
        q: nonEmptyText.optional(),
        orderBy: nonEmptyText.optional(),
        fields: nonEmptyText.optional(),
        spaces: z.enum(['drive', 'appDataFolder']).optional(),
        corpora: z.enum(['user', 'domain', 'drive', 'allDrives']).optional(),
        supportsAllDrives: flag.optional(),
        includeItemsFromAllDrives: flag.optional(),
        pageToken: nonEmptyText.optional(),
      }).refine(
        ({ includeItemsFromAllDrives, supportsAllDrives }) =>
          includeItemsFromAllDrives !== 'true' || supportsAllDrives === 'true',
        'includeItemsFromAllDrives requires supportsAllDrives',
      ),
      response: z.object({ files: z.array(file).optional(), nextPageToken: z.string().optional() }),
    },
    'GET /files/:id': {
      scopes: readers,
      query: strictObject({
        alt: z.enum(['json', 'media']).optional(),
        fields: nonEmptyText.optional(),
        supportsAllDrives: flag.optional(),
      }),
      // with `alt=media` the content, which is no JSON
      response: file.optional(),
    },
    'GET /files/:id/export': {
      scopes: contentReaders,
      query: strictObject({ mimeType: nonEmptyText }),
      // a file
      response: z.unknown(),
    },
    'POST /upload/files': {
      scopes: ['drive', 'drive.file'].map(scope),
      query: strictObject({
        uploadType: z.enum(['media', 'multipart', 'resumable']),
        fields: nonEmptyText.optional(),
      }),
      contentType: /^multipart\/related; boundary=\S+$/,
      response: file,
    },
  },
  ...googleErrors,
}
