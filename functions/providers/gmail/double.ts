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
  internalDate: number
  labelIds: string[]
}

const me = 'you@example.com'

const initialMails = [
  {
    from: 'Ann Lee <ann@example.org>',
    subject: 'Budget for March',
    text: 'The figures are ready. Can you look at them before Friday?',
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

function viewMail(mail: Mail, query: URLSearchParams): unknown {
  const { id, threadId, labelIds, text, internalDate } = mail
  const headers = [
    { name: 'From', value: mail.from },
    { name: 'To', value: mail.to },
    { name: 'Subject', value: mail.subject },
    { name: 'Date', value: new Date(internalDate).toUTCString() },
  ]
  const names = query.getAll('metadataHeaders').map((name) => name.toLowerCase())
  const isMetadataOnly = query.get('format') === 'metadata'
  return {
    id,
    threadId,
    labelIds,
    snippet: text.slice(0, 200).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    internalDate: String(internalDate),
    sizeEstimate: text.length,
    payload: {
      mimeType: 'text/plain',
      headers: headers.filter(({ name }) => names.length === 0 || names.includes(name.toLowerCase())),
      ...(!isMetadataOnly && {
        body: { size: text.length, data: Buffer.from(text).toString('base64url') },
      }),
    },
  }
}

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
      return mail
        ? json(200, viewMail(mail, query))
        : failure(404, 'Requested entity was not found.', 'notFound')
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
