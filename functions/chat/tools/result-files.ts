import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { maxImagesForModel } from '../../platform/limits.ts'
import { maxPreviewBytes } from '#shared/limits.ts'
import { isDocument, isImage } from '#shared/file-kinds.ts'
import { documentKind } from '../../documents/document-kind.ts'
import { deleteFile, saveRowOrDelete } from '../../files/delete-files.ts'
import { finishFile } from '../../files/finish-file.ts'
import { identifyFile } from '../../files/detect-type.ts'
import { decodeText, type UntrustedFile } from '../../platform/untrusted-file.ts'
import { originalKey, toLinkedAttachment, type ReadingFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { AppError } from '../../platform/errors.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { putObject } from '../../platform/s3/object-writer.ts'
import type { ReplyLog } from '../../conversations/store/reply-log.ts'
import type { ToolIntegration } from '../../tools/calls/tool.ts'
import type { ModelMessage, ToolImage } from '../../models/model.ts'
import type { Progress } from '../progress.ts'

const megabyte = 1024 * 1024
/** Of one file. A server's response has 8 MB, which base64 fills with 6 MB of files. */
const maxFileBytes = 5 * megabyte
const maxFilesPerResult = 10
const maxFilesPerReply = 30
/** In a temporary chat files are sent inside the reply's events, and stored nowhere. */
const maxInlineBytes = megabyte
const maxInlineBytesPerReply = 4 * megabyte

/** What became of the files of a result. */
export interface SavedFiles {
  /** sentences for the user and the model */
  notes: Sentence[]
  /** images that the model is shown */
  images: ToolImage[]
  /** documents, which the model reads by their ids */
  documents?: StoredFile[]
}

export interface ResultFilesInput {
  sub: string
  /** the conversation that the files belong to; undefined for one that is not stored */
  sessionId?: string | undefined
  progress: Pick<Progress, 'roundMessages'>
  events: ReplyLog
}

const toDataUrl = (type: string, bytes: Uint8Array) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

const countImages = (roundMessages: readonly ModelMessage[]) =>
  roundMessages.reduce(
    (sum, message) => sum + (message.role === 'tool' ? (message.images?.length ?? 0) : 0),
    0,
  )

/** Stores a file of the user, for a day if no conversation is stored that could have it. @throws StorageFull, ObjectStoreUnavailable, what the table throws */
export async function storeFile(
  { files, store, startReading }: ReadingFileDeps,
  { sub, sessionId }: Pick<ResultFilesInput, 'sub' | 'sessionId'>,
  file: StoredFile,
  bytes: Uint8Array,
): Promise<Attachment> {
  // the row first: an object without a row would never be deleted
  await files.put(sub, { ...file, state: 'incoming' })
  try {
    const key = originalKey(sub, file.id)
    await putObject(store, { key, body: bytes, type: file.type })
    await saveRowOrDelete(store, [key], async () => {
      await finishFile({ files, startReading }, sub, file)
      // a conversation that is deleted while its reply waits takes the file with it
      if (sessionId !== undefined) await files.addReference(sub, file.id, sessionId)
      else await files.setExpiry(sub, file.id, Date.now())
    })
  } catch (error) {
    await deleteFile({ files, store }, sub, file.id).catch(() => undefined)
    throw error
  }
  return toLinkedAttachment(store, sub, file)
}

/** Shows the files of a tool's result. */
export type ShowFiles = (
  untrusted: readonly UntrustedFile[],
  integration: Pick<ToolIntegration, 'name'> | undefined,
) => Promise<SavedFiles>

/**
 * Shows the files of tools' results in one reply: stored among the user's files, or inside the events of a temporary chat.
 * It never throws: what cannot be stored is left out, and a sentence tells the model.
 */
export function showResultFiles(fileDeps: ReadingFileDeps, input: ResultFilesInput): ShowFiles {
  const { sessionId, progress, events } = input
  const maxBytes = sessionId === undefined ? maxInlineBytes : maxFileBytes
  let fileCount = events.reply.attachments.length
  let imageCount = countImages(progress.roundMessages)
  let inlineBytes = 0

  /** @returns why a file is not shown */
  function findProblem(name: string, { length }: Uint8Array): Sentence | undefined {
    const isTemporary = sessionId === undefined
    if (length === 0) return sayTool('file_left_out.empty', { name })
    if (length > maxBytes)
      return sayTool(isTemporary ? 'file_left_out.too_large_temporary' : 'file_left_out.too_large', {
        name,
        megabytes: maxBytes / megabyte,
      })
    if (fileCount >= maxFilesPerReply)
      return sayTool('file_left_out.too_many', { name, max: maxFilesPerReply })
    if (isTemporary && inlineBytes + length > maxInlineBytesPerReply)
      return sayTool('file_left_out.too_much_temporary', {
        name,
        megabytes: maxInlineBytesPerReply / megabyte,
      })
    return undefined
  }

  /** A document is stored as well, unless its result has its text: the service reads no other. @returns whether it is stored */
  async function showInline(file: StoredFile, bytes: Uint8Array): Promise<boolean> {
    const { id, name, type, size, integration } = file
    inlineBytes += bytes.length
    // a browser must not open a text as a page
    const isMedia = isImage(file) || type.startsWith('audio/')
    const url = toDataUrl(isMedia ? type : 'application/octet-stream', bytes)
    const attachment = { id, name, type, size, url, ...(integration !== undefined && { integration }) }
    events.push({ type: 'data-attachment', data: attachment })
    const isPlain = /^(?:text|csv)$/.test(documentKind(file) ?? '') && decodeText(bytes) !== undefined
    if (!isDocument(file) || isPlain) return false
    return storeFile(fileDeps, input, file, bytes).then(
      () => true,
      () => false,
    )
  }

  async function showStored(file: StoredFile, bytes: Uint8Array): Promise<boolean> {
    const attachment = await storeFile(fileDeps, input, file, bytes)
    if (attachment.url) events.push({ type: 'file', url: attachment.url, mediaType: file.type })
    events.push({ type: 'data-attachment', data: attachment })
    return isDocument(file)
  }

  /** @returns the file's image for the model, or why it gets none */
  function toImage({ id, name, type }: StoredFile, bytes: Uint8Array): ToolImage | Sentence {
    if (bytes.length > maxPreviewBytes || imageCount >= maxImagesForModel)
      return sayTool('file_shown_only', { name })
    imageCount += 1
    return { url: toDataUrl(type, bytes), ...(sessionId !== undefined && { fileId: id }) }
  }

  async function showFile(
    untrusted: UntrustedFile,
    integration: Pick<ToolIntegration, 'name'> | undefined,
  ): Promise<ToolImage | Sentence | StoredFile | undefined> {
    const { bytes } = untrusted
    const identified = identifyFile(untrusted)
    if (!identified) return sayTool('file_left_out.program')
    const { name } = identified
    const problem = findProblem(name, bytes)
    if (problem !== undefined) return problem
    fileCount += 1
    const file: StoredFile = {
      ...identified,
      id: crypto.randomUUID(),
      size: bytes.length,
      state: 'ready',
      created_at: new Date().toISOString(),
      ...(integration && { integration: integration.name }),
    }
    let isRead = false
    try {
      isRead = await (sessionId === undefined ? showInline : showStored)(file, bytes)
    } catch (error) {
      if (!(error instanceof AppError)) logger.error('a file of a tool could not be stored', { error })
      return error instanceof AppError
        ? sayTool('file_left_out.not_stored', { name, why: error.sentence })
        : sayTool('file_left_out.store_failed', { name })
    }
    return isImage(file) ? toImage(file, bytes) : isRead ? file : undefined
  }

  return async (untrusted, integration) => {
    const saved: SavedFiles = { notes: [], images: [] }
    for (const one of untrusted.slice(0, maxFilesPerResult)) {
      const result = await showFile(one, integration)
      if (!result) continue
      if ('code' in result) saved.notes.push(result)
      else if ('state' in result) (saved.documents ??= []).push(result)
      else saved.images.push(result)
    }
    const more = untrusted.length - maxFilesPerResult
    if (more > 0) saved.notes.push(sayTool('files_left_out', { count: more, max: maxFilesPerResult }))
    return saved
  }
}

/** Loads the images of a reply that waited: with it, only the ids of their files were stored. */
export async function loadResultImages(
  { files, store }: ReadingFileDeps,
  sub: string,
  roundMessages: readonly ModelMessage[],
): Promise<void> {
  for (const message of roundMessages) {
    if (message.role !== 'tool' || !message.images) continue
    const images = await Promise.all(
      message.images.map(async (image): Promise<ToolImage[]> => {
        if (image.url !== undefined || image.fileId === undefined) return [image]
        const file = await files.find(sub, image.fileId).catch(() => undefined)
        const bytes = file?.state === 'ready' ? await store.read(originalKey(sub, file.id)) : undefined
        // deleted meanwhile
        return file && bytes ? [{ ...image, url: toDataUrl(file.type, bytes) }] : []
      }),
    )
    message.images = images.flat()
  }
}
