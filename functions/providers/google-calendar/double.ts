import {
  getStart,
  mentions,
  newId,
  ok,
  paginate,
  type Double,
} from '../../../infra/local/doubles/providers/double.ts'
import { googleUnauthorized } from '../../../infra/local/doubles/providers/google.ts'
import type { Row } from '../../../infra/local/doubles/providers/store.ts'

export const double: Double = {
  rows: {
    events: [
      {
        id: 'ev1',
        summary: 'Dentist',
        start: { dateTime: 'soon 1 9' },
        end: { dateTime: 'soon 1 10' },
        location: 'Main Street 1',
        htmlLink: 'https://www.google.com/calendar/event?eid=ev1',
      },
      {
        id: 'ev2',
        summary: 'Team offsite',
        start: { date: 'soon 3' },
        end: { date: 'soon 4' },
        htmlLink: 'https://www.google.com/calendar/event?eid=ev2',
      },
    ],
  },
  routes: {
    'GET /calendars/primary/events': ({ query, rows }) => {
      const from = Date.parse(query.get('timeMin') ?? '1970-01-01')
      const until = Date.parse(query.get('timeMax') ?? '9999-01-01')
      const startMs = (event: Row) => Date.parse(getStart(event))
      const found = rows('events')
        .filter((event) => startMs(event) >= from && startMs(event) < until)
        .filter((event) => mentions(event, query.get('q') ?? ''))
        .toSorted((a, b) => startMs(a) - startMs(b))
      const { page, next } = paginate(found, query.get('maxResults') ?? 250, query.get('pageToken'))
      return ok({
        kind: 'calendar#events',
        items: page,
        ...(next !== undefined && { nextPageToken: next }),
      })
    },
    'POST /calendars/primary/events': async ({ body, saveRow }) => {
      const id = newId()
      const htmlLink = `https://www.google.com/calendar/event?eid=${id}`
      return ok(await saveRow('events', { ...body, id, status: 'confirmed', htmlLink }))
    },
  },
  unauthorized: googleUnauthorized,
}
