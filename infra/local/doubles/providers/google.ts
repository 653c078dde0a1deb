import { randomBytes } from 'node:crypto'
import PostalMime from 'postal-mime'
import { paginate, type Routes } from './calls.ts'
import demoData from './demo-data.json' with { type: 'json' }
import { type ProviderResponse, json } from './http.ts'
import type { DriveFile, Mail, ProviderStore } from './store.ts'

const me = 'you@example.com'
const newId = (kind: string) => `${kind}-${randomBytes(6).toString('hex')}`
const failure = (code: number, message: string, reason: string) =>
  json(code, { error: { code, message, errors: [{ domain: 'global', reason, message }] } })

export const initialMails = (): Mail[] =>
  demoData.mails.map((mail, index) => ({
    ...mail,
    id: `mail-${index + 1}`,
    threadId: `mail-${index + 1}`,
    to: me,
    internalDate: Date.UTC(2026, 10, 19 - index, 9),
  }))

export const initialFiles = (): DriveFile[] =>
  demoData.files.map((file, index) => ({
    ...file,
    id: `file-${index + 1}`,
    modifiedTime: new Date(Date.UTC(2026, 10, 19 - index, 8)).toISOString(),
  }))

/** The page of a list that a query asks for, in the form of Google's lists. */
function takePage<One>(found: readonly One[], query: URLSearchParams, sizeName: string, most: number) {
  const size = Math.min(most, Number(query.get(sizeName) ?? 100) || 100)
  const { page, next } = paginate(found, size, query.get('pageToken'))
  return { page, next: next !== undefined && { nextPageToken: next } }
}

/** The part of Gmail's search language that a chat uses: from:, to:, subject:, is:unread, in:sent, and words. */
function matchesMail(mail: Mail, query: string): boolean {
  const parts = query.match(/(?:\w+:)?(?:"[^"]*"|\S+)/g) ?? []
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
async function parseMail(raw: string): Promise<Mail> {
  const { to = [], subject = '', text = '' } = await PostalMime.parse(Buffer.from(raw, 'base64url'))
  const id = newId('sent')
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

/** Gmail's list, get and send over one mailbox: the next list contains a sent mail. */
export const gmail = (store: ProviderStore): Routes => ({
  'GET /users/me/messages': ({ query }) => {
    const found = store.state.mails
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
  'GET /users/me/messages/:id': ({ pathParams: [id], query }) => {
    const mail = store.state.mails.find((one) => one.id === id)
    return mail
      ? json(200, viewMail(mail, query))
      : failure(404, 'Requested entity was not found.', 'notFound')
  },
  'POST /users/me/messages/send': async ({ body }) => {
    const mail = await parseMail(String(body['raw']))
    if (!mail.to.includes('@')) return failure(400, 'Recipient address required', 'invalidArgument')
    store.state.mails.push(mail)
    await store.save()
    const { id, threadId, labelIds } = mail
    return json(200, { id, threadId, labelIds })
  },
})

const term = /(name|fullText) contains '((?:[^'\\]|\\.)*)'/g

/** The files that a query in Drive's language finds; undefined for one that is not in it. */
function findFiles(files: DriveFile[], q: string): DriveFile[] | undefined {
  const terms = [...q.matchAll(term)].map(([, field, raw = '']) => ({
    field,
    value: raw.replace(/\\(.)/g, '$1').toLowerCase(),
  }))
  const unknown = q
    .replace(term, '')
    .replace(/trashed\s*=\s*false|mimeType\s*=\s*'[^']*'|\band\b|\bor\b|[()\s]/g, '')
  if (unknown !== '') return undefined
  const type = /mimeType\s*=\s*'([^']*)'/.exec(q)?.[1]
  const matches = ({ name, content }: DriveFile, { field, value }: (typeof terms)[number]) =>
    field === 'name'
      ? ` ${name.toLowerCase()}`.includes(` ${value}`)
      : `${name} ${content}`.toLowerCase().includes(value)
  return files
    .filter(({ mimeType }) => type === undefined || mimeType === type)
    .filter((file) => terms.length === 0 || terms.some((one) => matches(file, one)))
    .toSorted((a, b) => b.modifiedTime.localeCompare(a.modifiedTime))
}

const viewFile = ({ id, name, mimeType, content, modifiedTime }: DriveFile) => ({
  id,
  name,
  mimeType,
  modifiedTime,
  size: String(Buffer.byteLength(content)),
  webViewLink: `https://drive.google.com/file/d/${id}/view`,
  owners: [{ displayName: 'You' }],
  trashed: false,
})

/** Drive's list, get and multipart upload: the next list contains a created file. */
export const drive = (store: ProviderStore): Routes => ({
  'GET /files': ({ query }): ProviderResponse => {
    const q = query.get('q') ?? ''
    if (/fullText/.test(q) && query.get('orderBy'))
      return failure(403, 'Sorting is not supported for queries with fullText terms.', 'forbidden')
    const found = findFiles(store.state.files, q)
    if (!found) return failure(400, 'Invalid Value', 'invalid')
    const { page, next } = takePage(found, query, 'pageSize', 1_000)
    const list = { kind: 'drive#fileList', incompleteSearch: false, ...next }
    return json(200, { ...list, files: page.map(viewFile) })
  },
  'GET /files/:id': ({ pathParams: [id], query }) => {
    const file = store.state.files.find((one) => one.id === id)
    if (!file) return failure(404, `File not found: ${id}.`, 'notFound')
    return query.get('alt') === 'media'
      ? { status: 200, headers: { 'content-type': file.mimeType }, body: file.content }
      : json(200, viewFile(file))
  },
  'POST /upload/files': async ({ headers, rawBody }) => {
    const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1]
    const [metadata = '{}', content = ''] = rawBody
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, ''))
    const { name = 'Untitled', mimeType = 'text/plain' } = JSON.parse(metadata) as Partial<DriveFile>
    const file = { id: newId('file'), name, mimeType, content, modifiedTime: new Date().toISOString() }
    store.state.files.push(file)
    await store.save()
    return json(200, viewFile(file))
  },
})
