import PostalMime from 'postal-mime'
import { newId, type Double } from '../../../infra/local/doubles/providers/double.ts'
import { failure, googleUnauthorized, takePage } from '../../../infra/local/doubles/providers/google.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import type { Row } from '../../../infra/local/doubles/providers/store.ts'

interface Mail {
  id: string
  threadId: string
  from: string
  to: string
  subject: string
  text: string
  /** the same text with marks */
  html?: string
  attachments?: { filename: string; mimeType: string; data: string }[]
  internalDate: number
  labelIds: string[]
}

const me = 'you@example.com'

const initialMails = [
  {
    from: 'Ann Lee <ann@example.org>',
    subject: 'Budget for March',
    text: [
      'The figures are ready. Can you look at them before Friday?',
      'Revenue is 4 % over plan. Travel is over plan too, by 2,300 €, because of the two trips to Rome. I would like to pay for the second one from the budget of April.',
      'The table is attached.',
      'Ann',
    ].join('\n\n'),
    html: '<html><head><style>p { margin: 0 }</style></head><body><p>The figures are ready. Can you look at them before Friday?</p><p>Revenue is <b>4 %</b> over plan. Travel is over plan too, by 2,300&nbsp;&euro;, because of the two trips to Rome. I would like to pay for the second one from the budget of April.</p><p>The table is attached.</p><p>Ann</p></body></html>',
    attachments: [
      { filename: 'budget-march.csv', mimeType: 'text/csv', data: 'area;plan;actual\nTravel;4000;6300\n' },
    ],
    labelIds: ['INBOX', 'UNREAD'],
  },
  {
    from: 'Ben Ito <ben@example.org>',
    subject: 'Lunch on Tuesday',
    text: 'Shall we meet at noon at the usual place?',
    labelIds: ['INBOX'],
  },
  {
    from: 'Shop <orders@example.net>',
    subject: 'Your order has shipped',
    text: 'Parcel 4711 is on its way and arrives tomorrow.',
    labelIds: ['INBOX', 'UNREAD'],
  },
].map((mail, index) => ({
  ...mail,
  id: `mail-${index + 1}`,
  threadId: `mail-${index + 1}`,
  to: me,
  internalDate: Date.UTC(2026, 10, 19 - index, 9),
}))

const listMails = (rows: (kind: string) => Row[]) => rows('mails') as unknown as Mail[]

/** The part of Gmail's search language that a chat uses: from:, to:, subject:, is:unread, in:sent, and words. */
function matchesMail(mail: Mail, query: string): boolean {
  const parts = query.match(/(?:\w{1,20}:)?(?:"[^"]{0,200}"|\S{1,200})/g) ?? []
  return parts.every((part) => {
    const [, name, raw = ''] = /^(\w+):(.*)$/.exec(part) ?? [undefined, undefined, part]
    const value = raw.replaceAll('"', '').toLowerCase()
    const has = (text: string) => text.toLowerCase().includes(value)
    if (name === 'from' || name === 'to' || name === 'subject') return has(mail[name])
    if (name === 'is') return mail.labelIds.includes('UNREAD') === (value === 'unread')
    if (name === 'in') return mail.labelIds.some((label) => label.toLowerCase() === value)
    return name !== undefined || [mail.from, mail.to, mail.subject, mail.text].some(has)
  })
}

const encode = (text: string) => ({
  size: Buffer.byteLength(text),
  data: Buffer.from(text).toString('base64url'),
})
type Headers = { name: string; value: string }[]
const textPart = (partId: string, mimeType: string, text: string, headers: Headers = []) => ({
  partId,
  mimeType,
  filename: '',
  headers: [{ name: 'Content-Type', value: `${mimeType}; charset="UTF-8"` }, ...headers],
  body: encode(text),
})

/** The parts of a mail as programs send them: both forms of its text beside each other, and files beside those. */
function viewPayload({ text, html, attachments = [] }: Mail, headers: Headers) {
  const form = (partId: string, own: Headers = []) =>
    html === undefined
      ? textPart(partId, 'text/plain', text, own)
      : {
          partId,
          mimeType: 'multipart/alternative',
          filename: '',
          headers: own,
          body: { size: 0 },
          parts: [
            textPart([partId, '0'].filter(Boolean).join('.'), 'text/plain', text),
            textPart([partId, '1'].filter(Boolean).join('.'), 'text/html', html),
          ],
        }
  if (attachments.length === 0) return form('', headers)
  const files = attachments.map(({ filename, mimeType, data }, index) => ({
    partId: String(index + 1),
    mimeType,
    filename,
    headers: [{ name: 'Content-Disposition', value: `attachment; filename="${filename}"` }],
    // files are stored apart, whatever their size
    body: { attachmentId: `file-${index + 1}`, size: Buffer.byteLength(data) },
  }))
  return {
    partId: '',
    mimeType: 'multipart/mixed',
    filename: '',
    headers,
    body: { size: 0 },
    parts: [form('0'), ...files],
  }
}

/** Gmail's is shorter than this, on one line, and ends without a mark. */
const snippetCharacters = 200

/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/Format */
function viewMail(mail: Mail, query: URLSearchParams): unknown {
  const { id, threadId, labelIds, text, internalDate } = mail
  const headers = [
    { name: 'From', value: mail.from },
    { name: 'To', value: mail.to },
    { name: 'Subject', value: mail.subject },
    { name: 'Date', value: new Date(internalDate).toUTCString() },
  ]
  const format = query.get('format') ?? 'full'
  const names = query.getAll('metadataHeaders').map((name) => name.toLowerCase())
  const payload = viewPayload(mail, headers)
  const beginning = text.replace(/\s+/g, ' ').slice(0, snippetCharacters).trim()
  return {
    id,
    threadId,
    labelIds,
    snippet: beginning.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    internalDate: String(internalDate),
    sizeEstimate: text.length,
    ...(format === 'full' && { payload }),
    ...(format === 'metadata' && {
      payload: {
        mimeType: payload.mimeType,
        // the names are read for this format alone
        headers: headers.filter(({ name }) => names.length === 0 || names.includes(name.toLowerCase())),
      },
    }),
  }
}

/**
 * The response for an id that no message has. Gmail looks for those that are hexadecimal numbers in its range only (measured:
 * brekkylab/backlot#39).
 */
const refuseId = (id = '') =>
  /^[0-9a-f]{1,15}$|^[0-7][0-9a-f]{15}$/i.test(id)
    ? failure(404, 'Requested entity was not found.', 'notFound')
    : failure(400, 'Invalid id value', 'invalidArgument')

/** The mail that a message in Gmail's `raw` form is. */
async function parseMail(raw: string) {
  const { to = [], subject = '', text = '' } = await PostalMime.parse(Buffer.from(raw, 'base64url'))
  const id = `sent-${newId()}`
  return {
    id,
    threadId: id,
    from: me,
    to: to.map(({ address }) => address).join(', '),
    subject,
    // it ends a text with a line break
    text: text.trimEnd(),
    internalDate: Date.now(),
    labelIds: ['SENT'],
  }
}

/** One mailbox: the next list contains a sent mail. */
export const double: Double = {
  rows: { mails: initialMails },
  routes: {
    'GET /users/me/messages': ({ query, rows }) => {
      const found = listMails(rows)
        .filter((mail) => matchesMail(mail, query.get('q') ?? ''))
        .filter((mail) => query.getAll('labelIds').every((label) => mail.labelIds.includes(label)))
        .toSorted((a, b) => b.internalDate - a.internalDate)
      const { page, next } = takePage(found, query, 'maxResults', 500)
      return json(200, {
        // missing, not empty, when nothing matches
        ...(page.length > 0 && { messages: page.map(({ id, threadId }) => ({ id, threadId })) }),
        ...next,
        resultSizeEstimate: found.length,
      })
    },
    'GET /users/me/messages/:id': ({ pathParams: [id], query, rows }) => {
      const mail = listMails(rows).find((one) => one.id === id)
      return mail ? json(200, viewMail(mail, query)) : refuseId(id)
    },
    'GET /users/me/messages/:id/attachments/:attachmentId': ({ pathParams: [id, attachmentId], rows }) => {
      const mail = listMails(rows).find((one) => one.id === id)
      if (!mail) return refuseId(id)
      const file = mail.attachments?.find((_, index) => attachmentId === `file-${index + 1}`)
      return file ? json(200, encode(file.data)) : failure(400, 'Invalid attachment token', 'invalidArgument')
    },
    'POST /users/me/messages/send': async ({ body, saveRow }) => {
      const mail = await parseMail(String(body['raw']))
      if (!mail.to.includes('@')) return failure(400, 'Recipient address required', 'invalidArgument')
      await saveRow('mails', mail)
      const { id, threadId, labelIds } = mail
      return json(200, { id, threadId, labelIds })
    },
  },
  unauthorized: googleUnauthorized,
}
