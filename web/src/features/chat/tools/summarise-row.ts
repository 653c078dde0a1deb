import { formatDate } from '../../../lib/text/dates.ts'
import { formatValue } from '../calls/tool-summary.ts'

/** One row of a tool's result as a readable line. */
export interface RowSummary {
  title: string
  text: string
  /** an amount or a date */
  meta: string
  /** an https URL from the provider; untrusted, so it is only shown as a link */
  link: string | undefined
  isUnread: boolean
}

/** The fields by which e-mails, files, contacts and deals are recognised, the better ones first. */
const linkFields = ['link', 'webViewLink', 'url']
const titleFields = ['subject', 'name', 'title', 'dealname', 'summary', 'full_name', 'label', 'email']
const personFields = ['from', 'sender', 'author', 'owner', 'email', 'company']
const textFields = [
  'snippet',
  'description',
  'text',
  'body',
  'message',
  'dealstage',
  'stage',
  'status',
  'phone',
  'mimeType',
]
const metaFields = [
  'amount',
  'date',
  'modified',
  'updated_at',
  'created_at',
  'closedate',
  'createdate',
  'lastmodifieddate',
]

const isId = (name: string) => /^(id|_id|uuid|threadId)$|_id$|Id$/.test(name)
const dateTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}.*)?$/

/** Summarises a row of a result. E-mails, files, contacts and deals are recognised by their field names; of other rows the first values are taken. */
export function summariseRow(row: unknown): RowSummary {
  if (typeof row !== 'object' || row === null) return { ...emptySummary, title: formatValue(row) }
  const fields = new Map(
    Object.entries(row).filter(
      ([name, value]) =>
        ((typeof value === 'string' && value !== '') || typeof value === 'number') && !isId(name),
    ),
  )
  const pickFirst = (names: readonly string[]) => {
    const fieldName = names.find((name) => fields.has(name))
    if (fieldName === undefined) return ''
    const value: unknown = fields.get(fieldName)
    fields.delete(fieldName)
    return formatField(value)
  }
  const link = linkFields
    .map((name): unknown => fields.get(name))
    .find((value): value is string => typeof value === 'string' && value.startsWith('https://'))
  // no text, also where it is no link that can be shown
  for (const name of linkFields) fields.delete(name)
  const fullName = [pickFirst(['firstname', 'first_name']), pickFirst(['lastname', 'last_name'])]
    .filter(Boolean)
    .join(' ')
  const title = fullName || pickFirst(titleFields) || pickFirst([...fields.keys()])
  const meta = pickFirst(metaFields)
  const text =
    [pickFirst(personFields), pickFirst(textFields)].filter(Boolean).join(' · ') ||
    pickFirst([...fields.keys()])
  return {
    title: title || JSON.stringify(row),
    text,
    meta,
    link,
    isUnread: 'unread' in row && row.unread === true,
  }
}

const emptySummary: RowSummary = { title: '', text: '', meta: '', link: undefined, isUnread: false }

/** Formats dates and times of ISO 8601 as a date in the user's time zone; of other values, see `formatValue`. */
function formatField(value: unknown): string {
  const text = formatValue(value)
  // a date without time is the same day in every time zone
  const timestamp = dateTime.test(text) ? Date.parse(text.includes('T') ? text : `${text}T00:00`) : Number.NaN
  return Number.isNaN(timestamp) ? text : formatDate(timestamp)
}
