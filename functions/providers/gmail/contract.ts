import * as z from 'zod'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'
import {
  googleErrors,
  clientLibrary,
  scope,
  googleOAuth,
} from '../../../test/support/provider-contracts/google.ts'

const message = {
  id: nonEmptyText,
  threadId: z.string().optional(),
  labelIds: z.array(z.string()).optional(),
}

/**
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages.attachments: `data` is missing for what has parts, and
 * for what is stored apart, which has an `attachmentId` instead.
 */
const body = {
  attachmentId: nonEmptyText.optional(),
  size: z.number().int().optional(),
  // base64url; clients report it without padding (iterate/iterate#2399)
  data: withExample(z.string().regex(/^[A-Za-z0-9_-]*={0,2}$/), 'SGVsbG8').optional(),
}
const leaf = {
  partId: z.string().optional(),
  mimeType: withExample(z.string(), 'text/plain').optional(),
  filename: z.string().optional(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  body: z.object(body).optional(),
}
/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages#MessagePart, which has parts of any depth */
const payload = z.object({
  ...leaf,
  parts: z.array(z.object({ ...leaf, parts: z.array(z.object(leaf)).optional() })).optional(),
})

/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages */
export const contract: Contract = {
  sources: [clientLibrary('gmail', '22.0.1')],
  api: {
    version: 'v1',
    supportedUntil: null,
    source: 'https://developers.google.com/workspace/gmail/release-notes',
  },
  unverified: [
    'from which size on the body of a text is stored apart, and whether each is converted to UTF-8',
    'whether refresh tokens of an OAuth app with publishing status “In production” stay valid (those of “Testing” end after 7 days)',
  ],
  oauth: googleOAuth,
  operations: {
    'GET /users/me/messages': {
      scopes: [scope('gmail.readonly'), scope('gmail.modify'), 'https://mail.google.com/'],
      query: strictObject({
        maxResults: optionalIntUpTo(500),
        q: nonEmptyText.optional(),
        labelIds: z.union([nonEmptyText, z.array(nonEmptyText)]).optional(),
        includeSpamTrash: z.enum(['true', 'false']).optional(),
        pageToken: nonEmptyText.optional(),
      }),
      // "messages" is missing where nothing matches
      response: z.object({
        messages: z.array(z.object({ id: nonEmptyText, threadId: nonEmptyText })).optional(),
        nextPageToken: z.string().optional(),
        resultSizeEstimate: z.number().int().optional(),
      }),
    },
    'GET /users/me/messages/:id': {
      scopes: [scope('gmail.readonly'), scope('gmail.modify'), 'https://mail.google.com/'],
      query: strictObject({
        format: z.enum(['minimal', 'full', 'raw', 'metadata']).optional(),
        metadataHeaders: z.union([nonEmptyText, z.array(nonEmptyText)]).optional(),
      }),
      response: z.object({
        ...message,
        snippet: z.string().optional(),
        // milliseconds, as text
        internalDate: withExample(z.string().regex(/^\d+$/), '1763629200000').optional(),
        // absent for the format `minimal`; without bodies and parts for `metadata`
        payload: payload.optional(),
      }),
    },
    // https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages.attachments/get
    'GET /users/me/messages/:id/attachments/:attachmentId': {
      scopes: [scope('gmail.readonly'), scope('gmail.modify'), 'https://mail.google.com/'],
      response: z.object(body),
    },
    'POST /users/me/messages/send': {
      scopes: [
        scope('gmail.send'),
        scope('gmail.compose'),
        scope('gmail.modify'),
        'https://mail.google.com/',
      ],
      body: strictObject({
        raw: z.string().regex(/^[A-Za-z0-9_-]+={0,2}$/),
        threadId: nonEmptyText.optional(),
      }),
      response: z.object(message),
    },
  },
  ...googleErrors,
}
