import { shortDate } from '../../../lib/dates.ts'
import { shortValue } from './tool-summary.ts'

/** A row of a result as a line that one can read: what it is, what is said of it, and when or how much. */
export interface RowParts {
  title: string
  text: string
  aside: string
  /** an address of the provider's; only ever a link that one clicks */
  link: string | undefined
  /** not read yet, as far as the row tells */
  strong: boolean
}

const titles = ['subject', 'name', 'title', 'dealname', 'summary', 'full_name', 'label', 'email']
const people = ['from', 'sender', 'author', 'owner', 'email', 'company']
const texts = [
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
const asides = [
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

/** Reads e-mails, files, contacts, deals and what looks like them by the names of their fields; of other rows their first values. */
export function rowParts(row: unknown): RowParts {
  if (typeof row !== 'object' || row === null) return { ...nothing, title: shortValue(row) }
  const plain = new Map(
    Object.entries(row).filter(
      ([name, value]) =>
        ((typeof value === 'string' && value !== '') || typeof value === 'number') && !isId(name),
    ),
  )
  const take = (names: readonly string[]) => {
    const found = names.find((name) => plain.has(name))
    if (found === undefined) return ''
    const value: unknown = plain.get(found)
    plain.delete(found)
    return readableValue(value)
  }
  const link = plain.get('link') ?? plain.get('webViewLink') ?? plain.get('url')
  for (const name of ['link', 'webViewLink', 'url']) plain.delete(name)
  const fullName = [take(['firstname', 'first_name']), take(['lastname', 'last_name'])]
    .filter(Boolean)
    .join(' ')
  const title = fullName || take(titles) || take([...plain.keys()])
  const aside = take(asides)
  const text = [take(people), take(texts)].filter(Boolean).join(' · ') || take([...plain.keys()])
  return {
    title: title || JSON.stringify(row),
    text,
    aside,
    link: typeof link === 'string' && link.startsWith('https://') ? link : undefined,
    strong: 'unread' in row && row.unread === true,
  }
}

const nothing: RowParts = { title: '', text: '', aside: '', link: undefined, strong: false }

/** A point in time as its day, everything else as it is. */
function readableValue(value: unknown): string {
  const text = shortValue(value)
  // a day alone is that day wherever the reader is
  const at = dateTime.test(text) ? Date.parse(text.includes('T') ? text : `${text}T00:00`) : Number.NaN
  return Number.isNaN(at) ? text : shortDate(at)
}
