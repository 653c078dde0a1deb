import {
  BlobReader,
  configure,
  ZipReader,
  type Entry,
  type FileEntry,
} from '@zip.js/zip.js/lib/zip-core-custom.js'
import type { ImportSource } from '#shared/contracts/imports.ts'
import { maxFileBytes } from '#shared/limits.ts'
import { buildConversation, type BuiltConversation } from './build-conversation.ts'
import { createLeftOutCounter, type LeftOut } from './left-out.ts'
import { readChatGpt } from './read-chatgpt.ts'
import { readClaude } from './read-claude.ts'
import { toFields, toText } from './read-values.ts'
import { splitConversations, type JsonElement } from './split-conversations.ts'

// this runs in a worker already
configure({ useWebWorkers: false })

/** The file has no conversations of an export. */
export class NoConversationsError extends Error {
  override readonly name = 'NoConversationsError'
}

export interface SourcedConversation {
  readonly source: ImportSource
  readonly conversation: BuiltConversation
}

export interface ExportReader {
  /** bytes of all conversations, unpacked as far as the archive says */
  readonly totalBytes: number
  /** conversations as they are read; at its end a NoConversationsError if nothing in the file is one */
  readonly conversations: AsyncIterable<SourcedConversation>
  getReadBytes: () => number
  getLeftOut: () => LeftOut
  /** a file of a message; undefined if the archive has none, or it is too large */
  readFile: (id: string, name: string) => Promise<{ name: string; blob: Blob } | undefined>
}

/** More would be no export; each takes memory. */
const maxEntries = 200_000
/** Unpacked, of all conversations together: an archive of zeros unpacks to a thousand times its size. */
const maxJsonBytes = 16 * 1024 ** 3
/** Exports from the privacy portal have another archive with the conversations in them. */
const maxNestedBytes = 2 * 1024 ** 3

const conversationFile = /^conversations(?:[-_]\d{1,6})?\.json$/i
/** Names of the files in exports since May 2026, where each is called `file-<id>.dat`. */
const fileNames = 'conversation_asset_file_names.json'
const maxFileNamesBytes = 64 * 1024 ** 2
const nestedArchive = /conversations.*\.zip$/i
/** `file-abc-cat.png`, `file_00ab-<uuid>.png`: the id is at the start. */
const fileId = /^file[-_][A-Za-z0-9]+/

const toBaseName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

interface Contents {
  /** sources of JSON */
  readonly lists: { readonly size: number; readonly open: () => AsyncIterable<Uint8Array> }[]
  /** by id and by name */
  readonly files: Map<string, FileEntry>
  /** what files were called, by their names in the archive */
  readonly fileNames: Map<string, string>
  readonly otherNames: string[]
}

/**
 * Opens an export of ChatGPT or Claude: the archive, read in place, or its `conversations.json`.
 * @throws NoConversationsError, or an error of the archive if it is damaged
 */
export async function openExport(file: Blob): Promise<ExportReader> {
  const contents = (await isArchive(file)) ? await listArchive(file) : listJson(file)
  if (contents.lists.length === 0) throw new NoConversationsError('there is no conversations.json')
  const leftOut = createLeftOutCounter()
  for (const name of contents.otherNames) leftOut.add(`file ${name}`)
  let readBytes = 0

  async function* count(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      readBytes += chunk.length
      if (readBytes > maxJsonBytes) return
      yield chunk
    }
  }
  async function* readAll(): AsyncGenerator<SourcedConversation> {
    let hasRead = false
    for (const { open } of contents.lists)
      try {
        for await (const element of splitConversations(count(open()))) {
          const read = readElement(element, leftOut)
          if (!read) continue
          hasRead = true
          yield read
        }
      } catch {
        // what was read before stays
        leftOut.add('damagedParts')
      }
    const { unreadableConversations = 0, ...others } = leftOut.getCounts()
    // another JSON file, or none
    if (
      !hasRead &&
      unreadableConversations > 0 &&
      contents.otherNames.length === 0 &&
      Object.keys(others).length === 0
    )
      throw new NoConversationsError('nothing in the file is a conversation')
  }
  return {
    totalBytes: contents.lists.reduce((sum, { size }) => sum + size, 0),
    conversations: readAll(),
    getReadBytes: () => readBytes,
    getLeftOut: leftOut.getCounts,
    async readFile(id, name) {
      const entry = contents.files.get(id) ?? contents.files.get(name)
      const blob = entry && (await readEntry(entry, maxFileBytes).catch(() => undefined))
      if (!blob) return undefined
      const stored = toBaseName(entry.filename)
      // without `.dat` the service adds the extension that fits the content
      return { name: name || contents.fileNames.get(stored) || stored.replace(/\.dat$/, ''), blob }
    },
  }
}

function readElement(
  element: JsonElement,
  leftOut: ReturnType<typeof createLeftOutCounter>,
): SourcedConversation | undefined {
  try {
    if (element.kind === 'object') {
      const fields = toFields(JSON.parse(new TextDecoder().decode(element.bytes)))
      const isChatGpt = typeof fields['mapping'] === 'object' && fields['mapping'] !== null
      const isClaude = Array.isArray(fields['chat_messages']) || Array.isArray(fields['messages'])
      const tree = isChatGpt
        ? readChatGpt(fields, leftOut)
        : isClaude
          ? readClaude(fields, leftOut)
          : undefined
      if (tree && tree.sourceId !== '') {
        const conversation = buildConversation(tree, leftOut)
        if (conversation) return { source: isChatGpt ? 'chatgpt' : 'claude', conversation }
        leftOut.add('emptyConversations')
        return undefined
      }
    }
  } catch {
    // whatever is wrong with one conversation, the others are read
  }
  leftOut.add('unreadableConversations')
  return undefined
}

async function isArchive(file: Blob): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  return first === 0x50 && second === 0x4b
}

const listJson = (file: Blob): Contents => ({
  lists: [{ size: file.size, open: () => file.stream() }],
  files: new Map(),
  fileNames: new Map(),
  otherNames: [],
})

async function listArchive(archive: Blob, isNested = false): Promise<Contents> {
  const contents: Contents = { lists: [], files: new Map(), fileNames: new Map(), otherNames: [] }
  const lists: FileEntry[] = []
  const archives: FileEntry[] = []
  let count = 0
  for await (const entry of new ZipReader(new BlobReader(archive)).getEntriesGenerator()) {
    count += 1
    if (count > maxEntries) throw new Error('the archive has too many files')
    if (!isFile(entry)) continue
    const name = toBaseName(entry.filename)
    if (conversationFile.test(name)) lists.push(entry)
    else if (name === fileNames) await addFileNames(contents.fileNames, entry)
    else if (nestedArchive.test(name)) archives.push(entry)
    else if (/\.(json|html?)$/i.test(name) && !fileId.test(name)) contents.otherNames.push(name)
    else addFile(contents.files, entry, name)
  }
  lists.sort((a, b) => a.filename.localeCompare(b.filename, 'en', { numeric: true }))
  for (const entry of lists)
    contents.lists.push({ size: entry.uncompressedSize, open: () => streamEntry(entry) })
  if (lists.length > 0 || isNested) return contents
  for (const entry of archives) {
    const blob = await readEntry(entry, maxNestedBytes)
    if (!blob) continue
    const nested = await listArchive(blob, true)
    contents.lists.push(...nested.lists)
    for (const [key, file] of nested.files) contents.files.set(key, file)
    for (const [stored, name] of nested.fileNames) contents.fileNames.set(stored, name)
    contents.otherNames.push(...nested.otherNames)
  }
  return contents
}

const isFile = (entry: Entry): entry is FileEntry => !entry.directory && !entry.encrypted

/** Adds a file by the id its name begins with, by the id of its folder, and by its name. */
function addFile(files: Contents['files'], entry: FileEntry, name: string): void {
  const id = fileId.exec(name)?.[0]
  const folder = entry.filename.split('/').at(-2)
  for (const key of [id, name, folder, name.replace(/\.[^.]*$/, '')])
    if (key !== undefined && !files.has(key)) files.set(key, entry)
}

/** Reads what files were called; a list that cannot be read leaves them the names they have. */
async function addFileNames(names: Contents['fileNames'], entry: FileEntry): Promise<void> {
  try {
    const blob = await readEntry(entry, maxFileNamesBytes)
    for (const [stored, name] of Object.entries(toFields(JSON.parse((await blob?.text()) ?? ''))))
      names.set(stored, toBaseName(toText(name)))
  } catch {
    // no JSON
  }
}

/** Unpacks an entry as it is read. */
async function* streamEntry(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const reader = readable.getReader()
  const abort = new AbortController()
  let failure: Error | undefined
  // an entry that cannot be read may leave the stream as it is
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

/** @returns undefined if the entry is larger than it may be, whatever the archive says */
async function readEntry(entry: FileEntry, maxBytes: number): Promise<Blob | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of streamEntry(entry)) {
    size += chunk.length
    if (size > maxBytes) return undefined
    parts.push(chunk as Uint8Array<ArrayBuffer>)
  }
  return new Blob(parts)
}
