import type { Attachment } from '#shared/contracts/files.ts'
import { isDocument } from '#shared/file-kinds.ts'
import { maxDocumentCharacters, maxPicturesForModel, maxPreviewBytes } from '#shared/limits.ts'
import { capAnalysis } from '../documents/analysis.ts'
import { readDocumentText } from '../documents/document-text.ts'
import type { ConversationFiles } from '../files/conversation-files.ts'
import type { StoredFile } from '../files/stored-file.ts'
import { originalKey, previewKey, type Attached } from '../files/file-links.ts'
import type { SaidAttachment } from './attachments.ts'

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

/**
 * What the files of a conversation come to for the model: the text of documents as material, at most 5 pictures, the rest by
 * name. The newest files first, as long as the budget lasts; a failed analysis is told, and is no content (DOC-10).
 * @param said oldest first
 * @returns by attachment id
 * @throws StoreUnavailable
 */
export async function materialOf(
  { files, store }: Attached<ConversationFiles>,
  sub: string,
  said: readonly Said[],
): Promise<Map<string, Material>> {
  const material = new Map<string, Material>()
  const attachments = said
    .toReversed()
    .flatMap(({ role, attachments: list = [] }) => (role === 'user' ? list : []))
  if (attachments.length === 0) return material
  const stored = await files.findMany(
    sub,
    attachments.map(({ id }) => id),
  )
  let charactersLeft = maxDocumentCharacters
  let picturesLeft = maxPicturesForModel
  for (const attachment of attachments) {
    if (material.has(attachment.id)) continue
    const file = stored.get(attachment.id)
    material.set(attachment.id, file ? await show(file) : recall(attachment))
  }
  return material

  async function show(file: StoredFile): Promise<Material> {
    if (file.type.startsWith('image/')) return showPicture(file)
    if (!isDocument(file)) return { text: block(file, 'its content cannot be read') }
    if (!file.reading) return { text: block(file, 'not analysed, so its content is unknown') }
    if (file.reading.status === 'failed') return { text: block(file, `not readable: ${file.reading.note}`) }
    if (charactersLeft <= 0)
      return { text: block(file, 'left out here for its length: read it with read_attachment') }
    const text = await readDocumentText(store, sub, file.id)
    if (text === undefined) return { text: block(file, 'its text is not there any more') }
    const shown = capAnalysis(text)
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

  async function showPicture(file: StoredFile): Promise<Material> {
    const object = pictureObject(sub, file)
    if (!object) return { text: block(file, 'this picture cannot be shown to you') }
    if (picturesLeft <= 0) return { text: block(file, 'an earlier picture, not shown again') }
    const bytes = await store.read(object.key)
    if (!bytes) return { text: block(file, 'its content is not there any more') }
    picturesLeft -= 1
    return {
      text: block(file, 'the picture follows'),
      picture: `data:${object.type};base64,${Buffer.from(bytes).toString('base64')}`,
    }
  }
}
