import { maxPreviewBytes } from '#shared/limits.ts'
import { originalKey, previewKey } from '../../files/file-links.ts'
import { isDocument } from '#shared/file-kinds.ts'
import { isRead, type StoredFile } from '../../files/file-row.ts'
import {
  countTableRows,
  describeGiven,
  explainNoText,
  hasText,
  type GivenText,
  type ReadDocument,
} from './document-text.ts'
import type { ContentPart } from '../../models/model.ts'
import type { PromptAttachment } from './resolve-attachments.ts'
import { noPlan, showPages, type PagePlan, type ShownPages } from './shown-pages.ts'
import type { GivenFile } from './transcript.ts'
import { closeTag, joinParts, openTag, renderTag } from './attachment-tags.ts'

// What a prompt says of a file: its text, its picture, or why there is none.

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

/** A file of the history, with what was loaded of it. */
export interface LoadedFile {
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

/**
 * A document as the model sees it: its tag, which says how much of it is given, with its text and pages.
 * @param loaded `file` is undefined if it is not stored any more: then the text of an earlier reading is given, if there is one
 */
export function renderDocument(
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

/** How much of a document the model has been given, for the page. @param given characters of its text */
export function toFileUse(file: ReadDocument, given: number): FileUse {
  const { id, name, text, text_length: of = text.characters } = file
  const rows = countTableRows(file)
  return { id, name, given, of, ...(rows !== undefined && { rows }) }
}

export const toImageUrl = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

/** An image as the model sees it: its tag, and the image itself as a data URL if it fits into the request and is still stored. */
export function renderImage(
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

export const imageTypes = /^image\/(png|jpeg|gif|webp)$/

/** The object to show of an image: the page's smaller copy, or the image itself if it is small enough. */
export function findImageObject(sub: string, { id, type, size: bytes, preview }: StoredFile) {
  if (preview) return { key: previewKey(sub, id), type: preview.type }
  if (imageTypes.test(type) && bytes <= maxPreviewBytes) return { key: originalKey(sub, id), type }
  return undefined
}
