import {
  getStart,
  invalidToken,
  mentions,
  ok,
  paginate,
  record,
  text,
  type Double,
} from '../../../infra/local/doubles/providers/double.ts'
import type { Row } from '../../../infra/local/doubles/providers/store.ts'

const odata = (rows: Row[], query: URLSearchParams) => {
  const { page, next } = paginate(rows, query.get('$top') ?? 10, query.get('$skip'))
  const link = `https://graph.microsoft.com/v1.0/me?$skip=${next}`
  return ok({ value: page, ...(next !== undefined && { '@odata.nextLink': link }) })
}

export const double: Double = {
  rows: {
    mails: [
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
    ],
    events: [
      {
        id: 'AAEv1',
        subject: 'Budget meeting',
        start: { dateTime: 'soon 2 13', timeZone: 'UTC' },
        end: { dateTime: 'soon 2 14', timeZone: 'UTC' },
        location: { displayName: 'Room 2' },
        webLink: 'https://outlook.office365.com/owa/?itemid=AAEv1',
      },
    ],
    files: [
      {
        id: '01A',
        name: 'Budget 2027.xlsx',
        size: 18200,
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
    ],
  },
  routes: {
    'GET /me/mailFolders/inbox/messages': ({ query, rows }) => {
      const words = (query.get('$search') ?? '').replaceAll('"', '')
      return odata(
        rows('mails').filter((mail) => mentions(mail, words)),
        query,
      )
    },
    'GET /me/calendarView': ({ query, rows }) => {
      const from = query.get('startDateTime') ?? ''
      const until = query.get('endDateTime') ?? ''
      // times without a zone, with seven digits after the second
      const events = rows('events').map((event) => ({
        ...event,
        ...Object.fromEntries(
          ['start', 'end'].map((name) => {
            const time = record(event[name])
            return [name, { ...time, dateTime: text(time['dateTime']).replace('Z', '0000') }]
          }),
        ),
      }))
      return odata(
        events.filter((event: Row) => getStart(event) >= from && getStart(event) < until),
        query,
      )
    },
    'GET /me/drive/root/children': ({ query, rows }) => odata(rows('files'), query),
    'GET /me/drive/root/:search': ({ pathParams: [segment = ''], query, rows }) => {
      const words = /^search\(q='(.*)'\)$/.exec(segment)?.[1] ?? ''
      return odata(
        rows('files').filter(({ name }) => mentions(name, words)),
        query,
      )
    },
  },
  unauthorized: invalidToken({
    error: {
      code: 'InvalidAuthenticationToken',
      message: 'Lifetime validation failed, the token is expired.',
    },
  }),
}
