import type { Attachment } from '#shared/contracts/files.ts'
import { isDocument } from '#shared/file-kinds.ts'
import { maxPreviewBytes } from '#shared/limits.ts'
import { maxImagesForModel } from '../../platform/limits.ts'
import { isRead, type StoredFile } from '../../files/file-row.ts'
import { maxStoredPictures } from '../../files/stored-text.ts'
import { originalKey, picturesKey, previewKey, type ReadingFileDeps } from '../../files/file-links.ts'
import {
  describeGiven,
  explainNoText,
  hasText,
  planBytes,
  readPlanned,
  type GivenText,
} from './document-text.ts'
import { findReadFiles } from './find-read-files.ts'
import type { PromptAttachment } from './resolve-attachments.ts'
import { findStableStart } from './stable-start.ts'
import type { GivenFile } from './transcript.ts'

/** What the prompt contains of one file. */
export interface AttachmentContext {
  /** a block that names the file, with its text if it has any */
  text: string
  /** data URL of an image */
  image?: string
  /** data URLs of pages of a document that have no text */
  pages?: readonly string[]
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
  /** pictures of its pages */
  pictures: readonly PagePicture[]
  /** newer texts, or newer images, leave room for it */
  fits: boolean
}

/** What a prompt has left for files. */
export interface FileRoom {
  /** for the text of documents, in UTF-8 */
  documentBytes: number
  /** for pictures of pages without text; by default none */
  pictures?: number
  /** by default as many as a prompt may have */
  images?: number
}

/**
 * Loads what the model gets of a conversation's files: text of documents, some images, the rest by name. The newest files come
 * first, as long as the room lasts; once it is used up, texts leave the prompt in groups of turns, as messages do. A failed analysis is
 * mentioned, without content.
 * @param history oldest first
 * @throws ObjectStoreUnavailable
 */
export async function loadAttachmentContexts(
  deps: ReadingFileDeps,
  sub: string,
  history: readonly HistoryMessage[],
  room: FileRoom,
): Promise<AttachmentContexts> {
  const loaded = await loadFiles(deps, sub, listNewestFirst(history), room)
  const firstTurn = findFirstTurn(loaded)
  return new Map(
    loaded.map((one) => {
      const { attachment, file, bytes, given, givenBytes, fits, turn, pictures } = one
      const context = isImage(file)
        ? renderImage(file, { object: findImageObject(sub, file), bytes, fits })
        : renderDocument(attachment, {
            file,
            pictures,
            given: fits && turn >= firstTurn ? given : undefined,
            givenBytes,
          })
      return [contextKey(attachment), context]
    }),
  )
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

type PlannedFile = LoadedFile & { object?: { key: string }; pictureCount?: number }

/** What a picture of a page takes of the room for documents: 2,500 tokens. */
const picturesBytes = 10_000

interface PagePicture {
  page: number
  bytes: Uint8Array
}

/** Reads the first pictures of a document's pages. @throws ObjectStoreUnavailable */
export async function readPictures(
  store: ReadingFileDeps['store'],
  sub: string,
  { id, pictures = [] }: StoredFile,
  count: number,
): Promise<PagePicture[]> {
  const wanted = pictures.slice(0, count)
  const size = wanted.reduce((sum, [, bytes]) => sum + bytes, 0)
  const read = await store.readRange(picturesKey(sub, id), 0, size)
  let at = 0
  return read ? wanted.map(([page, bytes]) => ({ page, bytes: read.bytes.slice(at, (at += bytes)) })) : []
}

/** Reads texts and images until their budgets are used up. */
async function loadFiles(
  deps: ReadingFileDeps,
  sub: string,
  attachments: readonly Pick<LoadedFile, 'attachment' | 'turn'>[],
  { documentBytes, pictures = 0, images = maxImagesForModel }: FileRoom,
): Promise<LoadedFile[]> {
  if (attachments.length === 0) return []
  const ids = attachments.flatMap(({ attachment: { id } }) => (id === '' ? [] : id))
  const stored = await findReadFiles(deps, sub, ids)
  let bytesLeft = documentBytes
  let imagesLeft = images
  let picturesLeft = pictures
  // planned one after another by the sizes that the rows have, then read together
  const planned = attachments.map(({ attachment, turn }): PlannedFile => {
    const file = stored.get(attachment.id)
    const base = { attachment, turn, file, bytes: undefined, given: undefined, givenBytes: 0, pictures: [] }
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
    const mostPictures = Math.max(0, Math.floor(bytesLeft / picturesBytes))
    const pictureCount = Math.min(other.pictures?.length ?? 0, picturesLeft, mostPictures)
    bytesLeft -= pictureCount * picturesBytes
    picturesLeft -= pictureCount
    return { ...base, fits: !hasText(other) || givenBytes > 0, givenBytes, pictureCount }
  })
  for (let at = 0; at < planned.length; at += readsAtOnce)
    await Promise.all(
      planned.slice(at, at + readsAtOnce).map(async (one) => {
        const { file, object, givenBytes, pictureCount = 0 } = one
        if (object) one.bytes = await deps.store.read(object.key)
        if (hasText(file) && givenBytes > 0) one.given = await readPlanned(deps.store, sub, file, givenBytes)
        if (file && pictureCount > 0) one.pictures = await readPictures(deps.store, sub, file, pictureCount)
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

/** Which pages of a scanned document the model sees, and that there are others. */
function describePictures({ pictures: all = [] }: StoredFile, pictures: readonly PagePicture[]): string {
  if (pictures.length === 0) return ''
  const pages = pictures.map(({ page }) => page).join(', ')
  const others =
    pictures.length < all.length || all.length >= maxStoredPictures ? ', others are not shown' : ''
  return `pages without text follow as images: ${pages}${others}`
}

export const notStored = 'not kept any more'

/** A file as it stands in this prompt, and in those of later turns. */
function toContext(
  file: Pick<StoredFile, 'id' | 'name' | 'type' | 'reader_version'>,
  tag: string,
  {
    text = '',
    ...content
  }: Pick<AttachmentContext, 'image' | 'pages' | 'use'> & {
    text?: string | undefined
    bytes?: number
  } = {},
): AttachmentContext {
  const { bytes = 0, image, pages, use } = content
  return {
    text: closeTag(tag, text),
    ...(image !== undefined && { image }),
    ...(pages && { pages }),
    ...(use && { use }),
    given: {
      id: file.id,
      tag,
      characters: text.length,
      bytes: text === '' ? 0 : bytes,
      image: image !== undefined,
      pages: pages?.length ?? 0,
      isPending: isDocument(file) && !isRead(file),
    },
  }
}

function renderDocument(
  attachment: PromptAttachment,
  { file, given, givenBytes, pictures }: Pick<LoadedFile, 'file' | 'given' | 'givenBytes' | 'pictures'>,
): AttachmentContext {
  if (!file)
    return given?.text === undefined
      ? toContext(attachment, openTag(attachment, notStored))
      : { text: renderTag(attachment, 'as it was read before', given.text) }
  const shown = describePictures(file, pictures)
  const pages = toPageUrls(pictures)
  if (!hasText(file))
    return toContext(file, openTag(file, shown === '' ? explainNoText(file) : shown), { pages })
  const note = [describeGiven(file, given), shown].filter((part) => part !== '').join('; ')
  return toContext(file, openTag(file, note), {
    pages,
    text: given?.text,
    bytes: givenBytes,
    use: {
      id: file.id,
      name: file.name,
      given: given?.text?.length ?? 0,
      of: file.text_length ?? file.text.characters,
    },
  })
}

export const toPageUrls = (pictures: readonly PagePicture[]): string[] =>
  pictures.map(({ bytes }) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`)

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
