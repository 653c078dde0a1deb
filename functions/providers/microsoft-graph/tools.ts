import * as z from 'zod'
import { formatRecipients } from '#shared/mail-recipients.ts'
import { capability, type Capability } from '../capability.ts'
import { cleanText, htmlToText } from '../../platform/untrusted-text.ts'
import { mailId, toAttachment, toWholeMail } from '../mail-text.ts'
import {
  dateOrDateTime,
  endOfPeriod,
  findLastDay,
  isDateOnly,
  limit,
  linkField,
  optionalField,
  shortText,
  searchTerm,
} from '../schemas.ts'

const page = <Row extends z.ZodType>(row: Row) =>
  z
    .object({ value: z.array(row), '@odata.nextLink': z.string().optional() })
    .transform(({ value, '@odata.nextLink': next }) => ({ rows: value, more: next !== undefined }))
const person = z
  .object({
    emailAddress: z.object({ name: z.string().nullish(), address: z.string().nullish() }).nullish(),
  })
  .nullish()
  .transform((one) => {
    const { name, address } = one?.emailAddress ?? {}
    // as it is written for a recipient: a name may have a comma
    return shortText(name && address ? formatRecipients([{ name, address }]) : (address ?? name))
  })
const mailFields = z.object({
  id: z.string(),
  subject: optionalField,
  from: person,
  receivedDateTime: z.string().nullish(),
  bodyPreview: z.string().nullish(),
  isRead: z.boolean().nullish(),
})
const toRow = ({
  id,
  subject,
  from,
  receivedDateTime,
  bodyPreview,
  isRead,
}: z.output<typeof mailFields>) => ({
  from,
  subject: subject || '(no subject)',
  date: receivedDateTime,
  snippet: cleanText(bodyPreview, 300),
  unread: isRead === false,
  id,
})
const mail = mailFields.transform(toRow)
const attachment = z.object({
  '@odata.type': z.string().nullish(),
  name: z.string().nullish(),
  // null for a mail, an event or a contact
  contentType: z.string().nullish(),
  size: z.number().nullish(),
  isInline: z.boolean().nullish(),
})
const isEmbedded = ({ isInline, contentType }: z.output<typeof attachment>) =>
  isInline === true && contentType?.toLowerCase().startsWith('image/') === true
/** That of a link to a file is the size of the link. */
const getSize = ({ '@odata.type': type, size }: z.output<typeof attachment>) =>
  type?.endsWith('referenceAttachment') ? undefined : (size ?? undefined)
const wholeMail = mailFields
  .extend({
    body: z.object({ contentType: z.string().nullish(), content: z.string().nullish() }).nullish(),
    attachments: z.array(attachment).nullish(),
  })
  .transform(({ body, attachments, ...fields }) => {
    const content = body?.content ?? ''
    const files = attachments ?? []
    return {
      ...toRow(fields),
      ...toWholeMail({
        text:
          body?.contentType?.toLowerCase() === 'text' ? content : htmlToText(content, { withLinks: true }),
        isPart: false,
        attachments: files
          .filter((one) => !isEmbedded(one))
          .map((one) => toAttachment(one.name, one.contentType, getSize(one))),
        embeddedImages: files.filter(isEmbedded).length,
      }),
    }
  })
const dateTimeTimeZone = z.object({ dateTime: z.string(), timeZone: z.string().nullish() }).nullish()
type Moment = z.output<typeof dateTimeTimeZone>

/** A time, which is in the requested zone unless it names another one. */
function formatTime(moment: Moment): string | undefined {
  if (!moment) return undefined
  const { dateTime, timeZone } = moment
  const time = dateTime.replace(/\.\d+$/, '')
  return !timeZone || timeZone === 'UTC' ? `${time}Z` : `${time} (${shortText(timeZone)})`
}

/** The beginning and the end of an event. One of whole days is from midnight to midnight in every zone: it has dates, and no times. */
function formatPeriod(start: Moment, end: Moment, isAllDay: boolean) {
  const [first, dayAfter] = [start, end].map((moment) => moment?.dateTime.slice(0, 10))
  if (!isAllDay || !first || !dayAfter || !isDateOnly(first) || !isDateOnly(dayAfter))
    return { start: formatTime(start), end: formatTime(end) }
  return { start: first, end: findLastDay(first, dayAfter) }
}
const event = z
  .object({
    id: z.string(),
    subject: optionalField,
    isAllDay: z.boolean().nullish(),
    start: dateTimeTimeZone,
    end: dateTimeTimeZone,
    location: z.object({ displayName: optionalField }).nullish(),
    webLink: linkField,
  })
  .transform(({ id, subject, isAllDay, start, end, location, webLink }) => ({
    id,
    ...formatPeriod(start, end, isAllDay === true),
    title: subject,
    location: location?.displayName ?? '',
    link: webLink,
  }))
const file = z
  .object({
    id: z.string(),
    name: optionalField,
    size: z.number().nullish(),
    lastModifiedDateTime: z.string().nullish(),
    webUrl: linkField,
    folder: z.object({}).nullish(),
  })
  .transform(({ lastModifiedDateTime, webUrl, folder, ...rest }) => ({
    ...rest,
    kind: folder ? 'folder' : 'file',
    modified: lastModifiedDateTime,
    link: webUrl,
  }))

const mailSelect = 'id,subject,from,receivedDateTime,bodyPreview,isRead'
/** Without their content, and with fields that all kinds of attachments have: others are refused. */
const attachmentsExpand = 'attachments($select=name,contentType,size,isInline)'

const weekMs = 7 * 86_400_000
const utc = { prefer: 'outlook.timezone="UTC"' }

/** Read-only, because the requested scopes are. */
export const tools: readonly Capability[] = [
  capability({
    id: 'list_emails',
    name: 'Read e-mails',
    description:
      'Lists recent e-mails (emails, mails) of the Outlook inbox in Microsoft 365, newest first, or those that a search finds in it, each with a snippet, which is only the beginning of its text. With id, reads that one e-mail whole: its text and the list of its attachments.',
    parameters: z.object({ id: mailId, query: searchTerm('the mails'), limit: limit('e-mails', 10, 50) }),
    examples: ['Show my recent Outlook mails', 'Summarize the last Outlook mail of Ann'],
    async run(api, { id: wanted, query, limit: maxRows }) {
      if (wanted) {
        const select = { $select: `${mailSelect},body`, $expand: attachmentsExpand }
        return {
          emails: [await api.get(wholeMail, `/me/messages/${encodeURIComponent(wanted)}`, select)],
          more: false,
        }
      }
      const { rows, more } = await api.get(page(mail), '/me/mailFolders/inbox/messages', {
        $top: maxRows,
        $select: mailSelect,
        // a search has its own order, which cannot be changed
        ...(query ? { $search: `"${query.replace(/["\\]/g, ' ')}"` } : { $orderby: 'receivedDateTime desc' }),
      })
      return { emails: rows, more }
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
    async run(api, { from, until, limit: maxRows }) {
      const begin = new Date(from ?? Date.now())
      const end = new Date(until === undefined ? begin.getTime() + weekMs : endOfPeriod(until))
      const query = {
        startDateTime: begin.toISOString(),
        endDateTime: end.toISOString(),
        $top: maxRows,
        $orderby: 'start/dateTime',
        $select: 'id,subject,isAllDay,start,end,location,webLink',
      }
      const { rows, more } = await api.get(page(event), '/me/calendarView', query, { headers: utc })
      return { events: rows, more }
    },
  }),
  capability({
    id: 'list_files',
    name: 'List files',
    description: 'Lists the files and folders of OneDrive in Microsoft 365, or those that a search finds.',
    parameters: z.object({ query: searchTerm('the files'), limit: limit('files') }),
    examples: ['Which files are in my OneDrive?'],
    async run(api, { query, limit: maxRows }) {
      const path = query
        ? `/me/drive/root/search(q='${encodeURIComponent(query.replace(/'/g, "''"))}')`
        : '/me/drive/root/children'
      const select = { $top: maxRows, $select: 'id,name,size,lastModifiedDateTime,webUrl,folder' }
      const { rows, more } = await api.get(page(file), path, select)
      return { files: rows, more }
    },
  }),
]
