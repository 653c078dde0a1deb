import * as z from 'zod'
import { count, flag, strict, text, time, type DocumentedRequests } from './documented-forms.ts'

const google: DocumentedRequests = {
  // https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages
  gmail: {
    'GET /users/me/messages': {
      query: strict({ maxResults: count(500), q: text.optional(), pageToken: text.optional() }),
    },
    'GET /users/me/messages/:id': {
      query: strict({
        format: z.enum(['minimal', 'full', 'raw', 'metadata']).optional(),
        metadataHeaders: z.union([text, z.array(text)]).optional(),
      }),
    },
    'POST /users/me/messages/send': { body: strict({ raw: text, threadId: text.optional() }) },
  },
  // https://developers.google.com/workspace/drive/api/reference/rest/v3/files
  'google-drive': {
    'GET /files': {
      query: strict({
        pageSize: count(1_000),
        q: text.optional(),
        orderBy: text.optional(),
        fields: text.optional(),
        spaces: z.enum(['drive', 'appDataFolder']).optional(),
        pageToken: text.optional(),
      }),
    },
    'GET /files/:id': { query: strict({ fields: text.optional() }) },
    'POST /upload/files': {
      query: strict({ uploadType: z.enum(['media', 'multipart', 'resumable']), fields: text.optional() }),
      type: /^multipart\/related; boundary=\S+$/,
    },
  },
  // https://developers.google.com/workspace/calendar/api/v3/reference/events
  'google-calendar': {
    'GET /calendars/primary/events': {
      query: strict({
        singleEvents: flag.optional(),
        orderBy: z.enum(['startTime', 'updated']).optional(),
        timeMin: time.optional(),
        timeMax: time.optional(),
        q: text.optional(),
        maxResults: count(2_500),
        pageToken: text.optional(),
      }),
    },
    'POST /calendars/primary/events': {
      body: strict({
        summary: text,
        start: z.union([strict({ date: z.iso.date() }), strict({ dateTime: time })]),
        end: z.union([strict({ date: z.iso.date() }), strict({ dateTime: time })]),
        location: text.optional(),
        description: z.string().optional(),
      }),
    },
  },
}

// the version header is required: https://developers.notion.com/reference/versioning
const notionHeaders = z.looseObject({ 'notion-version': z.iso.date() })
// at most 100 blocks of 2,000 characters: https://developers.notion.com/reference/request-limits
const paragraph = strict({
  object: z.literal('block'),
  type: z.literal('paragraph'),
  paragraph: strict({
    rich_text: z.array(
      strict({
        type: z.literal('text'),
        text: strict({ content: text.max(2_000).refine((content) => content.isWellFormed()) }),
      }),
    ),
  }),
})

const teams: DocumentedRequests = {
  notion: {
    'GET /users/me': { headers: notionHeaders },
    'POST /search': {
      headers: notionHeaders,
      body: strict({
        query: z.string().optional(),
        filter: strict({ property: z.literal('object'), value: z.enum(['page', 'database']) }).optional(),
        sort: strict({
          timestamp: z.literal('last_edited_time'),
          direction: z.enum(['ascending', 'descending']),
        }).optional(),
        page_size: z.number().int().min(1).max(100).optional(),
        start_cursor: text.optional(),
      }),
    },
    'GET /blocks/:id/children': {
      headers: notionHeaders,
      query: strict({ page_size: count(100), start_cursor: text.optional() }),
    },
    'POST /pages': {
      headers: notionHeaders,
      body: strict({
        parent: strict({ page_id: text }),
        properties: strict({
          title: strict({ title: z.array(strict({ text: strict({ content: text }) })) }),
        }),
        children: z.array(paragraph).max(100).optional(),
      }),
    },
  },
  // https://developer.atlassian.com/cloud/trello/rest/
  trello: {
    'GET /members/me/boards': { query: strict({ filter: text.optional(), fields: text.optional() }) },
    'GET /boards/:id/lists': { query: strict({ filter: text.optional(), fields: text.optional() }) },
    'GET /boards/:id/cards': { query: strict({ filter: text.optional(), fields: text.optional() }) },
    'POST /cards': {
      body: strict({
        idList: text,
        name: z.string().max(16_384).optional(),
        desc: z.string().max(16_384).optional(),
        pos: z.union([z.enum(['top', 'bottom']), z.number().positive()]).optional(),
      }),
    },
  },
}

/** Mail, calendars, files, messages and notes. */
export const officeRequests: DocumentedRequests = { ...google, ...teams }
