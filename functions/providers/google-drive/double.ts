import { newId, type Double } from '../../../infra/local/doubles/providers/double.ts'
import { failure, googleUnauthorized, takePage } from '../../../infra/local/doubles/providers/google.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import type { Row } from '../../../infra/local/doubles/providers/store.ts'

interface DriveFile {
  id: string
  name: string
  mimeType: string
  content: string
  modifiedTime: string
}

const initialFiles = [
  { name: 'Quarterly report.txt', mimeType: 'text/plain', content: 'Revenue grew by eight percent.' },
  { name: 'Travel plan.md', mimeType: 'text/markdown', content: '# Lisbon\n\nThree days in May.' },
  { name: 'Contacts.csv', mimeType: 'text/csv', content: 'name,mail\nAnn,ann@example.org' },
].map((file, index) => ({
  ...file,
  id: `file-${index + 1}`,
  modifiedTime: new Date(Date.UTC(2026, 10, 19 - index, 8)).toISOString(),
}))

const listFiles = (rows: (kind: string) => Row[]) => rows('files') as unknown as DriveFile[]

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

/** List, get and multipart upload: the next list contains a created file. */
export const double: Double = {
  rows: { files: initialFiles },
  routes: {
    'GET /files': ({ query, rows }) => {
      const q = query.get('q') ?? ''
      if (/fullText/.test(q) && query.get('orderBy'))
        return failure(403, 'Sorting is not supported for queries with fullText terms.', 'forbidden')
      const found = findFiles(listFiles(rows), q)
      if (!found) return failure(400, 'Invalid Value', 'invalid')
      const { page, next } = takePage(found, query, 'pageSize', 1_000)
      const list = { kind: 'drive#fileList', incompleteSearch: false, ...next }
      return json(200, { ...list, files: page.map(viewFile) })
    },
    'GET /files/:id': ({ pathParams: [id], query, rows }) => {
      const file = listFiles(rows).find((one) => one.id === id)
      if (!file) return failure(404, `File not found: ${id}.`, 'notFound')
      return query.get('alt') === 'media'
        ? { status: 200, headers: { 'content-type': file.mimeType }, body: file.content }
        : json(200, viewFile(file))
    },
    'POST /upload/files': async ({ headers, rawBody, saveRow }) => {
      const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1]
      const [metadata = '{}', content = ''] = rawBody
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, ''))
      const { name = 'Untitled', mimeType = 'text/plain' } = JSON.parse(metadata) as Partial<DriveFile>
      const modifiedTime = new Date().toISOString()
      const file = { id: `file-${newId()}`, name, mimeType, content, modifiedTime }
      await saveRow('files', file)
      return json(200, viewFile(file))
    },
  },
  unauthorized: googleUnauthorized,
}
