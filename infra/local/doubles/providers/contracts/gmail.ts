import * as z from 'zod'
import { type Contract, count, example, strict, text } from './contract.ts'
import { googleErrors, library, scope } from './google.ts'

const message = {
  id: text,
  threadId: z.string().optional(),
  labelIds: z.array(z.string()).optional(),
}

/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages */
export const gmail: Contract = {
  sources: [library('gmail', '22.0.1')],
  api: {
    version: 'v1',
    supportedUntil: null,
    source: 'https://developers.google.com/workspace/gmail/release-notes',
  },
  unverified: ['that Google keeps a connection of an app in production'],
  operations: {
    'GET /users/me/messages': {
      scopes: [scope('gmail.readonly'), scope('gmail.modify'), 'https://mail.google.com/'],
      query: strict({
        maxResults: count(500),
        q: text.optional(),
        labelIds: z.union([text, z.array(text)]).optional(),
        includeSpamTrash: z.enum(['true', 'false']).optional(),
        pageToken: text.optional(),
      }),
      // "messages" is missing where nothing matches
      response: z.object({
        messages: z.array(z.object({ id: text, threadId: text })).optional(),
        nextPageToken: z.string().optional(),
        resultSizeEstimate: z.number().int().optional(),
      }),
    },
    'GET /users/me/messages/:id': {
      scopes: [scope('gmail.readonly'), scope('gmail.modify'), 'https://mail.google.com/'],
      query: strict({
        format: z.enum(['minimal', 'full', 'raw', 'metadata']).optional(),
        metadataHeaders: z.union([text, z.array(text)]).optional(),
      }),
      response: z.object({
        ...message,
        snippet: z.string().optional(),
        // milliseconds, as text
        internalDate: example(z.string().regex(/^\d+$/), '1763629200000').optional(),
        payload: z
          .object({ headers: z.array(z.object({ name: z.string(), value: z.string() })).optional() })
          .optional(),
      }),
    },
    'POST /users/me/messages/send': {
      scopes: [
        scope('gmail.send'),
        scope('gmail.compose'),
        scope('gmail.modify'),
        'https://mail.google.com/',
      ],
      body: strict({ raw: z.string().regex(/^[A-Za-z0-9_-]+={0,2}$/), threadId: text.optional() }),
      response: z.object(message),
    },
  },
  ...googleErrors,
}
