import { randomBytes } from 'node:crypto'
import { type ProviderResponse, type ProviderRequest, json } from './http.ts'
import type { DriveFile, ProviderStore } from './store.ts'

const maxUploadBytes = 5 * 1024 * 1024

export function initialFiles(): DriveFile[] {
  const file = (index: number, name: string, mimeType: string, content: string): DriveFile => ({
    id: `file-${index}`,
    name,
    mimeType,
    content,
    modifiedTime: new Date(Date.UTC(2026, 10, 20 - index, 8)).toISOString(),
  })
  return [
    file(1, 'Quarterly report.txt', 'text/plain', 'Revenue grew by eight percent.'),
    file(2, 'Travel plan.md', 'text/markdown', '# Lisbon\n\nThree days in May.'),
    file(3, 'Contacts.csv', 'text/csv', 'name,mail\nAnn,ann@example.org'),
  ]
}

/** Drive's list and multipart upload: the next list contains a created file. */
export async function respondAsDrive(
  store: ProviderStore,
  request: ProviderRequest,
): Promise<ProviderResponse> {
  if (request.method === 'GET' && request.path === '/files') return list(store.state.files, request.query)
  if (request.method === 'POST' && request.path === '/upload/files') return create(store, request)
  const id =
    request.method === 'GET' && request.path.startsWith('/files/') && request.path.slice('/files/'.length)
  const file = store.state.files.find((one) => one.id === id)
  return file ? json(200, view(file)) : failure(404, `File not found: ${String(id)}.`, 'notFound')
}

const term = /(name|fullText) contains '((?:[^'\\]|\\.)*)'/g

function list(files: DriveFile[], query: URLSearchParams): ProviderResponse {
  const q = query.get('q') ?? ''
  if (/fullText/.test(q) && query.get('orderBy'))
    return failure(403, 'Sorting is not supported for queries with fullText terms.', 'forbidden')
  const terms = [...q.matchAll(term)].map(([, field, raw = '']) => ({
    field,
    value: raw.replace(/\\(.)/g, '$1').toLowerCase(),
  }))
  const unknown = q
    .replace(term, '')
    .replace(/trashed\s*=\s*false|mimeType\s*=\s*'[^']*'|\band\b|\bor\b|[()\s]/g, '')
  if (unknown !== '') return failure(400, 'Invalid Value', 'invalid')
  const pageSize = Math.min(1_000, Math.max(1, Number(query.get('pageSize') ?? 100) || 100))
  const start = Number(query.get('pageToken') ?? 0) || 0
  const type = /mimeType\s*=\s*'([^']*)'/.exec(q)?.[1]
  const found = files
    .filter(({ mimeType }) => type === undefined || mimeType === type)
    .filter(
      ({ name, content }) =>
        terms.length === 0 ||
        terms.some(({ field, value }) =>
          field === 'name'
            ? name
                .toLowerCase()
                .split(/\s+/)
                .some((word) => word.startsWith(value)) || name.toLowerCase().startsWith(value)
            : `${name} ${content}`.toLowerCase().includes(value),
        ),
    )
    .toSorted((a, b) => b.modifiedTime.localeCompare(a.modifiedTime))
  return json(200, {
    kind: 'drive#fileList',
    incompleteSearch: false,
    ...(start + pageSize < found.length && { nextPageToken: String(start + pageSize) }),
    files: found.slice(start, start + pageSize).map(view),
  })
}

async function create(
  store: ProviderStore,
  { query, headers, body }: ProviderRequest,
): Promise<ProviderResponse> {
  if (query.get('uploadType') !== 'multipart') return failure(400, 'Bad Request', 'badRequest')
  if (Buffer.byteLength(body) > maxUploadBytes) return failure(413, 'Request Too Large', 'uploadTooLarge')
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1]
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).slice(1, -1)
  const [metadata, media] = parts.map((part) => {
    const [head = '', ...rest] = part.replace(/^\r\n/, '').split('\r\n\r\n')
    return {
      type: /content-type:\s*([^\r\n;]+)/i.exec(head)?.[1],
      text: rest.join('\r\n\r\n').replace(/\r\n$/, ''),
    }
  })
  const fileMetadata = parseMetadata(metadata?.text)
  if (!fileMetadata || !media) return failure(400, 'Malformed multipart body.', 'badContent')
  const file: DriveFile = {
    id: `file-${randomBytes(6).toString('hex')}`,
    name: fileMetadata.name ?? 'Untitled',
    mimeType: fileMetadata.mimeType ?? media.type ?? 'text/plain',
    content: media.text,
    modifiedTime: new Date().toISOString(),
  }
  store.state.files.push(file)
  await store.save()
  return json(200, view(file))
}

function parseMetadata(text: string | undefined): { name?: string; mimeType?: string } | undefined {
  try {
    return JSON.parse(text ?? '') as { name?: string; mimeType?: string }
  } catch {
    return undefined
  }
}

const view = ({ id, name, mimeType, content, modifiedTime }: DriveFile) => ({
  id,
  name,
  mimeType,
  modifiedTime,
  size: String(Buffer.byteLength(content)),
  webViewLink: `https://drive.google.com/file/d/${id}/view`,
  owners: [{ displayName: 'You' }],
  trashed: false,
})

const failure = (code: number, message: string, reason: string) =>
  json(code, { error: { code, message, errors: [{ domain: 'global', reason, message }] } })
