import type { ImportSource } from '#shared/contracts/imports.ts'
import {
  buildConversation,
  type BuiltConversation,
  type MessageTree,
  type FileReference,
} from './build-conversation.ts'
import type { ChosenFile } from './chosen-files.ts'
import { listExportFiles, readJson, type ExportFile, type ExportFiles, readWhole } from './export-files.ts'
import { createLeftOutCounter, type LeftOut, type LeftOutCounter } from './left-out.ts'
import { readChatGpt } from './read-chatgpt.ts'
import { readClaude } from './read-claude.ts'
import { isJuno, readJuno } from './read-juno.ts'
import { isLibreChat, readLibreChat } from './read-librechat.ts'
import {
  readInstructions,
  readMemories,
  readProjects,
  readPrompts,
  type ExportLibrary,
} from './read-library.ts'
import { isOpenWebUi, readOpenWebUi } from './read-open-webui.ts'
import { toBaseName, toFields, toText, type Fields } from './read-values.ts'
import { splitConversations, type JsonElement } from './split-conversations.ts'
import { maxFileBytes } from '#shared/limits.ts'
import { fileIdPattern } from './export-file-kinds.ts'

/** The names of files in an export of this product begin with the first part of their id. */
const ownIdPattern = /^([0-9a-f]{8}) (?=.)/
/** Recordings of voice conversations, which are left out without a note: their transcripts are imported. */
const recordingPattern = /\.(?:wav|mp3|m4a)$/i

/** The files of an export that messages and projects name, by id and by name. */
interface AttachedFiles {
  /** Marks that a message or project names these files, whether they are read or not. */
  markUsed: (files: readonly FileReference[]) => void
  /** The names of the files that no message or project names. */
  listUnused: () => string[]
  /** @returns undefined if the export does not have the file, or it is too large */
  read: (id: string, name: string) => Promise<{ name: string; blob: Blob } | undefined>
}

/** Finds the files of an export by their ids and names. A file is read when it is asked for. */
async function openAttachedFiles({ file: files, fileNames }: ExportFiles): Promise<AttachedFiles> {
  const byKey = new Map<string, ExportFile>()
  for (const file of files) for (const key of listKeys(file.path)) if (!byKey.has(key)) byKey.set(key, file)
  /** real names by stored ones: ChatGPT calls each file `file-<id>.dat` since May 2026, and this product renames files that Windows refuses */
  const names = new Map<string, string>()
  for (const list of fileNames)
    for (const [stored, name] of Object.entries(toFields(await readJson(list))))
      names.set(stored, toBaseName(toText(name)))
  const find = (id: string, name: string) =>
    byKey.get(id) ?? byKey.get(`own ${id.slice(0, 8)}`) ?? (name === '' ? undefined : byKey.get(name))
  const used = new Set<ExportFile>()
  const toName = (file: ExportFile) => {
    const stored = toBaseName(file.path)
    // without `.dat` the service adds the extension that fits the content
    return names.get(stored) || stored.replace(/\.dat$/, '').replace(ownIdPattern, '')
  }
  return {
    markUsed(references) {
      for (const { id, name } of references) {
        const file = find(id, name)
        if (file) used.add(file)
      }
    },
    listUnused: () =>
      files.flatMap((file) => (used.has(file) || recordingPattern.test(file.path) ? [] : [toName(file)])),
    async read(id, name) {
      const file = find(id, name)
      const blob = file && (await readWhole(file.open, maxFileBytes).catch(() => undefined))
      return blob && { name: name || toName(file), blob }
    },
  }
}

/** The keys by which a file may be named: the id at the start of its name, its name, the name of its folder. */
function listKeys(path: string): string[] {
  const name = toBaseName(path)
  const ownFileId = ownIdPattern.exec(name)?.[1] ?? ''
  const folder = path.split('/').at(-2)
  return [
    fileIdPattern.exec(name)?.[0],
    name,
    folder,
    name.replace(/\.[^.]*$/, ''),
    ownFileId === '' ? '' : `own ${ownFileId}`,
  ].flatMap((key) => key || [])
}

/** The file has no conversations of an export. */
export class NoConversationsError extends Error {
  override readonly name: string = 'NoConversationsError'
}
/** The file has only links to the archives of the export. */
export class DownloadListError extends NoConversationsError {
  override readonly name = 'DownloadListError'
}

/** A conversation with the product that it was exported from. */
export interface SourcedConversation {
  readonly source: ImportSource
  readonly conversation: BuiltConversation
}

/** An opened export. */
export interface ExportReader {
  /** bytes of all conversations, unpacked as far as the archive says */
  readonly totalBytes: number
  /** conversations as they are read; at its end a NoConversationsError if nothing in the file is one */
  readonly conversations: AsyncIterable<SourcedConversation>
  readonly library: ExportLibrary
  getReadBytes: () => number
  getLeftOut: () => LeftOut
  /** a file of a message; undefined if the export has none, or it is too large */
  readFile: AttachedFiles['read']
}

/**
 * All files with conversations together may unpack to so many bytes. What follows is not read.
 * A small archive can unpack to a thousand times its size.
 */
const maxJsonBytes = 16 * 1024 ** 3
/** A parsed conversation takes several times its size in memory, and browsers limit a string to 512 MB. */
const maxConversationBytes = 128 * 1024 ** 2

/**
 * Opens an export of ChatGPT, Claude, LibreChat, Open WebUI or this product: its archives, or single files from them.
 * @throws NoConversationsError, or an error of the archive if it is damaged
 */
export async function openExport(chosen: readonly ChosenFile[]): Promise<ExportReader> {
  const leftOut = createLeftOutCounter()
  const files = await listExportFiles(chosen, leftOut)
  const library = await readLibrary(files, leftOut)
  const lists = [...files.conversations, ...files.conversation]
  if (lists.length === 0 && !hasContent(library)) {
    if (files.manifest.length > 0) throw new DownloadListError('there are links to archives only')
    throw new NoConversationsError('there is no conversations.json')
  }
  const attached = await openAttachedFiles(files)
  for (const { files: ofProject } of library.projects) attached.markUsed(ofProject)
  for (const { path } of files.other) leftOut.add('otherFiles', { name: toBaseName(path) })
  for (const { path } of [...files.account, ...files.accountData])
    leftOut.add('accountData', { name: toBaseName(path) })
  const conversations = new ConversationReader(lists, attached, leftOut)
  return {
    totalBytes: lists.reduce((sum, { size }) => sum + size, 0),
    conversations: readAll(conversations, { library, attached, leftOut }),
    library,
    getReadBytes: () => conversations.readBytes,
    getLeftOut: leftOut.getCounts,
    readFile: attached.read,
  }
}

/** Reads the conversations of all files, one file after the other. */
class ConversationReader {
  readBytes = 0
  readonly #files: readonly ExportFile[]
  readonly #attached: AttachedFiles
  readonly #leftOut: LeftOutCounter

  constructor(files: readonly ExportFile[], attached: AttachedFiles, leftOut: LeftOutCounter) {
    this.#files = files
    this.#attached = attached
    this.#leftOut = leftOut
  }

  async *read(): AsyncGenerator<SourcedConversation> {
    for (const file of this.#files) yield* this.#readFile(file)
  }

  async *#readFile({ path, open }: ExportFile): AsyncGenerator<SourcedConversation> {
    try {
      for await (const element of splitConversations(this.#count(open()), maxConversationBytes)) {
        const read = readElement(element, this.#leftOut)
        if (!read) continue
        for (const { files } of read.conversation.messages) this.#attached.markUsed(files)
        yield read
      }
    } catch {
      // what was read before stays
      this.#leftOut.add('damagedParts', { name: toBaseName(path) })
    }
  }

  async *#count(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.readBytes += chunk.length
      if (this.readBytes > maxJsonBytes) return
      yield chunk
    }
  }
}

/** @throws NoConversationsError at the end if nothing in the export was one */
async function* readAll(
  reader: ConversationReader,
  {
    library,
    attached,
    leftOut,
  }: { library: ExportLibrary; attached: AttachedFiles; leftOut: LeftOutCounter },
): AsyncGenerator<SourcedConversation> {
  const before = leftOut.getCounts()
  let hasRead = false
  for await (const read of reader.read()) {
    hasRead = true
    yield read
  }
  for (const name of attached.listUnused()) leftOut.add('unusedFiles', { name })
  const { unreadableConversations, ...others } = leftOut.getCounts()
  // nothing but conversations that could not be read: these are other files
  const hasOnlyUnreadable = unreadableConversations && sumCounts(others) === sumCounts(before)
  if (!hasRead && !hasContent(library) && hasOnlyUnreadable)
    throw new NoConversationsError('nothing in the file is a conversation')
}

const sumCounts = (counts: LeftOut) => Object.values(counts).reduce((sum, { count }) => sum + count, 0)

const hasContent = ({ projects, prompts, memories, instructions }: ExportLibrary) =>
  projects.length + prompts.length + memories.length > 0 || instructions !== ''

/** Projects, prompts, memories and instructions. A file that cannot be read is counted. */
async function readLibrary(files: ExportFiles, leftOut: LeftOutCounter): Promise<ExportLibrary> {
  const readEach = async <Item>(
    list: readonly ExportFile[],
    read: (json: unknown) => Item[],
  ): Promise<Item[]> => {
    const items: Item[] = []
    for (const file of list) {
      const json = await readJson(file)
      if (json === undefined) leftOut.add('damagedParts', { name: toBaseName(file.path) })
      else items.push(...read(json))
    }
    return items
  }
  const [instructions = ''] = await readEach(files.account, (json) => [readInstructions(json)])
  return {
    projects: await readEach(files.projects, (json) => readProjects(json, leftOut)),
    prompts: await readEach(files.prompts, readPrompts),
    memories: await readEach(files.memories, (json) => readMemories(json, leftOut)),
    instructions,
  }
}

/** Reads a conversation of whatever product. @returns undefined if it is of none that is known */
function readTree(fields: Fields, leftOut: LeftOutCounter): [ImportSource, MessageTree] | undefined {
  if (typeof fields['mapping'] === 'object' && fields['mapping'] !== null)
    return ['chatgpt', readChatGpt(fields, leftOut)]
  if (isJuno(fields)) return ['juno', readJuno(fields, leftOut)]
  if (isLibreChat(fields)) return ['librechat', readLibreChat(fields, leftOut)]
  if (isOpenWebUi(fields)) return ['openwebui', readOpenWebUi(fields, leftOut)]
  if (Array.isArray(fields['chat_messages']) || Array.isArray(fields['messages']))
    return ['claude', readClaude(fields, leftOut)]
  return undefined
}

function readElement(element: JsonElement, leftOut: LeftOutCounter): SourcedConversation | undefined {
  try {
    const read =
      element.kind === 'object'
        ? readTree(toFields(JSON.parse(new TextDecoder().decode(element.bytes))), leftOut)
        : undefined
    if (read && toText(read[1].sourceId) !== '') {
      const [source, tree] = read
      const conversation = buildConversation(tree, leftOut)
      if (conversation) return { source, conversation }
      leftOut.add('emptyConversations')
      return undefined
    }
  } catch {
    // whatever is wrong with one conversation, the others are read
  }
  leftOut.add('unreadableConversations')
  return undefined
}
