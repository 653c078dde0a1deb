import { isImage } from '#shared/file-kinds.ts'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import { isRead, type StoredFile } from '../../files/file-row.ts'
import type { Cut } from '../../conversations/store/message-row.ts'
import type { OpenedReply } from '../reply.ts'
import type { AttachmentContexts } from './attachment-context.ts'
import {
  addSizes,
  chooseCut,
  measureFiles,
  noFiles,
  subtractFiles,
  toTurn,
  type FileSize,
} from './choose-cut.ts'
import type { ContextLimits } from './context-limits.ts'
import { hasLargeTable, hasText } from './document-text.ts'
import { findReadFiles } from './find-read-files.ts'
import type { loadGivenFiles } from './given-files.ts'
import { measureFor, type PromptMessage } from './prompt.ts'
import { contextKey, type PromptAttachment } from './resolve-attachments.ts'
import { pageRoom, planPages } from './shown-pages.ts'
import type { GivenFile } from './transcript.ts'

/** What the files of a message need, at most the whole room. */
async function measureNew(
  deps: ReadingFileDeps,
  sub: string,
  attachments: readonly PromptAttachment[],
  limits: ContextLimits,
  takesPdfs: boolean,
): Promise<FileSize> {
  const ids = attachments.flatMap(({ id }) => (id === '' ? [] : id))
  const files = [...(await findReadFiles(deps, sub, ids)).values()]
  const most = subtractFiles(limits, noFiles)
  const wholeRoom = pageRoom({ maxPagePictures: limits.maxPagePictures, takesPdfs })
  const withTables = files.filter(({ tables }) => tables)
  const tableBytes =
    withTables.length > 0 ? (await import('./table-context.ts')).countTableBytes(withTables) : 0
  const need = {
    ...noFiles,
    documentBytes: Math.min(most.documentBytes, tableBytes),
    images: Math.min(files.filter(isImage).length, most.images),
  }
  for (const file of files) {
    // of one that is calculated with, either all of its text is given or none
    const isRead = hasText(file) && !(hasLargeTable(file) && file.text.bytes > most.documentBytes)
    const bytes = isRead ? file.text.bytes : 0
    const plan = planPages(file, wholeRoom, most.documentBytes)
    need.documentBytes = Math.min(most.documentBytes, need.documentBytes + bytes + plan.bytes)
    need.pictures += plan.pictures
    need.pdfPages += plan.pdfPages
    need.pdfBytes += plan.pdfBytes
  }
  return need
}

/** Files that were still being read when they were given, and are read by now: the new message has them. */
async function findReadSince(
  { files }: ReadingFileDeps,
  sub: string,
  history: readonly PromptMessage[],
): Promise<PromptAttachment[]> {
  const given = history.flatMap((message) => message.given?.files ?? [])
  const pending = given.filter(
    ({ id, isPending }) => isPending && given.findLast((one) => one.id === id)?.isPending,
  )
  if (pending.length === 0) return []
  const found = await files.findMany(
    sub,
    pending.map(({ id }) => id),
  )
  const read = new Set([...found.values()].filter(isRead).map(({ id }) => id))
  return history
    .flatMap(({ role, attachments = [] }) => (role === 'user' ? attachments : []))
    .filter(({ id }, index, all) => read.has(id) && all.findIndex((one) => one.id === id) === index)
}

/** What a prompt has of the files of a conversation, and where it is cut. */
export async function loadConversationFiles(
  deps: ReadingFileDeps,
  { sub, history, hasEarlier, model: server, modelName: model, progress }: OpenedReply,
  limits: ContextLimits,
  project: { files: readonly StoredFile[]; size: FileSize },
): Promise<{
  cut: Cut | undefined
  /** the history; the new message has files that were read since */
  conversation: readonly PromptMessage[]
  contexts: AttachmentContexts
  givenFiles: Awaited<ReturnType<typeof loadGivenFiles>>
}> {
  const takesPdfs = (await server.takesPdfs?.()) ?? false
  const newest = history.at(-1)
  const isNew = newest?.role === 'user' && !progress.given
  const conversation = !newest
    ? history
    : [
        ...history.slice(0, -1),
        isNew
          ? {
              ...newest,
              attachments: [
                ...(newest.attachments ?? []),
                ...(await findReadSince(deps, sub, history.slice(0, -1))),
              ],
            }
          : { ...newest, ...(progress.given && { given: progress.given }) },
      ]
  const attachments = (isNew && conversation.at(-1)?.attachments) || []
  const cut = chooseCut(conversation, {
    measure: measureFor(limits),
    limits,
    model,
    hasEarlier,
    previous: progress.cut ?? history.findLast((message) => message.cut)?.cut,
    need: attachments.length > 0 ? await measureNew(deps, sub, attachments, limits, takesPdfs) : noFiles,
  })
  const { from = 0, whole = 0 } = cut ?? {}
  const sent = conversation.filter((message, index) => toTurn(message, index) >= from)
  const isWhole = (message: PromptMessage) => toTurn(message, conversation.indexOf(message)) >= whole
  const given = measureFiles(
    sent.filter(isWhole).flatMap((message): readonly GivenFile[] => message.given?.files ?? []),
  )
  // a file that is not stored comes with the request, also when its reply goes on
  const notGiven = sent.map((message) =>
    message.given
      ? { ...message, attachments: message.attachments?.filter(({ id }) => id === '') ?? [] }
      : message,
  )
  const ids = conversation.flatMap((message) => message.given?.files.map(({ id }) => id) ?? [])
  const stored: ReadonlyMap<string, StoredFile> =
    ids.length > 0 ? await deps.files.findMany(sub, [...new Set(ids)]) : new Map()
  const room = subtractFiles(limits, addSizes(given, project.size))
  // most conversations have no files
  const loadContexts = async () => {
    const { loadAttachmentContexts } = await import('./attachment-context.ts')
    return loadAttachmentContexts(
      deps,
      sub,
      notGiven,
      {
        documentBytes: room.documentBytes,
        images: room.images,
        // a model that sees no images sees no PDFs
        pages: { ...room, ...(!(takesPdfs && limits.maxPagePictures > 0) && { pdfPages: 0 }) },
      },
      [...project.files, ...ids.flatMap((id) => stored.get(id) ?? [])],
    )
  }
  const [contexts, givenFiles] = await Promise.all([
    notGiven.some((message) => message.attachments?.length) ? loadContexts() : new Map(),
    ids.length > 0
      ? import('./given-files.ts').then((module) => module.loadGivenFiles(deps, sub, sent, stored, isWhole))
      : new Map(),
  ])
  return { cut, conversation, contexts, givenFiles }
}

/** The files of a message as they are given with it. */
export const listGiven = (
  message: PromptMessage | undefined,
  contexts: AttachmentContexts,
): readonly GivenFile[] =>
  (message?.attachments ?? []).flatMap((one) => contexts.get(contextKey(one))?.given ?? [])
