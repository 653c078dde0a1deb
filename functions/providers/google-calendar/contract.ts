import * as z from 'zod'
import {
  type Contract,
  optionalIntUpTo,
  flag,
  strictObject,
  nonEmptyText,
  time,
} from '../../../test/support/provider-contracts/contract.ts'
import {
  googleErrors,
  clientLibrary,
  scope,
  googleOAuth,
} from '../../../test/support/provider-contracts/google.ts'

// "date" for whole days, "dateTime" for others; the end is exclusive
const eventDateTime = z.union([strictObject({ date: z.iso.date() }), strictObject({ dateTime: time })])
const returnedEventDateTime = z.object({
  dateTime: time.optional(),
  date: z.iso.date().optional(),
  timeZone: z.string().optional(),
})
const event = z.object({
  id: nonEmptyText,
  summary: z.string().optional(),
  location: z.string().optional(),
  description: z.string().optional(),
  start: returnedEventDateTime,
  end: returnedEventDateTime,
  htmlLink: z.url().optional(),
  attendees: z.array(z.object({ email: z.email().optional() })).optional(),
})

/** https://developers.google.com/workspace/calendar/api/v3/reference/events */
export const contract: Contract = {
  sources: [clientLibrary('calendar', '20.0.1')],
  api: {
    version: 'v3',
    supportedUntil: null,
    source: 'https://developers.google.com/workspace/calendar/release-notes',
  },
  oauth: googleOAuth,
  operations: {
    'GET /calendars/primary/events': {
      scopes: ['calendar', 'calendar.readonly', 'calendar.events', 'calendar.events.readonly'].map(scope),
      query: strictObject({
        singleEvents: flag.optional(),
        orderBy: z.enum(['startTime', 'updated']).optional(),
        timeMin: time.optional(),
        timeMax: time.optional(),
        q: nonEmptyText.optional(),
        maxResults: optionalIntUpTo(2_500),
        pageToken: nonEmptyText.optional(),
      })
        .refine(
          ({ orderBy, singleEvents }) => orderBy !== 'startTime' || singleEvents === 'true',
          'orderBy=startTime requires singleEvents',
        )
        .refine(
          ({ timeMin, timeMax }) => !timeMin || !timeMax || Date.parse(timeMin) < Date.parse(timeMax),
          'timeMax must be greater than timeMin',
        ),
      response: z.object({ items: z.array(event).optional(), nextPageToken: z.string().optional() }),
    },
    'POST /calendars/primary/events': {
      scopes: ['calendar', 'calendar.events'].map(scope),
      body: strictObject({
        summary: nonEmptyText.optional(),
        start: eventDateTime,
        end: eventDateTime,
        location: nonEmptyText.optional(),
        description: z.string().optional(),
      }),
      response: event,
    },
  },
  ...googleErrors,
}
