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
import { json } from '../../../infra/local/doubles/providers/http.ts'
import type { Row } from '../../../infra/local/doubles/providers/store.ts'

/** The fields that a request selects, and the id, which is always there. */
function selectFields(row: Row, query: URLSearchParams): Row {
  const names = query.get('$select')?.split(',')
  return names
    ? Object.fromEntries(Object.entries(row).filter(([name]) => name === 'id' || names.includes(name)))
    : row
}
/** A mail. Attachments are a relation: only a request that expands them has them, with the content of files unless it selects fields. */
function viewMail({ attachments, ...mail }: Row, query: URLSearchParams): Row {
  const own = selectFields(mail, query)
  const [isExpanded, selected] = /^attachments(?:\(\$select=(.*)\))?$/.exec(query.get('$expand') ?? '') ?? []
  if (isExpanded === undefined || !Array.isArray(attachments)) return own
  const inner = new URLSearchParams(selected === undefined ? {} : { $select: selected })
  // the kind is there because the fields are those of all kinds
  const view = (one: Row) => ({ '@odata.type': one['@odata.type'], ...selectFields(one, inner) })
  return { ...own, attachments: attachments.map((one) => view(record(one))) }
}
const odataError = (status: number, code: string, message: string) =>
  json(status, { error: { code, message } })

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
        body: {
          contentType: 'html',
          content:
            '<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head><body><p>Please have a look at the second page.</p><p>The notice period is three months there; we had agreed on six. Everything else is as in <a href="https://example.org/contracts/12">the last version</a>.</p><p>Ann</p><img src="cid:logo"></body></html>',
        },
        attachments: [
          {
            '@odata.type': '#microsoft.graph.fileAttachment',
            id: 'AAMkA1',
            name: 'contract.pdf',
            contentType: 'application/pdf',
            size: 18_423,
            isInline: false,
            contentId: null,
            contentBytes: 'JVBERg==',
          },
          {
            '@odata.type': '#microsoft.graph.fileAttachment',
            id: 'AAMkA2',
            name: 'logo.png',
            contentType: 'image/png',
            size: 2_318,
            isInline: true,
            contentId: 'logo',
            contentBytes: 'iVBORw==',
          },
        ],
      },
      {
        id: 'AAMk2',
        subject: 'Canteen menu',
        from: { emailAddress: { name: 'Canteen', address: 'canteen@example.org' } },
        receivedDateTime: '2026-11-18T08:30:00Z',
        bodyPreview: 'Soup.',
        isRead: true,
        body: { contentType: 'text', content: 'Soup.\r\n' },
        attachments: [],
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
        rows('mails')
          .filter((mail) => mentions(mail, words))
          .map((mail) => viewMail(mail, query)),
        query,
      )
    },
    'GET /me/messages/:id': ({ pathParams: [id = ''], query, rows }) => {
      const mail = rows('mails').find((one) => one['id'] === id)
      if (mail) return ok(viewMail(mail, query))
      // microsoftgraph/msgraph-sdk-dotnet#1775, gaiin-platform/amplify-genai-backend#380
      return /^[\w+/=-]+$/.test(id)
        ? odataError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.')
        : odataError(400, 'ErrorInvalidIdMalformed', 'Id is malformed.')
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
