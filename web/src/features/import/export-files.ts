import {
  BlobReader,
  configure,
  ZipReader,
  type Entry,
  type FileEntry,
} from '@zip.js/zip.js/lib/zip-core-custom.js'
import { maxExportFiles, type ChosenFile } from './chosen-files.ts'
import {
  findKind,
  hasMessages,
  isJunk,
  mayBeExport,
  peekBytes,
  peekKind,
  type FileKind,
} from './export-file-kinds.ts'
import type { LeftOutCounter } from './left-out.ts'
import { toBaseName } from './read-values.ts'

// this runs in a worker already
configure({ useWebWorkers: false })

/** A file of an export: in an archive, which is read in place, or by itself. */
export interface ExportFile {
  readonly path: string
  /** bytes, as far as the archive says */
  readonly size: number
  readonly open: () => AsyncIterable<Uint8Array>
}

/** The files of all archives and files that were chosen, by what they are. */
export type ExportFiles = Record<FileKind, ExportFile[]>

/** The most that is unpacked of an archive inside an archive, as the privacy portal of OpenAI makes them: it takes memory, or space on the disk. */
const maxNestedBytes = 2 * 1024 ** 3
/** A list of projects, prompts, memories or names, and the account, are loaded whole, so they may not be larger. */
const maxJsonFileBytes = 64 * 1024 ** 2
/** The names of archives in the archive that the privacy portal makes. */
const nestedExportPattern = /^(?:conversations|projects|memories|users)|conversations[^/]*\.zip$/i

const emptyFiles = (): ExportFiles => ({
  conversations: [],
  conversation: [],
  fileNames: [],
  projects: [],
  memories: [],
  prompts: [],
  account: [],
  manifest: [],
  accountData: [],
  other: [],
  file: [],
})

/** Whether a file begins as a ZIP archive does, with `PK`. */
const isArchive = async (file: Blob): Promise<boolean> => {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  return first === 0x50 && second === 0x4b
}

/**
 * Lists what is in the files that were chosen: archives, and files by themselves.
 * @throws an error of the archive, if one is damaged and nothing else was chosen
 */
export async function listExportFiles(
  chosen: readonly ChosenFile[],
  leftOut: LeftOutCounter,
): Promise<ExportFiles> {
  const files = emptyFiles()
  let failure: Error | undefined
  let count = 0
  for (const { file, path } of chosen)
    try {
      if (isJunk(path)) continue
      if (mayBeExport(path) && (await isArchive(file))) await addArchive(files, file)
      else {
        const kind = await findKindOfChosen(file, path, { isAlone: chosen.length === 1 })
        if (kind) files[kind].push({ path, size: file.size, open: () => file.stream() })
      }
      count += 1
    } catch (error) {
      failure = error instanceof Error ? error : new Error('the file could not be read', { cause: error })
      leftOut.add('damagedParts', { name: toBaseName(path) })
    }
  if (count === 0 && failure) throw failure
  for (const list of Object.values(files))
    list.sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }))
  return files
}

/** A file that is chosen alone is tried as an export, whatever its name. @returns undefined for what is no part of an export */
async function findKindOfChosen(
  file: Blob,
  path: string,
  { isAlone }: { isAlone: boolean },
): Promise<FileKind | undefined> {
  const kind = findKind(path)
  const isUnsure = kind === 'other' || (isAlone && (kind === 'file' || kind === undefined))
  return isUnsure ? peekKind(file) : kind
}

/** Adds the files of an archive. @param options.isNested whether it is in another archive: its own archives are not opened */
async function addArchive(
  files: ExportFiles,
  archive: Blob,
  { isNested = false }: { isNested?: boolean } = {},
): Promise<void> {
  const nested: FileEntry[] = []
  /** JSON files whose names do not tell what they are: some products export single files, which people pack themselves */
  const unnamed: ExportFile[] = []
  let hasConversations = false
  let count = 0
  for await (const entry of new ZipReader(new BlobReader(archive)).getEntriesGenerator()) {
    count += 1
    if (count > maxExportFiles) throw new Error('the archive has too many files')
    if (!isFile(entry)) continue
    const path = entry.filename.replaceAll('\\', '/')
    const kind = findKind(path)
    if (!kind) continue
    if (kind === 'conversations' || kind === 'conversation') hasConversations = true
    const file = { path, size: entry.uncompressedSize, open: () => streamEntry(entry) }
    if (kind === 'file' && /\.zip$/i.test(path)) nested.push(entry)
    else if (kind === 'other' && /\.json$/i.test(path)) unnamed.push(file)
    else files[kind].push(file)
  }
  for (const file of unnamed)
    files[!hasConversations && (await isConversation(file)) ? 'conversations' : 'other'].push(file)
  for (const entry of nested) {
    const isExport = nestedExportPattern.test(toBaseName(entry.filename))
    const blob =
      !isNested && (isExport || !hasConversations)
        ? await readWhole(() => streamEntry(entry), maxNestedBytes)
        : undefined
    if (blob && (await isArchive(blob))) await addArchive(files, blob, { isNested: true })
    else
      files.file.push({ path: entry.filename, size: entry.uncompressedSize, open: () => streamEntry(entry) })
  }
}

/** Whether a file of an archive begins as one with messages. */
async function isConversation({ open }: ExportFile): Promise<boolean> {
  let start = ''
  try {
    for await (const chunk of open()) {
      start += new TextDecoder().decode(chunk.subarray(0, peekBytes))
      if (start.length >= peekBytes) break
    }
  } catch {
    // damaged: it is named as another file
  }
  return hasMessages(start.slice(0, peekBytes))
}

const isFile = (entry: Entry): entry is FileEntry => !entry.directory && !entry.encrypted

/** Unpacks an entry as it is read. */
async function* streamEntry(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const reader = readable.getReader()
  const abort = new AbortController()
  let failure: Error | undefined
  // after a failure the library may leave the stream open for ever, and nothing more would arrive
  entry.getData(writable, { signal: abort.signal }).catch((error: unknown) => {
    failure = error instanceof Error ? error : new Error('the entry could not be read', { cause: error })
    return reader.cancel().catch(() => undefined)
  })
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (failure) throw failure
      if (done) return
      yield value
    }
  } finally {
    abort.abort()
  }
}

/** Reads a whole file. @returns undefined if it has more bytes than `maxBytes`, whatever size the archive names */
export async function readWhole(open: ExportFile['open'], maxBytes: number): Promise<Blob | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of open()) {
    size += chunk.length
    if (size > maxBytes) return undefined
    // none is shared between threads, which a Blob would not take
    parts.push(chunk as Uint8Array<ArrayBuffer>)
  }
  return new Blob(parts)
}

/** The JSON of a file that is loaded whole; undefined if it cannot be read, or is too large. */
export async function readJson(file: ExportFile): Promise<unknown> {
  try {
    const blob = await readWhole(file.open, maxJsonFileBytes)
    return JSON.parse((await blob?.text()) ?? '')
  } catch {
    return undefined
  }
}
