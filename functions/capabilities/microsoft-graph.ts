import * as z from 'zod'
import { capability, type Capability } from './capability.ts'
import { cleanText, httpsLink } from '../platform/untrusted-text.ts'
import { dateOrDateTime, endOfPeriod, limit, shortText, searchTerm } from './schemas.ts'

const pageSchema = <Row extends z.ZodType>(row: Row) =>
  z.object({ value: z.array(row), '@odata.nextLink': z.string().optional() })
const person = z.object({
  emailAddress: z.object({ name: z.string().nullish(), address: z.string().nullish() }).nullish(),
})
const formatPerson = ({ emailAddress }: z.output<typeof person>) => {
  const { name, address } = emailAddress ?? {}
  return name && address ? `${name} <${address}>` : (address ?? name ?? '')
}
const mail = z.object({
  id: z.string(),
  subject: z.string().nullable().default(null),
  from: person.nullish(),
  receivedDateTime: z.string().nullish(),
  bodyPreview: z.string().nullish(),
  isRead: z.boolean().nullish(),
})
const dateTimeTimeZone = z.object({ dateTime: z.string(), timeZone: z.string() })
const event = z.object({
  id: z.string(),
  subject: z.string().nullable().default(null),
  start: dateTimeTimeZone.nullish(),
  end: dateTimeTimeZone.nullish(),
  location: z.object({ displayName: z.string().nullish() }).nullish(),
  webLink: z.string().nullish(),
})
const file = z.object({
  id: z.string(),
  name: z.string().nullish(),
  size: z.number().nullish(),
  lastModifiedDateTime: z.string().nullish(),
  webUrl: z.string().nullish(),
  folder: z.object({}).nullish(),
})

const weekMs = 7 * 86_400_000
/** Times have no zone; they are in the requested one. */
const utc = { prefer: 'outlook.timezone="UTC"' }
const toIsoTime = (time: z.output<typeof dateTimeTimeZone> | null | undefined) =>
  time ? `${time.dateTime.replace(/\.\d+$/, '')}Z` : undefined

/** Read-only, because the requested scopes are. */
export const microsoftGraph: readonly Capability[] = [
  capability({
    id: 'list_emails',
    name: 'Read e-mails',
    description:
      'Lists recent e-mails (emails, mails) of the Outlook inbox in Microsoft 365, newest first, or those that a search finds in it.',
    parameters: z.object({ query: searchTerm('the mails'), limit: limit('e-mails', 10, 50) }),
    examples: ['Show my recent Outlook mails'],
    async run(api, { query, limit: maxRows }, signal) {
      const found = pageSchema(mail).parse(
        await api.call(
          '/me/mailFolders/inbox/messages',
          {
            query: {
              $top: maxRows,
              $select: 'id,subject,from,receivedDateTime,bodyPreview,isRead',
              // a search has its own order, which cannot be changed
              ...(query
                ? { $search: `"${query.replace(/["\\]/g, ' ')}"` }
                : { $orderby: 'receivedDateTime desc' }),
            },
          },
          signal,
        ),
      )
      return {
        emails: found.value.map(({ id, subject, from, receivedDateTime, bodyPreview, isRead }) => ({
          from: from ? shortText(formatPerson(from)) : '',
          subject: shortText(subject) || '(no subject)',
          date: receivedDateTime,
          snippet: cleanText(bodyPreview ?? '', 300),
          unread: isRead === false,
          id,
        })),
        more: found['@odata.nextLink'] !== undefined,
      }
    },
  }),
  capability({
    id: 'list_events',
    name: 'List events',
    description:
      'Lists the events (appointments, meetings) of the Outlook calendar in Microsoft 365, of the next seven days by default.',
    parameters: z.object({
      from: dateOrDateTime('start of the requested period').optional(),
      until: dateOrDateTime('end of the requested period; a date includes that day').optional(),
      limit: limit('events'),
    }),
    examples: ['What is in my Outlook calendar?'],
    async run(api, { from, until, limit: maxRows }, signal) {
      const begin = new Date(from ?? Date.now())
      const end = new Date(until === undefined ? begin.getTime() + weekMs : endOfPeriod(until))
      const query = {
        startDateTime: begin.toISOString(),
        endDateTime: end.toISOString(),
        $top: maxRows,
        $orderby: 'start/dateTime',
        $select: 'id,subject,start,end,location,webLink',
      }
      const found = pageSchema(event).parse(
        await api.call('/me/calendarView', { query, headers: utc }, signal),
      )
      return {
        events: found.value.map((one) => ({
          title: shortText(one.subject),
          start: toIsoTime(one.start),
          end: toIsoTime(one.end),
          location: shortText(one.location?.displayName),
          link: httpsLink(one.webLink),
          id: one.id,
        })),
        more: found['@odata.nextLink'] !== undefined,
      }
    },
  }),
  capability({
    id: 'list_files',
    name: 'List files',
    description: 'Lists the files and folders of OneDrive in Microsoft 365, or those that a search finds.',
    parameters: z.object({ query: searchTerm('the files'), limit: limit('files') }),
    examples: ['Which files are in my OneDrive?'],
    async run(api, { query, limit: maxRows }, signal) {
      const path = query
        ? `/me/drive/root/search(q='${encodeURIComponent(query.replace(/'/g, "''"))}')`
        : '/me/drive/root/children'
      const select = { $top: maxRows, $select: 'id,name,size,lastModifiedDateTime,webUrl,folder' }
      const found = pageSchema(file).parse(await api.call(path, { query: select }, signal))
      return {
        files: found.value.map(({ id, name, size, lastModifiedDateTime, webUrl, folder }) => ({
          name: shortText(name),
          kind: folder ? 'folder' : 'file',
          size,
          modified: lastModifiedDateTime,
          link: httpsLink(webUrl),
          id,
        })),
        more: found['@odata.nextLink'] !== undefined,
      }
    },
  }),
]
