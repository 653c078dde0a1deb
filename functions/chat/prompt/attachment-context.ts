import type { Attachment } from '#shared/contracts/files.ts'
import { isDocument } from '#shared/file-kinds.ts'
import { maxDocumentCharacters, maxPicturesForModel, maxPreviewBytes } from '#shared/limits.ts'
import { capAnalysis } from '../../documents/analysis.ts'
import { readDocumentText } from '../../documents/document-text.ts'
import type { ConversationFiles } from '../../files/conversation-files.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { originalKey, previewKey, type Attached } from '../../files/file-links.ts'
import type { SaidAttachment } from './resolve-attachments.ts'

/** What the model is shown of one file. */
export interface Material {
  /** a block that names the file, with its text where there is one */
  text: string
  /** data URL of a picture */
  picture?: string
}

interface Said {
  role: 'user' | 'assistant'
  attachments?: readonly SaidAttachment[]
}

const size = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
/** Names and types are the user's: they must not end the tag that they stand in. */
const attribute = (text: string) => text.replace(/["<>&\s]+/g, ' ').trim()
/** Nor may a document's text end the block that it stands in. */
const enclosed = (text: string) => text.replace(/<(?=\/?attachment)/gi, '< ')

function block({ id, name, type, size: bytes }: Attachment, note: string, text = ''): string {
  const tag = `<attachment id="${attribute(id)}" name="${attribute(name)}" type="${attribute(type)}" size="${size(bytes)}" note="${attribute(note)}"`
  return text === '' ? `${tag}/>` : `${tag}>\n${enclosed(text)}\n</attachment>`
}

const pictureTypes = /^image\/(png|jpeg|gif|webp)$/

/** The object to show of a picture: the page's smaller copy, or the picture itself where it is small enough. */
function pictureObject(sub: string, { id, type, size: bytes, preview }: StoredFile) {
  if (preview) return { key: previewKey(sub, id), type: preview.type }
  if (pictureTypes.test(type) && bytes <= maxPreviewBytes) return { key: originalKey(sub, id), type }
  return undefined
}

/** A file without an id is known by the page's words alone, and by no other name than itself. */
export const materialKey = (attachment: SaidAttachment): string | SaidAttachment =>
  attachment.id === '' ? attachment : attachment.id

/** Material of files, by `materialKey`. */
export type Materials = ReadonlyMap<string | SaidAttachment, Material>

/** So many objects are read at the same moment; what the budget has no room for may be among the last of them. */
const readsAtOnce = 6

/**
 * What the files of a conversation come to for the model: the text of documents as material, at most 5 pictures, the rest by
 * name. The newest files first, as long as the budget lasts; a failed analysis is told, and is no content (DOC-10).
 * @param said oldest first
 * @throws ObjectStoreUnavailable
 */
export async function materialOf(
  { files, store }: Attached<ConversationFiles>,
  sub: string,
  said: readonly Said[],
): Promise<Materials> {
  const material = new Map<string | SaidAttachment, Material>()
  const all = said.toReversed().flatMap(({ role, attachments: list = [] }) => (role === 'user' ? list : []))
  // one that was sent more than once is shown as its newest message has it
  const attachments = all.filter(
    (one, index) => all.findIndex((other) => materialKey(other) === materialKey(one)) === index,
  )
  if (attachments.length === 0) return material
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
      material.set(materialKey(attachment), file ? show(file, contents[index]) : recall(attachment))
    }
  }
  return material

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

  function show(file: StoredFile, content: string | Uint8Array | undefined): Material {
    if (file.type.startsWith('image/')) return showPicture(file, content)
    if (!isDocument(file)) return { text: block(file, 'its content cannot be read') }
    if (!file.reading) return { text: block(file, 'not analysed, so its content is unknown') }
    if (file.reading.status === 'failed') return { text: block(file, `not readable: ${file.reading.note}`) }
    if (charactersLeft <= 0)
      return { text: block(file, 'left out here for its length: read it with read_attachment') }
    if (typeof content !== 'string') return { text: block(file, 'its text is not there any more') }
    const shown = capAnalysis(content)
    charactersLeft -= shown.length
    return { text: block(file, file.reading.note, shown) }
  }

  /** A document that is not kept, by the text that the page still has. */
  function recall(attachment: SaidAttachment): Material {
    const { extractedText = '' } = attachment
    if (extractedText === '' || charactersLeft <= 0) return { text: block(attachment, 'not kept any more') }
    charactersLeft -= extractedText.length
    return { text: block(attachment, 'as it was read before', extractedText) }
  }

  function showPicture(file: StoredFile, bytes: string | Uint8Array | undefined): Material {
    const object = pictureObject(sub, file)
    if (!object) return { text: block(file, 'this picture cannot be shown to you') }
    if (picturesLeft <= 0) return { text: block(file, 'an earlier picture, not shown again') }
    if (!(bytes instanceof Uint8Array)) return { text: block(file, 'its content is not there any more') }
    picturesLeft -= 1
    return {
      text: block(file, 'the picture follows'),
      picture: `data:${object.type};base64,${Buffer.from(bytes).toString('base64')}`,
    }
  }
}
