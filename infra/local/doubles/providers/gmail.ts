import { randomBytes } from 'node:crypto'
import { type ProviderResponse, type ProviderRequest, json } from './http.ts'
import type { Mail, ProviderStore } from './store.ts'

const me = 'you@example.com'

/** The initial mailbox. */
export function initialMails(): Mail[] {
  const mail = (index: number, from: string, subject: string, text: string, unread: boolean): Mail => ({
    id: `mail-${index}`,
    threadId: `mail-${index}`,
    from,
    to: me,
    subject,
    text,
    internalDate: Date.UTC(2026, 10, 20 - index, 9),
    labelIds: ['INBOX', ...(unread ? ['UNREAD'] : [])],
  })
  return [
    mail(
      1,
      'Ann Lee <ann@example.org>',
      'Budget for March',
      'The figures are ready. Can you look at them before Friday?',
      true,
    ),
    mail(
      2,
      'Ben Ito <ben@example.org>',
      'Lunch on Tuesday',
      'Shall we meet at noon at the usual place?',
      false,
    ),
    mail(
      3,
      'Shop <orders@example.net>',
      'Your order has shipped',
      'Parcel 4711 is on its way and arrives tomorrow.',
      true,
    ),
  ]
}

const prefix = '/users/me/messages'

/** Gmail's list, get and send over one mailbox: the next list contains a sent mail. */
export async function respondAsGmail(
  store: ProviderStore,
  request: ProviderRequest,
): Promise<ProviderResponse> {
  const { mails } = store.state
  if (request.method === 'GET' && request.path === prefix) return list(mails, request.query)
  if (request.method === 'POST' && request.path === `${prefix}/send`) return send(store, request.body)
  const id =
    request.method === 'GET' && request.path.startsWith(`${prefix}/`) && request.path.slice(prefix.length + 1)
  const mail = mails.find((one) => one.id === id)
  return mail
    ? json(200, view(mail, request.query))
    : failure(404, 'Requested entity was not found.', 'NOT_FOUND', 'notFound')
}

function list(mails: Mail[], query: URLSearchParams): ProviderResponse {
  const pageSize = Math.min(500, Math.max(1, Number(query.get('maxResults') ?? 100) || 100))
  const start = Number(query.get('pageToken') ?? 0) || 0
  const found = mails
    .filter((mail) => matches(mail, query.get('q') ?? ''))
    .filter((mail) => query.getAll('labelIds').every((label) => mail.labelIds.includes(label)))
    .toSorted((a, b) => b.internalDate - a.internalDate)
  const page = found.slice(start, start + pageSize)
  return json(200, {
    // missing, not empty, when nothing matches
    ...(page.length > 0 && { messages: page.map(({ id, threadId }) => ({ id, threadId })) }),
    ...(start + pageSize < found.length && { nextPageToken: String(start + pageSize) }),
    resultSizeEstimate: found.length,
  })
}

/** The part of the search language that a chat uses: from:, to:, subject:, is:unread, in:sent, and words. */
function matches(mail: Mail, query: string): boolean {
  const parts = query.match(/(?:\w+:)?(?:"[^"]*"|\S+)/g) ?? []
  return parts.every((part) => {
    const [, name, raw = ''] = /^(\w+):(.*)$/.exec(part) ?? [undefined, undefined, part]
    const value = raw.replaceAll('"', '').toLowerCase()
    const has = (text: string) => text.toLowerCase().includes(value)
    if (name === 'from') return has(mail.from)
    if (name === 'to') return has(mail.to)
    if (name === 'subject') return has(mail.subject)
    if (name === 'is')
      return value === 'unread' ? mail.labelIds.includes('UNREAD') : !mail.labelIds.includes('UNREAD')
    if (name === 'in') return mail.labelIds.some((label) => label.toLowerCase() === value)
    return name !== undefined || [mail.from, mail.to, mail.subject, mail.text].some(has)
  })
}

function view(mail: Mail, query: URLSearchParams): unknown {
  const headers = [
    { name: 'From', value: mail.from },
    { name: 'To', value: mail.to },
    { name: 'Subject', value: mail.subject },
    { name: 'Date', value: new Date(mail.internalDate).toUTCString() },
  ]
  const headerNames = query.getAll('metadataHeaders').map((name) => name.toLowerCase())
  const isMetadataOnly = query.get('format') === 'metadata'
  return {
    id: mail.id,
    threadId: mail.threadId,
    labelIds: mail.labelIds,
    snippet: mail.text.slice(0, 200).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    internalDate: String(mail.internalDate),
    sizeEstimate: mail.text.length,
    payload: {
      mimeType: 'text/plain',
      headers:
        isMetadataOnly && headerNames.length > 0
          ? headers.filter(({ name }) => headerNames.includes(name.toLowerCase()))
          : headers,
      ...(!isMetadataOnly && {
        body: { size: mail.text.length, data: Buffer.from(mail.text).toString('base64url') },
      }),
    },
  }
}

async function send(store: ProviderStore, body: string): Promise<ProviderResponse> {
  const raw = decodeRaw(body)
  if (raw === undefined || !/^[A-Za-z0-9_-]+={0,2}$/.test(raw))
    return failure(
      400,
      "'raw' RFC822 payload message string or uploading message via /upload/* URL required",
      'INVALID_ARGUMENT',
      'invalidArgument',
    )
  const message = Buffer.from(raw, 'base64url').toString('utf8')
  const [head = '', ...rest] = message.split('\r\n\r\n')
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line): [string, string] => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  )
  const to = headers.get('to') ?? ''
  if (!to.includes('@'))
    return failure(400, 'Recipient address required', 'INVALID_ARGUMENT', 'invalidArgument')
  const text = rest.join('\r\n\r\n')
  const isBase64 = headers.get('content-transfer-encoding')?.toLowerCase() === 'base64'
  const id = `sent-${randomBytes(6).toString('hex')}`
  const labelIds = ['SENT']
  store.state.mails.push({
    id,
    threadId: id,
    from: me,
    to,
    subject: decodeWords(headers.get('subject') ?? ''),
    text: isBase64 ? Buffer.from(text, 'base64').toString('utf8') : text,
    internalDate: Date.now(),
    labelIds,
  })
  await store.save()
  return json(200, { id, threadId: id, labelIds })
}

function decodeRaw(body: string): string | undefined {
  try {
    const { raw } = JSON.parse(body) as { raw?: unknown }
    return typeof raw === 'string' ? raw : undefined
  } catch {
    return undefined
  }
}

const decodeWords = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?b\?([^?]*)\?=/gi, (_, word: string) => Buffer.from(word, 'base64').toString('utf8'))

const failure = (code: number, message: string, status: string, reason: string) =>
  json(code, { error: { code, message, status, errors: [{ domain: 'global', reason, message }] } })
