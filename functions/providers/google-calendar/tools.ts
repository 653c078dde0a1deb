import { sayCapability } from '#shared/sentences/capabilities.ts'
import { ToolError } from '../../platform/tool-error.ts'
import * as z from 'zod'
import { capability, type Capability } from '../capability.ts'
import { cleanText } from '../../platform/untrusted-text.ts'
import {
  addDays,
  dateOrDateTime,
  endOfPeriod,
  findLastDay,
  isDateOnly,
  limit,
  linkField,
  longText,
  optionalField,
  searchTerm,
  shortText,
  singleLine,
  startOfPeriod,
} from '../schemas.ts'

const eventsPath = '/calendars/primary/events'
/** Google's EventDateTime: an all-day event has a date instead of a time. */
const eventDateTime = z.object({ dateTime: z.string().optional(), date: z.string().optional() })
const event = z
  .object({
    id: z.string(),
    summary: z.string().default('(no title)'),
    location: optionalField,
    description: z.string().default(''),
    start: eventDateTime,
    end: eventDateTime,
    htmlLink: linkField,
    attendees: z.array(z.object({ email: optionalField })).default([]),
  })
  .transform((one) => ({
    title: shortText(one.summary),
    start: one.start.dateTime ?? one.start.date,
    end: one.end.dateTime ?? (one.end.date ? findLastDay(one.start.date, one.end.date) : undefined),
    location: one.location,
    description: cleanText(one.description, 300),
    attendees: one.attendees.slice(0, 20).map(({ email }) => email),
    link: one.htmlLink,
    id: one.id,
  }))
const eventPage = z.object({ items: z.array(event).default([]), nextPageToken: z.string().optional() })

const hourMs = 3_600_000
const addHour = (time: string) => new Date(Date.parse(time) + hourMs).toISOString()

export const tools: readonly Capability[] = [
  capability({
    id: 'list_events',
    name: 'List events',
    description: 'Lists events (appointments, meetings) of Google Calendar in chronological order.',
    parameters: z.object({
      query: searchTerm('the events'),
      from: dateOrDateTime('start of the requested period; now by default').optional(),
      until: dateOrDateTime('end of the requested period; a date includes that day').optional(),
      limit: limit('events'),
    }),
    examples: ['What is in my calendar this week?'],
    async run(api, { query, from, until, limit: maxRows }) {
      const { items, nextPageToken } = await api.get(eventPage, eventsPath, {
        // required to expand recurring events and to order by time
        singleEvents: true,
        orderBy: 'startTime',
        timeMin: startOfPeriod(from ?? new Date().toISOString()),
        timeMax: until === undefined ? undefined : endOfPeriod(until),
        q: query || undefined,
        maxResults: maxRows,
      })
      return { events: items, more: nextPageToken !== undefined }
    },
  }),
  capability({
    id: 'create_event',
    name: 'Create an event',
    description: 'Creates an event (appointment, meeting) in Google Calendar.',
    parameters: z.object({
      title: singleLine('title of the event'),
      startTime: dateOrDateTime('start; a date alone makes an all-day event'),
      endTime: dateOrDateTime(
        'end, for all-day events the last day; by default an hour after the start, or the same day',
      ).optional(),
      location: singleLine('where it is').optional(),
      description: longText('more about it', 8_000).optional(),
    }),
    examples: ['Put lunch with Ann on 2026-12-01T12:00:00Z in my calendar'],
    writes: true,
    async run(api, { title, startTime, endTime, location, description }) {
      const isAllDay = isDateOnly(startTime)
      if (
        endTime !== undefined &&
        (isDateOnly(endTime) !== isAllDay ||
          Date.parse(endTime) < Date.parse(startTime) ||
          (!isAllDay && Date.parse(endTime) === Date.parse(startTime)))
      )
        throw new ToolError(sayCapability('event_times.order'))
      const end = isAllDay ? addDays(endTime ?? startTime, 1) : (endTime ?? addHour(startTime))
      const toEventDateTime = (time: string) => (isAllDay ? { date: time } : { dateTime: time })
      const json = {
        summary: title,
        start: toEventDateTime(startTime),
        end: toEventDateTime(end),
        location,
        description,
      }
      return { created: true, event: await api.post(event, eventsPath, { json }) }
    },
  }),
]
