import * as z from 'zod'
import { count, strict, text, time, type DocumentedRequests } from './documented-forms.ts'

const teams: DocumentedRequests = {
  // https://developers.asana.com/reference/gettasks
  asana: {
    'GET /workspaces': { query: strict({ limit: count(100), offset: text.optional() }) },
    'GET /tasks': {
      query: strict({
        assignee: text,
        workspace: text,
        completed_since: z.union([z.literal('now'), time]).optional(),
        limit: count(100),
        offset: text.optional(),
        opt_fields: text.optional(),
      }),
    },
    'POST /tasks': {
      query: strict({ opt_fields: text.optional() }),
      body: strict({
        data: strict({
          name: text,
          notes: z.string().optional(),
          due_on: z.iso.date().optional(),
          assignee: text.optional(),
          workspace: text,
        }),
      }),
    },
  },
}

const graphPage = { $top: count(1_000), $select: text.optional(), $skip: text.optional() }
const offices: DocumentedRequests = {
  // https://learn.microsoft.com/graph/api/overview
  'microsoft-graph': {
    'GET /me/mailFolders/inbox/messages': {
      query: strict({
        ...graphPage,
        $search: z
          .string()
          .regex(/^".*"$/)
          .optional(),
        $orderby: text.optional(),
      }),
    },
    'GET /me/calendarView': {
      query: strict({ ...graphPage, startDateTime: time, endDateTime: time, $orderby: text.optional() }),
    },
    'GET /me/drive/root/:children': { query: strict(graphPage) },
  },
  // https://developers.zoom.us/docs/api/meetings/
  zoom: {
    'GET /users/me/meetings': {
      query: strict({
        type: z.enum(['scheduled', 'live', 'upcoming', 'upcoming_meetings', 'previous_meetings']).optional(),
        page_size: count(300),
        next_page_token: text.optional(),
      }),
    },
    'POST /users/me/meetings': {
      body: strict({
        topic: text.max(200),
        type: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(8)]),
        start_time: z.string().optional(),
        duration: z.number().int().optional(),
        agenda: z.string().max(2_000).optional(),
      }),
    },
  },
}

/** Mail, calendars, files, messages and tasks. */
export const officeRequests: DocumentedRequests = { ...teams, ...offices }
