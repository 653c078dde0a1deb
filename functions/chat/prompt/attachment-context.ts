import { isDocument } from '#shared/file-kinds.ts'
import { maxImagesForModel } from '../../platform/limits.ts'
import type { StoredFile } from '../../files/file-row.ts'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import { hasLargeTable, hasText, planBytes, readPlanned } from './document-text.ts'
import { findReadFiles } from './find-read-files.ts'
import { contextKey, type PromptAttachment } from './resolve-attachments.ts'
import { noPages, noPlan, noRoom, planPages, readPages, type PageRoom } from './shown-pages.ts'
import { findStableStart } from './stable-start.ts'
import {
  type AttachmentContext,
  findImageObject,
  type LoadedFile,
  renderDocument,
  renderImage,
} from './render-attachment.ts'

interface HistoryMessage {
  role: 'user' | 'assistant'
  attachments?: readonly PromptAttachment[]
  /** its turn in the conversation, if it is stored */
  turn?: number
}

/** Contexts of files, by `contextKey`. */
export type AttachmentContexts = ReadonlyMap<string | PromptAttachment, AttachmentContext>

/** Objects read at once; the last batch may read more than the budget needs. */
const readsAtOnce = 6

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
