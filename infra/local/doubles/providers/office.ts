import { json } from './http.ts'
import { type Routes, mentions, newId, newNumericId, paginate, record, soon, text } from './calls.ts'
import type { Row } from './store.ts'

const googleError = (message: string, reason: string) =>
  json(400, { error: { code: 400, message, errors: [{ domain: 'global', reason, message }] } })
const initialEvents = (): Row[] => [
  {
    id: 'ev1',
    summary: 'Dentist',
    start: { dateTime: soon(1, 9) },
    end: { dateTime: soon(1, 10) },
    location: 'Main Street 1',
    htmlLink: 'https://www.google.com/calendar/event?eid=ev1',
  },
  {
    id: 'ev2',
    summary: 'Team offsite',
    start: { date: soon(3, 0).slice(0, 10) },
    end: { date: soon(4, 0).slice(0, 10) },
    htmlLink: 'https://www.google.com/calendar/event?eid=ev2',
  },
]
/** The time, or the day, that an event's `start` or `end` names. */
const getTime = (value: unknown) => text(record(value)['dateTime'] ?? record(value)['date'])
const getStart = (event: Row) => getTime(event['start'])

const googleCalendar: Routes = {
  'GET /calendars/primary/events': ({ query, rows }) => {
    if (query.get('orderBy') === 'startTime' && query.get('singleEvents') !== 'true')
      return googleError(
        'The requested ordering is not available for the particular query.',
        'orderByNotSupported',
      )
    const from = Date.parse(query.get('timeMin') ?? '1970-01-01')
    const until = Date.parse(query.get('timeMax') ?? '9999-01-01')
    const found = rows('events', initialEvents())
      .filter(
        (event) =>
          Date.parse(getStart(event)) >= from &&
          Date.parse(getStart(event)) < until &&
          mentions(event, query.get('q') ?? ''),
      )
      .toSorted((a, b) => Date.parse(getStart(a)) - Date.parse(getStart(b)))
    const { page, next } = paginate(found, {
      limit: query.get('maxResults') ?? 250,
      start: Number(query.get('pageToken') ?? 0),
    })
    return json(200, {
      kind: 'calendar#events',
      items: page,
      ...(next !== undefined && { nextPageToken: String(next) }),
    })
  },
  'POST /calendars/primary/events': async ({ body, saveRow }) => {
    if (getStart(body) === '' || getTime(body['end']) === '')
      return googleError('Missing end time.', 'required')
    const id = newId()
    return json(
      200,
      await saveRow('events', {
        ...body,
        id,
        status: 'confirmed',
        htmlLink: `https://www.google.com/calendar/event?eid=${id}`,
      }),
    )
  },
}

const mails: Row[] = [
  {
    id: 'AAMk1',
    subject: 'Contract draft',
    from: { emailAddress: { name: 'Ann Lee', address: 'ann@example.org' } },
    receivedDateTime: '2026-11-19T08:30:00Z',
    bodyPreview: 'Please have a look at the second page.',
    isRead: false,
  },
  {
    id: 'AAMk2',
    subject: 'Canteen menu',
    from: { emailAddress: { name: 'Canteen', address: 'canteen@example.org' } },
    receivedDateTime: '2026-11-18T08:30:00Z',
    bodyPreview: 'Soup.',
    isRead: true,
  },
]
const graphEvents = (): Row[] => [
  {
    id: 'AAEv1',
    subject: 'Budget meeting',
    start: { dateTime: soon(2, 13).replace('Z', '0000'), timeZone: 'UTC' },
    end: { dateTime: soon(2, 14).replace('Z', '0000'), timeZone: 'UTC' },
    location: { displayName: 'Room 2' },
    webLink: 'https://outlook.office365.com/owa/?itemid=AAEv1',
  },
]
const driveItems: Row[] = [
  {
    id: '01A',
    name: 'Budget 2027.xlsx',
    size: 18_200,
    lastModifiedDateTime: '2026-11-11T07:00:00Z',
    webUrl: 'https://example.sharepoint.com/Budget.xlsx',
    file: {},
  },
  {
    id: '01B',
    name: 'Photos',
    lastModifiedDateTime: '2026-10-01T07:00:00Z',
    webUrl: 'https://example.sharepoint.com/Photos',
    folder: { childCount: 3 },
  },
]
const odata = (rows: Row[], query: URLSearchParams) => {
  const { page, next } = paginate(rows, {
    limit: query.get('$top') ?? 10,
    start: Number(query.get('$skip') ?? 0),
  })
  return json(200, {
    value: page,
    ...(next !== undefined && { '@odata.nextLink': `https://graph.microsoft.com/v1.0/me?$skip=${next}` }),
  })
}
const microsoftGraph: Routes = {
  'GET /me/mailFolders/inbox/messages': ({ query }) => {
    const search = query.get('$search')
    if (search !== null && query.has('$orderby'))
      return json(400, {
        error: {
          code: 'SearchWithOrderBy',
          message: "The query parameter '$orderBy' is not supported with '$search'.",
        },
      })
    return odata(
      mails.filter((mail) => mentions(mail, (search ?? '').replaceAll('"', ''))),
      query,
    )
  },
  'GET /me/calendarView': ({ query }) => {
    const [from, until] = ['startDateTime', 'endDateTime'].map((name) => query.get(name))
    if (!from || !until)
      return json(400, {
        error: {
          code: 'ErrorInvalidRequest',
          message:
            'This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.',
        },
      })
    return odata(
      graphEvents().filter((event) => getStart(event) >= from && getStart(event) < until),
      query,
    )
  },
  'GET /me/drive/root/children': ({ query }) => odata(driveItems, query),
  'GET /me/drive/root/:search': ({ pathParams: [segment = ''], query }) =>
    odata(
      driveItems.filter(({ name }) => mentions(name, /^search\(q='(.*)'\)$/.exec(segment)?.[1] ?? '')),
      query,
    ),
}

const initialMeetings = (): Row[] => [
  {
    id: 86_000_000_001,
    uuid: 'u1',
    topic: 'Weekly sync',
    type: 2,
    start_time: soon(1, 10).replace('.000', ''),
    duration: 30,
    timezone: 'UTC',
    join_url: 'https://zoom.us/j/86000000001',
  },
]
const zoom: Routes = {
  'GET /users/me/meetings': ({ query, rows }) => {
    const all = rows('meetings', initialMeetings())
    const { page, next } = paginate(all, {
      limit: query.get('page_size') ?? 30,
      start: Number(query.get('next_page_token') || 0),
    })
    return json(200, {
      page_size: page.length,
      total_records: all.length,
      next_page_token: next === undefined ? '' : String(next),
      meetings: page,
    })
  },
  'POST /users/me/meetings': async ({ body, saveRow }) => {
    if (body['type'] === 2 && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?$/.test(text(body['start_time'])))
      return json(400, {
        code: 300,
        message: 'Validation Failed.',
        errors: [{ field: 'start_time', message: 'Invalid field.' }],
      })
    const id = 86_000_000_000 + Number(newNumericId().slice(-9))
    return json(
      201,
      await saveRow('meetings', {
        ...body,
        id,
        uuid: newId(),
        timezone: 'UTC',
        join_url: `https://zoom.us/j/${id}`,
      }),
    )
  },
}

/** Providers for calendars, mail and meetings. */
export const officeRoutes: Readonly<Record<string, Routes>> = {
  'google-calendar': googleCalendar,
  'microsoft-graph': microsoftGraph,
  zoom,
}
