import { getExtension, getStoredType } from '#shared/file-kinds.ts'
import { maxCsvRows } from '#shared/limits.ts'
import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { maxCsvBytes } from '../../documents/tables/query-limits.ts'
import { deleteFile, saveRowOrDelete } from '../../files/delete-files.ts'
import {
  originalKey,
  queryResultPrefix,
  toLinkedAttachment,
  versionKey,
  type ReadingFileDeps,
} from '../../files/file-links.ts'
import { sanitizeFileName } from '../../files/file-name.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { finishFile } from '../../files/finish-file.ts'
import { wait } from '../../platform/clock.ts'
import { waitLimitsMs } from '../../platform/wait-limits.ts'
import { putObject, presignUpload } from '../../platform/s3/object-writer.ts'
import { ToolError } from '../../platform/tool-error.ts'
import type { Cell, Sheet } from '../made-files/sheet.ts'
import type { FileRequest, FileToolInput } from './create-file-tool.ts'

// Loaded with the first file; what writes a kind, with the first of its kind.

const megabyte = 1024 * 1024
const maxBytes = 10 * megabyte
/** In a temporary chat a file is sent inside the reply's events, and stored nowhere. */
const maxInlineBytes = megabyte
const formSeconds = 300

const texts = ['md', 'txt', 'csv', 'json', 'ics', 'html']
const kinds = [...texts, 'docx', 'pdf', 'pptx', 'xlsx']

const tooLarge = (bytes = maxBytes) =>
  new ToolError(sayOwnTool('made_file.too_large', { megabytes: bytes / megabyte }))
const tooManyRows = () => new ToolError(sayOwnTool('made_file.too_many_rows', { rows: maxCsvRows }))

interface Made {
  bytes: Uint8Array
  rows?: number
}
/** What a statement that failed says. */
interface Failed {
  failed: object
}

/** Makes a file of the conversation, or a version of one. @throws ToolError, StorageFull, ObjectStoreUnavailable, DocumentsUnavailable */
export async function createFile(
  deps: ReadingFileDeps,
  input: FileToolInput,
  request: FileRequest,
  signal: AbortSignal,
) {
  const name = sanitizeFileName(request.name)
  const kind = getExtension(name)
  if (!kinds.includes(kind)) throw new ToolError(sayOwnTool('made_file.kind', { kinds }))
  const made = await (kind === 'xlsx'
    ? makeWorkbook(deps, input, request, signal)
    : makeText(kind, request.content))
  if ('failed' in made) return made.failed
  const { bytes, rows } = made
  if (bytes.length > maxBytes) throw tooLarge()
  signal.throwIfAborted()
  const { id, size, version } = await store(deps, input, name, bytes)
  return {
    file: { id, name, size, version },
    ...(rows !== undefined && { rows }),
  }
}

/** The lines of a CSV below its header; a line end within quotes is none. */
function countRows(csv: string): number {
  let rows = 0
  let isQuoted = false
  for (const character of csv.trimEnd()) {
    if (character === '"') isQuoted = !isQuoted
    if (character === '\n' && !isQuoted) rows += 1
  }
  return rows
}

async function makeText(kind: string, content: string | undefined): Promise<Made> {
  if (content === undefined || content === '') throw new ToolError(sayOwnTool('made_file.no_content'))
  if (Buffer.byteLength(content) > maxBytes) throw tooLarge()
  switch (kind) {
    case 'docx':
      return { bytes: await (await import('../made-files/write-word.ts')).writeWord(content) }
    case 'pptx':
      return { bytes: await (await import('../made-files/write-slides.ts')).writeSlides(content) }
    case 'pdf': {
      const { isKnown, writePdf } = await import('../made-files/write-pdf.ts')
      if (!isKnown(content)) throw new ToolError(sayOwnTool('made_file.letters'))
      return { bytes: await writePdf(content) }
    }
    case 'html':
      return { bytes: Buffer.from((await import('../made-files/guard-html.ts')).guardHtml(content)) }
    case 'csv': {
      const rows = countRows(content)
      if (rows > maxCsvRows) throw tooManyRows()
      return { bytes: Buffer.from(content), rows }
    }
    default:
      return { bytes: Buffer.from(content) }
  }
}

async function makeWorkbook(
  deps: ReadingFileDeps,
  input: FileToolInput,
  { content, sheets: wanted = [] }: FileRequest,
  signal: AbortSignal,
): Promise<Made | Failed> {
  const sheets: Sheet[] = []
  let count = 0
  const add = (sheet: Sheet) => {
    count += sheet.rows.length
    if (count > maxCsvRows) throw tooManyRows()
    sheets.push(sheet)
  }
  for (const { name, rows, sql } of wanted) {
    if (sql !== undefined && sql !== '') {
      const found = await queryRows(deps, input, sql, signal)
      if ('failed' in found) return found
      add({ name, ...found })
    } else {
      const [columns = [], ...others] = rows ?? []
      // a row that is longer than its header loses nothing
      const width = others.reduce((most, row) => Math.max(most, row.length), columns.length)
      add({
        name,
        columns: Array.from({ length: width }, (_, at) => String(columns[at] ?? '')),
        rows: others,
      })
    }
  }
  if (wanted.length === 0 && content !== undefined) {
    const { listTables, parseMarkdown } = await import('../made-files/markdown.ts')
    for (const sheet of listTables(parseMarkdown(content))) add(sheet)
  }
  if (!sheets.some(({ columns }) => columns.length > 0)) throw new ToolError(sayOwnTool('made_file.no_rows'))
  const { writeWorkbook } = await import('../made-files/write-workbook.ts')
  const bytes = writeWorkbook(sheets, maxBytes)
  if (!bytes) throw tooLarge()
  return { bytes, rows: count }
}

/** All rows of a statement: the parser stores them, and they do not pass through the model. */
async function queryRows(
  deps: ReadingFileDeps,
  input: FileToolInput,
  sql: string,
  signal: AbortSignal,
): Promise<Pick<Sheet, 'columns' | 'rows'> | Failed> {
  const key = `${queryResultPrefix(input.sub)}${crypto.randomUUID()}/csv`
  const type = 'application/x-ndjson'
  const csvForm = await presignUpload(deps.store, key, { type, size: maxCsvBytes, minSize: 0 }, formSeconds)
  const { runTableQuery } = await import('./run-table-query.ts')
  const answer = await runTableQuery({ ...deps, ...input }, input.sub, sql, signal, {
    csvForm,
    format: 'json',
  })
  if ('error' in answer) return { failed: answer }
  // there is no table
  if ('note' in answer) return { failed: { error: answer.note, codes: answer.codes } }
  if (answer.total_rows > maxCsvRows) throw tooManyRows()
  if (answer.csv_rows !== answer.total_rows) throw tooLarge()
  const bytes = await deps.store.read(key)
  if (!bytes) throw new Error('the rows of a statement are not stored')
  const [columns = [], ...rows] = Buffer.from(bytes)
    .toString()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Cell[]]))
  return { columns: columns.map(String), rows }
}

async function store(
  deps: ReadingFileDeps,
  { sub, sessionId, listFiles, onFile }: FileToolInput,
  name: string,
  bytes: Uint8Array,
) {
  const type = getStoredType({ name, type: '' })
  const now = new Date().toISOString()
  const size = bytes.length
  const draft: StoredFile = {
    id: crypto.randomUUID(),
    name,
    type,
    size,
    state: 'ready',
    created_at: now,
    is_generated: true,
    versions: [{ version: 1, size, created_at: now }],
  }
  if (sessionId === undefined) {
    if (size > maxInlineBytes) throw tooLarge(maxInlineBytes)
    const { id, versions } = draft
    const url = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`
    onFile({ id, name, type, size, url, isGenerated: true, version: 1, ...(versions && { versions }) })
    return { id, size, version: 1 }
  }
  // a file of the user's own with this name stays: only made ones have versions
  const earlier = (await listFiles()).find(
    (file) => file.name === name && file.versions && (file.used_in?.has(sessionId) ?? true),
  )
  const file = earlier ? await addVersion(deps, sub, earlier, bytes) : await addFile(deps, sub, draft, bytes)
  const version = file.versions?.at(-1)?.version ?? 1
  onFile(await toLinkedAttachment(deps.store, sub, file, version))
  return { id: file.id, size, version }
}

async function addFile(deps: ReadingFileDeps, sub: string, file: StoredFile, bytes: Uint8Array) {
  const { files, store: objects } = deps
  // the row first: an object without a row would never be deleted
  await files.put(sub, { ...file, state: 'incoming' })
  try {
    const key = originalKey(sub, file.id)
    await putObject(objects, { key, body: bytes, type: file.type })
    await saveRowOrDelete(objects, [key], () => finishFile(deps, sub, file))
  } catch (error) {
    await deleteFile(deps, sub, file.id).catch(() => undefined)
    throw error
  }
  return file
}

const pollMs = 400

/** Adds a version while no reader has the file: it would store the text of the one before for the new one. */
async function addVersion(deps: ReadingFileDeps, sub: string, { id }: StoredFile, bytes: Uint8Array) {
  const { files } = deps
  const endsAtMs = performance.now() + waitLimitsMs.readingAgain
  while (!(await files.hold(sub, id, Date.now()))) {
    // that it was deleted is an error of its own
    await files.find(sub, id)
    if (performance.now() >= endsAtMs) throw new ToolError(sayOwnTool('made_file.changed'))
    await wait(pollMs)
  }
  try {
    await replaceNewest(deps, sub, await files.find(sub, id), bytes)
  } catch (error) {
    await files.release(sub, id)
    throw error
  }
  await deps.startReading(sub, [id])
  return files.find(sub, id)
}

/** Keeps the newest version beside the new one, which takes its place; if that fails, it takes it back. */
async function replaceNewest(deps: ReadingFileDeps, sub: string, file: StoredFile, bytes: Uint8Array) {
  const { files, store: objects } = deps
  const { id, type, versions = [] } = file
  const newest = versions.at(-1)
  const key = originalKey(sub, id)
  const old = await objects.read(key)
  if (!old || !newest) throw new ToolError(sayOwnTool('made_file.changed'))
  const next = { version: newest.version + 1, size: bytes.length, created_at: new Date().toISOString() }
  await files.requireSpace(sub, bytes.length)
  const oldKey = versionKey(sub, id, newest.version)
  await putObject(objects, { key: oldKey, body: old, type })
  try {
    await putObject(objects, { key, body: bytes, type })
    if (!(await files.addVersion(sub, file, next))) throw new ToolError(sayOwnTool('made_file.changed'))
  } catch (error) {
    const isThere = await files.find(sub, id).then(
      () => true,
      () => false,
    )
    if (isThere) await putObject(objects, { key, body: old, type })
    await objects.remove(isThere ? [oldKey] : [oldKey, key])
    throw error
  }
}
