import type { Attachment } from '#shared/contracts/files.ts'
import { isDocument } from '#shared/file-kinds.ts'
import { maxPreviewBytes } from '#shared/limits.ts'
import { maxImagesForModel } from '../../platform/limits.ts'
import { isRead, type StoredFile } from '../../files/file-row.ts'
import { originalKey, previewKey, type ReadingFileDeps } from '../../files/file-links.ts'
import {
  countTableRows,
  describeGiven,
  explainNoText,
  hasLargeTable,
  hasText,
  planBytes,
  readPlanned,
  type GivenText,
  type ReadDocument,
} from './document-text.ts'
import { findReadFiles } from './find-read-files.ts'
import type { ContentPart } from '../../models/model.ts'
import type { PromptAttachment } from './resolve-attachments.ts'
import {
  noPages,
  noPlan,
  noRoom,
  planPages,
  readPages,
  showPages,
  type PagePlan,
  type PageRoom,
  type ShownPages,
} from './shown-pages.ts'
import { findStableStart } from './stable-start.ts'
import type { GivenFile } from './transcript.ts'

/** What the prompt contains of one file. */
export interface AttachmentContext {
  /** a block that names the file, with its text if it has any */
  text: string
  /** data URL of an image */
  image?: string
  /** pages of a document that its text does not show */
  pages?: readonly ContentPart[]
  /** characters of a document that the model gets here, of how many */
  use?: FileUse
  /** the same, for the prompts of later turns; undefined for a file that is not stored */
  given?: GivenFile
}

/** How much of a document a model was given. */
export interface FileUse {
  id: string
  name: string
  given: number
  of: number
  /** rows of its tables, which the model calculates with instead */
  rows?: number
}

interface HistoryMessage {
  role: 'user' | 'assistant'
  attachments?: readonly PromptAttachment[]
  /** its turn in the conversation, if it is stored */
  turn?: number
}

const formatSize = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
/** Names and types are user input: they must not close the tag. */
const toAttribute = (text: string) => text.replace(/["<>&\s]+/g, ' ').trim()
/** A document's text must not close its own tag. */
const escapeTags = (text: string) => text.replace(/<(?=\/?attachment)/gi, '< ')

type TaggedFile = Pick<Attachment, 'id' | 'name' | 'type' | 'size'> &
  Partial<Pick<StoredFile, 'created_at' | 'text'>>

/** The tag of a file, without what closes it: its name, when it was added and what is said about it. */
export function openTag(file: TaggedFile, note: string): string {
  const { id, name, type, size, created_at: addedAt = '', text: stored } = file
  const attributes = {
    id,
    name,
    type,
    size: formatSize(size),
    // two files of one name differ by it
    ...(addedAt !== '' && { added: `${addedAt.slice(0, 16).replace('T', ' ')} UTC` }),
    ...(stored && stored.languages.length > 0 && { languages: stored.languages.slice(0, 3).join(' ') }),
    note,
  }
  return `<attachment ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${toAttribute(value)}"`)
    .join(' ')}`
}

export const closeTag = (tag: string, text = ''): string =>
  text === '' ? `${tag}/>` : `${tag}>\n${escapeTags(text)}\n</attachment>`

/** A file as the model sees it: its tag, and its text if it has any. */
export const renderTag = (file: TaggedFile, note: string, text = ''): string =>
  closeTag(openTag(file, note), text)

/** The parts of a tag's content. */
export const joinParts = (parts: readonly (string | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== '').join('\n\n')

const imageTypes = /^image\/(png|jpeg|gif|webp)$/

/** The object to show of an image: the page's smaller copy, or the image itself if it is small enough. */
export function findImageObject(sub: string, { id, type, size: bytes, preview }: StoredFile) {
  if (preview) return { key: previewKey(sub, id), type: preview.type }
  if (imageTypes.test(type) && bytes <= maxPreviewBytes) return { key: originalKey(sub, id), type }
  return undefined
}

/** A file without an id is its own key. */
export const contextKey = (attachment: PromptAttachment): string | PromptAttachment =>
  attachment.id === '' ? attachment : attachment.id

/** Contexts of files, by `contextKey`. */
export type AttachmentContexts = ReadonlyMap<string | PromptAttachment, AttachmentContext>

/** Objects read at once; the last batch may read more than the budget needs. */
const readsAtOnce = 6

/** A file of the history, with what was loaded of it. */
interface LoadedFile {
  attachment: PromptAttachment
  turn: number
  file: StoredFile | undefined
  /** bytes of an image */
  bytes: Uint8Array | undefined
  /** the part of a document that the prompt contains */
  given: GivenText | undefined
  /** bytes of that part */
  givenBytes: number
  /** pages that its text does not show */
  plan: PagePlan
  pages: ShownPages
  /** newer texts, or newer images, leave room for it */
  fits: boolean
}

/** What a prompt has left for files. */
export interface FileRoom {
  /** for the text of documents, in UTF-8 */
  documentBytes: number
  /** for pages that texts do not show; by default none are shown */
  pages?: PageRoom
  /** by default as many as a prompt may have */
  images?: number
}

/**
 * Loads what the model gets of a conversation's files: text of documents, some images, the rest by name. The newest files come
 * first, as long as the room lasts; once it is used up, texts leave the prompt in groups of turns, as messages do. A failed analysis is
 * mentioned, without content.
 * @param history oldest first
 * @param earlierFiles whose tables have their names already
 * @throws ObjectStoreUnavailable
 */
export async function loadAttachmentContexts(
  deps: ReadingFileDeps,
  sub: string,
  history: readonly HistoryMessage[],
  room: FileRoom,
  earlierFiles: readonly StoredFile[] = [],
): Promise<AttachmentContexts> {
  const loaded = await loadFiles(deps, sub, listNewestFirst(history), room)
  const firstTurn = findFirstTurn(loaded)
  const shown = loaded.map((one) => ({
    ...one,
    given: one.fits && one.turn >= firstTurn ? one.given : undefined,
  }))
  const tables = await describeOwnTables(history, shown, earlierFiles)
  return new Map(
    shown.map((one) => {
      const { attachment, file, bytes, fits } = one
      const context = isImage(file)
        ? renderImage(file, { object: findImageObject(sub, file), bytes, fits })
        : renderDocument(attachment, { ...one, tables: tables.get(attachment.id) })
      return [contextKey(attachment), context]
    }),
  )
}

/** What is said of the tables of the conversation's files, which are named in the order in which they were attached. */
async function describeOwnTables(
  history: readonly HistoryMessage[],
  loaded: readonly LoadedFile[],
  earlierFiles: readonly StoredFile[],
): Promise<Map<string, string>> {
  if (!loaded.some(({ file }) => file?.tables)) return new Map()
  const { describeTables, nameTables } = await import('./table-context.ts')
  const byId = new Map(loaded.flatMap((one) => (one.file ? [[one.file.id, one] as const] : [])))
  const attached = history.flatMap(({ role, attachments = [] }) => (role === 'user' ? attachments : []))
  const own = attached.flatMap(({ id }) => byId.get(id)?.file ?? [])
  const named = new Map(nameTables([...earlierFiles, ...own]))
  for (const { id } of earlierFiles) if (!byId.has(id)) named.delete(id)
  return describeTables(named, (id) => byId.get(id)?.given?.isWhole !== true)
}

/** The user's files, newest message first. One that was sent more than once is shown as its newest message has it. */
function listNewestFirst(history: readonly HistoryMessage[]) {
  const all = history
    .map(({ role, attachments = [], turn }, index) => ({
      turn: turn ?? index,
      attachments: role === 'user' ? attachments : [],
    }))
    .toReversed()
    .flatMap(({ turn, attachments }) => attachments.map((attachment) => ({ turn, attachment })))
  const keys = all.map(({ attachment }) => contextKey(attachment))
  return all.filter(({ attachment }, index) => keys.indexOf(contextKey(attachment)) === index)
}

type PlannedFile = LoadedFile & { object?: { key: string } }

/** Reads texts and images until their budgets are used up. */
async function loadFiles(
  deps: ReadingFileDeps,
  sub: string,
  attachments: readonly Pick<LoadedFile, 'attachment' | 'turn'>[],
  { documentBytes, images = maxImagesForModel, pages = noRoom }: FileRoom,
): Promise<LoadedFile[]> {
  if (attachments.length === 0) return []
  const ids = attachments.flatMap(({ attachment: { id } }) => (id === '' ? [] : id))
  const stored = await findReadFiles(deps, sub, ids)
  const withTables = [...stored.values()].filter(({ tables }) => tables)
  const tableBytes =
    withTables.length > 0 ? (await import('./table-context.ts')).countTableBytes(withTables) : 0
  let bytesLeft = Math.max(0, documentBytes - tableBytes)
  let imagesLeft = images
  // planning takes from it
  const room = { ...pages }
  // planned one after another by the sizes that the rows have, then read together
  const planned = attachments.map(({ attachment, turn }): PlannedFile => {
    const file = stored.get(attachment.id)
    const base = {
      attachment,
      turn,
      file,
      bytes: undefined,
      given: undefined,
      givenBytes: 0,
      plan: noPlan,
      pages: noPages,
    }
    if (isImage(file)) {
      const object = imagesLeft > 0 ? findImageObject(sub, file) : undefined
      const fits = imagesLeft > 0
      if (object) imagesLeft -= 1
      return { ...base, fits, ...(object && { object }) }
    }
    const other = stored.get(attachment.id)
    if (!other) {
      // a file that is not stored comes with the text that the page has of it
      const text = attachment.extractedText || undefined
      const size = text === undefined ? 0 : Buffer.byteLength(text)
      const fits = size <= bytesLeft
      if (fits) bytesLeft -= size
      return {
        ...base,
        fits,
        givenBytes: size,
        ...(text !== undefined && { given: { text, isWhole: true } }),
      }
    }
    const givenBytes = hasText(other) ? planBytes(other, bytesLeft) : 0
    bytesLeft -= givenBytes
    const plan = planPages(other, room, bytesLeft)
    bytesLeft -= plan.bytes
    return { ...base, fits: !hasText(other) || givenBytes > 0 || hasLargeTable(other), givenBytes, plan }
  })
  for (let at = 0; at < planned.length; at += readsAtOnce)
    await Promise.all(
      planned.slice(at, at + readsAtOnce).map(async (one) => {
        const { file, object, givenBytes, plan } = one
        if (object) one.bytes = await deps.store.read(object.key)
        if (hasText(file) && givenBytes > 0) one.given = await readPlanned(deps.store, sub, file, givenBytes)
        if (file && plan.bytes > 0) one.pages = await readPages(deps.store, sub, file, plan)
      }),
    )
  return planned
}

/** Not drawings in SVG, whose text is read. */
const isImage = (file: StoredFile | undefined): file is StoredFile =>
  file?.type.startsWith('image/') === true && !isDocument(file)

/**
 * The turn from which on texts are shown.
 * @param loaded newest first
 */
function findFirstTurn(loaded: readonly LoadedFile[]): number {
  const documents = loaded.filter(({ given, file }) => given !== undefined || hasText(file))
  const leftOut = documents.find(({ fits }) => !fits)
  if (!leftOut) return -Infinity
  const sizes = new Map<number, number>()
  for (const { turn, givenBytes, fits } of documents.toReversed())
    if (fits) sizes.set(turn, (sizes.get(turn) ?? 0) + givenBytes)
  // a message of which not all texts fit would lose more of them with each new file
  const items = [...sizes].map(([turn, size]) => ({ turn, size, canBegin: turn !== leftOut.turn }))
  return items[findStableStart(items, leftOut.turn)]?.turn ?? leftOut.turn
}

export const notStored = 'not kept any more'

type GivenParts = Partial<Pick<GivenFile, 'head' | 'bytes' | 'isPending'>> & { plan?: PagePlan }

/**
 * A file as it stands in this prompt, and in those of later turns.
 * @param given what is stored of it, with its own text
 */
function toContext(
  { id }: Pick<StoredFile, 'id'>,
  tag: string,
  { image, pages, use }: Omit<AttachmentContext, 'text' | 'given'> = {},
  { text = '', head = '', bytes = 0, plan = noPlan, isPending = false }: GivenParts & { text?: string } = {},
): AttachmentContext {
  return {
    text: closeTag(tag, joinParts([head, text])),
    ...(image !== undefined && { image }),
    ...(pages && pages.length > 0 && { pages }),
    ...(use && { use }),
    given: {
      id,
      tag,
      head,
      characters: text.length,
      bytes: (text === '' ? 0 : bytes) + Buffer.byteLength(head) + plan.bytes,
      image: image !== undefined,
      pictures: plan.pictures,
      pdfs: plan.pdfs,
      pdfPages: plan.pdfPages,
      pdfBytes: plan.pdfBytes,
      isPending,
    },
  }
}

function renderDocument(
  attachment: PromptAttachment,
  {
    file,
    given,
    givenBytes,
    plan,
    pages: read,
    tables,
  }: Pick<LoadedFile, 'file' | 'given' | 'givenBytes' | 'plan' | 'pages'> & { tables: string | undefined },
): AttachmentContext {
  if (!file)
    return given?.text === undefined
      ? toContext(attachment, openTag(attachment, notStored))
      : { text: renderTag(attachment, 'as it was read before', given.text) }
  const { note: shown, parts: pages } = showPages(file, read, (note) => renderTag(file, note))
  if (!hasText(file)) {
    const tag = openTag(file, shown === '' ? explainNoText(file).text : shown)
    return toContext(file, tag, { pages }, { plan, isPending: isDocument(file) && !isRead(file) })
  }
  const note = [describeGiven(file, given), shown].filter((part) => part !== '').join('; ')
  const text = given?.text ?? ''
  return toContext(
    file,
    openTag(file, note),
    { pages, use: toFileUse(file, text.length) },
    { text, head: tables ?? '', bytes: givenBytes, plan },
  )
}

/** @param given characters of the text */
export function toFileUse(file: ReadDocument, given: number): FileUse {
  const { id, name, text, text_length: of = text.characters } = file
  const rows = countTableRows(file)
  return { id, name, given, of, ...(rows !== undefined && { rows }) }
}

export const toImageUrl = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

function renderImage(
  file: StoredFile,
  {
    object,
    bytes,
    fits,
  }: Pick<LoadedFile, 'bytes' | 'fits'> & { object: ReturnType<typeof findImageObject> },
): AttachmentContext {
  const tag = (note: string) => openTag(file, note)
  if (!object) return toContext(file, tag('this image cannot be shown to you'))
  if (!fits) return toContext(file, tag('an earlier image, not shown again'))
  if (!bytes) return toContext(file, tag('its content is not there any more'))
  const note =
    file.type === 'image/gif' && file.preview ? 'its first frame follows as an image' : 'the image follows'
  return toContext(file, tag(note), { image: toImageUrl(object.type, bytes) })
}
