import type { Attachment } from '#shared/contracts/files.ts'
import { isDocument } from '#shared/file-kinds.ts'
import { maxDocumentCharacters, maxPreviewBytes } from '#shared/limits.ts'
import { maxImagesForModel } from '../../platform/limits.ts'
import { capAnalysis } from '../../documents/analysis.ts'
import { readDocumentText } from '../../documents/document-text.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { originalKey, previewKey, type MessageFileDeps } from '../../files/file-links.ts'
import type { PromptAttachment } from './resolve-attachments.ts'
import { findStableStart } from './stable-start.ts'

/** What the prompt contains of one file. */
export interface AttachmentContext {
  /** a block that names the file, with its text if it has any */
  text: string
  /** data URL of an image */
  image?: string
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

/** A file as the model sees it: its name and what is said about it, and its text if it has any. */
export function renderTag({ id, name, type, size: bytes }: Attachment, note: string, text = ''): string {
  const tag = `<attachment id="${toAttribute(id)}" name="${toAttribute(name)}" type="${toAttribute(type)}" size="${formatSize(bytes)}" note="${toAttribute(note)}"`
  return text === '' ? `${tag}/>` : `${tag}>\n${escapeTags(text)}\n</attachment>`
}

const imageTypes = /^image\/(png|jpeg|gif|webp)$/

/** The object to show of an image: the page's smaller copy, or the image itself if it is small enough. */
function findImageObject(sub: string, { id, type, size: bytes, preview }: StoredFile) {
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
  /** the part of a document that the prompt may contain */
  text: string | undefined
  /** newer texts, or newer images, leave room for it */
  fits: boolean
}

/**
 * Loads what the model gets of a conversation's files: text of documents, at most 5 images, the rest by name. The newest files come
 * first, as long as the budget lasts; once it is used up, texts leave the prompt in groups of turns, as messages do. A failed analysis is
 * mentioned, without content.
 * @param history oldest first
 * @throws ObjectStoreUnavailable
 */
export async function loadAttachmentContexts(
  deps: MessageFileDeps,
  sub: string,
  history: readonly HistoryMessage[],
): Promise<AttachmentContexts> {
  const loaded = await loadFiles(deps, sub, listNewestFirst(history))
  const firstTurn = findFirstTurn(loaded)
  return new Map(
    loaded.map(({ attachment, file, bytes, text, fits, turn }) => {
      const context = isImage(file)
        ? renderImage(file, { object: findImageObject(sub, file), bytes, fits })
        : { text: renderDocument(file ?? attachment, { file, text, fits: fits && turn >= firstTurn }) }
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

/** Reads texts and images until their budgets are used up. */
async function loadFiles(
  { files, store }: MessageFileDeps,
  sub: string,
  attachments: readonly Pick<LoadedFile, 'attachment' | 'turn'>[],
): Promise<LoadedFile[]> {
  if (attachments.length === 0) return []
  const stored = await files.findMany(
    sub,
    attachments.flatMap(({ attachment: { id } }) => (id === '' ? [] : id)),
  )
  let charactersLeft = maxDocumentCharacters
  let imagesLeft = maxImagesForModel
  const read = async (file: StoredFile | undefined) => {
    const object = isImage(file) && imagesLeft > 0 ? findImageObject(sub, file) : undefined
    const isTextNeeded = charactersLeft > 0 && hasText(file)
    return {
      bytes: object && (await store.read(object.key)),
      text: isTextNeeded ? await readDocumentText(store, sub, file.id) : undefined,
    }
  }
  const loaded: LoadedFile[] = []
  for (let at = 0; at < attachments.length; at += readsAtOnce) {
    const batch = attachments.slice(at, at + readsAtOnce)
    const contents = await Promise.all(batch.map(({ attachment: { id } }) => read(stored.get(id))))
    for (const [index, { attachment, turn }] of batch.entries()) {
      const file = stored.get(attachment.id)
      const { bytes, text: whole } = contents[index] ?? {}
      // a file that is not stored comes with the text that the page has of it
      const text = file ? whole && capAnalysis(whole) : attachment.extractedText || undefined
      const fits = isImage(file) ? imagesLeft > 0 : charactersLeft > 0
      loaded.push({ attachment, turn, file, bytes, text, fits })
      charactersLeft -= text?.length ?? 0
      if (bytes) imagesLeft -= 1
    }
  }
  return loaded
}

/** Not drawings in SVG, whose text is read. */
const isImage = (file: StoredFile | undefined): file is StoredFile =>
  file?.type.startsWith('image/') === true && !isDocument(file)

/** Why a file has no text. */
export function explainNoText(file: StoredFile): string {
  if (!isDocument(file)) return 'its content cannot be read'
  return file.reading ? `not readable: ${file.reading.note}` : 'not analysed, so its content is unknown'
}

export const textGone = 'its text is not there any more'

/** Whether a document was read. */
export const hasText = (file: StoredFile | undefined): file is StoredFile =>
  file !== undefined && isDocument(file) && file.reading !== undefined && file.reading.status !== 'failed'

/**
 * The turn from which on texts are shown.
 * @param loaded newest first
 */
function findFirstTurn(loaded: readonly LoadedFile[]): number {
  const documents = loaded.filter(({ text, file }) => text !== undefined || hasText(file))
  const leftOut = documents.find(({ fits }) => !fits)
  if (!leftOut) return -Infinity
  const sizes = new Map<number, number>()
  for (const { turn, text, fits } of documents.toReversed())
    if (fits) sizes.set(turn, (sizes.get(turn) ?? 0) + (text?.length ?? 0))
  // a message of which not all texts fit would lose more of them with each new file
  const items = [...sizes].map(([turn, size]) => ({ turn, size, canBegin: turn !== leftOut.turn }))
  return items[findStableStart(items, leftOut.turn)]?.turn ?? leftOut.turn
}

function renderDocument(
  document: Attachment,
  { file, text, fits }: Pick<LoadedFile, 'file' | 'text' | 'fits'>,
): string {
  if (!file)
    return text !== undefined && fits
      ? renderTag(document, 'as it was read before', text)
      : renderTag(document, 'not kept any more')
  const { reading } = file
  if (!hasText(file) || !reading) return renderTag(file, explainNoText(file))
  if (!fits) return renderTag(file, 'left out here for its length: read it with read_attachment')
  if (text === undefined) return renderTag(file, textGone)
  return renderTag(file, reading.note, text)
}

function renderImage(
  file: StoredFile,
  {
    object,
    bytes,
    fits,
  }: Pick<LoadedFile, 'bytes' | 'fits'> & { object: ReturnType<typeof findImageObject> },
): AttachmentContext {
  if (!object) return { text: renderTag(file, 'this image cannot be shown to you') }
  if (!fits) return { text: renderTag(file, 'an earlier image, not shown again') }
  if (!bytes) return { text: renderTag(file, 'its content is not there any more') }
  return {
    text: renderTag(
      file,
      file.type === 'image/gif' && file.preview ? 'its first frame follows as an image' : 'the image follows',
    ),
    image: `data:${object.type};base64,${Buffer.from(bytes).toString('base64')}`,
  }
}
