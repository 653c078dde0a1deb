import type { Attachment } from '#shared/contracts/files.ts'
import { isDocument } from '#shared/file-kinds.ts'
import { maxDocumentCharacters, maxPicturesForModel, maxPreviewBytes } from '#shared/limits.ts'
import { capAnalysis } from '../../documents/analysis.ts'
import { readDocumentText } from '../../documents/document-text.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { originalKey, previewKey, type MessageFileDeps } from '../../files/file-links.ts'
import type { PromptAttachment } from './resolve-attachments.ts'

/** What the prompt contains of one file. */
export interface AttachmentContext {
  /** a block that names the file, with its text where there is one */
  text: string
  /** data URL of a picture */
  picture?: string
}

interface HistoryMessage {
  role: 'user' | 'assistant'
  attachments?: readonly PromptAttachment[]
}

const formatSize = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
/** Names and types are user input: they must not close the tag. */
const toAttribute = (text: string) => text.replace(/["<>&\s]+/g, ' ').trim()
/** A document's text must not close its own tag. */
const escapeTags = (text: string) => text.replace(/<(?=\/?attachment)/gi, '< ')

function renderTag({ id, name, type, size: bytes }: Attachment, note: string, text = ''): string {
  const tag = `<attachment id="${toAttribute(id)}" name="${toAttribute(name)}" type="${toAttribute(type)}" size="${formatSize(bytes)}" note="${toAttribute(note)}"`
  return text === '' ? `${tag}/>` : `${tag}>\n${escapeTags(text)}\n</attachment>`
}

const pictureTypes = /^image\/(png|jpeg|gif|webp)$/

/** The object to show of a picture: the page's smaller copy, or the picture itself where it is small enough. */
function pictureObject(sub: string, { id, type, size: bytes, preview }: StoredFile) {
  if (preview) return { key: previewKey(sub, id), type: preview.type }
  if (pictureTypes.test(type) && bytes <= maxPreviewBytes) return { key: originalKey(sub, id), type }
  return undefined
}

/** A file without an id is its own key. */
export const contextKey = (attachment: PromptAttachment): string | PromptAttachment =>
  attachment.id === '' ? attachment : attachment.id

/** Contexts of files, by `contextKey`. */
export type AttachmentContexts = ReadonlyMap<string | PromptAttachment, AttachmentContext>

/** Objects read at once; the last batch may read more than the budget needs. */
const readsAtOnce = 6

/**
 * Loads what the model gets of a conversation's files: text of documents, at most 5 images, the rest by name. The newest files come
 * first, as long as the budget lasts. A failed analysis is mentioned, without content.
 * @param history oldest first
 * @throws ObjectStoreUnavailable
 */
export async function loadAttachmentContexts(
  { files, store }: MessageFileDeps,
  sub: string,
  history: readonly HistoryMessage[],
): Promise<AttachmentContexts> {
  const contexts = new Map<string | PromptAttachment, AttachmentContext>()
  const all = history
    .toReversed()
    .flatMap(({ role, attachments: list = [] }) => (role === 'user' ? list : []))
  // one that was sent more than once is shown as its newest message has it
  const attachments = all.filter(
    (one, index) => all.findIndex((other) => contextKey(other) === contextKey(one)) === index,
  )
  if (attachments.length === 0) return contexts
  const stored = await files.findMany(
    sub,
    attachments.flatMap(({ id }) => (id === '' ? [] : id)),
  )
  let charactersLeft = maxDocumentCharacters
  let picturesLeft = maxPicturesForModel
  for (let at = 0; at < attachments.length; at += readsAtOnce) {
    const batch = attachments.slice(at, at + readsAtOnce)
    const contents = await Promise.all(batch.map(({ id }) => readContent(stored.get(id))))
    for (const [index, attachment] of batch.entries()) {
      const file = stored.get(attachment.id)
      contexts.set(
        contextKey(attachment),
        file ? renderFile(file, contents[index]) : renderFromText(attachment),
      )
    }
  }
  return contexts

  /** Text of a document or bytes of a picture, where they can be shown and the budget is not used up yet. */
  async function readContent(file: StoredFile | undefined): Promise<string | Uint8Array | undefined> {
    if (!file) return undefined
    if (file.type.startsWith('image/')) {
      const object = pictureObject(sub, file)
      return object && picturesLeft > 0 ? store.read(object.key) : undefined
    }
    if (!isDocument(file) || !file.reading || file.reading.status === 'failed') return undefined
    return charactersLeft > 0 ? readDocumentText(store, sub, file.id) : undefined
  }

  function renderFile(file: StoredFile, content: string | Uint8Array | undefined): AttachmentContext {
    if (file.type.startsWith('image/')) return renderPicture(file, content)
    if (!isDocument(file)) return { text: renderTag(file, 'its content cannot be read') }
    if (!file.reading) return { text: renderTag(file, 'not analysed, so its content is unknown') }
    if (file.reading.status === 'failed')
      return { text: renderTag(file, `not readable: ${file.reading.note}`) }
    if (charactersLeft <= 0)
      return { text: renderTag(file, 'left out here for its length: read it with read_attachment') }
    if (typeof content !== 'string') return { text: renderTag(file, 'its text is not there any more') }
    const shown = capAnalysis(content)
    charactersLeft -= shown.length
    return { text: renderTag(file, file.reading.note, shown) }
  }

  /** Renders a document that is not stored, from the text that the page sent. */
  function renderFromText(attachment: PromptAttachment): AttachmentContext {
    const { extractedText = '' } = attachment
    if (extractedText === '' || charactersLeft <= 0)
      return { text: renderTag(attachment, 'not kept any more') }
    charactersLeft -= extractedText.length
    return { text: renderTag(attachment, 'as it was read before', extractedText) }
  }

  function renderPicture(file: StoredFile, bytes: string | Uint8Array | undefined): AttachmentContext {
    const object = pictureObject(sub, file)
    if (!object) return { text: renderTag(file, 'this picture cannot be shown to you') }
    if (picturesLeft <= 0) return { text: renderTag(file, 'an earlier picture, not shown again') }
    if (!(bytes instanceof Uint8Array)) return { text: renderTag(file, 'its content is not there any more') }
    picturesLeft -= 1
    return {
      text: renderTag(file, 'the picture follows'),
      picture: `data:${object.type};base64,${Buffer.from(bytes).toString('base64')}`,
    }
  }
}
