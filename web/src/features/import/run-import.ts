import { t } from '@lingui/core/macro'
import { getErrorMessage, hasErrorName } from '../../lib/api/api-errors.ts'
import { createUploader, type UploadFile } from './file-uploader.ts'
import { createAttempts } from './import-attempts.ts'
import { noCounts, type ImportCounts } from './import-counts.ts'
import { UnreadableExportError, type ImportWorkerClient } from './import-worker-client.ts'
import { addCounts, createLeftOutCounter, type LeftOut } from './left-out.ts'
import type { SourcedConversation } from './read-export.ts'
import { sendConversations } from './send-conversations.ts'
import { sendLibrary } from './send-library.ts'
import type { ImportProgress, StoredImport } from './stored-import.ts'

/** What to do about an export that cannot be read, by the reason. */
const unreadableTexts = {
  noConversations: t`No conversations that can be imported were found in this file. Exports of ChatGPT, Claude, LibreChat, Open WebUI and of this service can be.`,
  downloadList: t`This file only has the links to your export. Open it, download the archives (zip files) that it names, and choose all of them here together.`,
  damaged: t`This file could not be read. Please download the export again.`,
  notStarted: t`The import could not be started. Please reload the page and try again.`,
}

/** How far an import is. */
export interface ImportStatus {
  counts: ImportCounts
  /** of the export that is read, 0 to 1 */
  share: number
  /** whether the service did not take the last request */
  isWaiting: boolean
}

/** What an import has brought. */
export interface ImportOutcome {
  counts: ImportCounts
  leftOut: LeftOut
  /** the sentence of what ended it too early */
  problem?: string
  /** the error of which `problem` tells */
  cause?: unknown
}

/** What an import works with. */
export interface ImportContext {
  /** reads the files */
  worker: ImportWorkerClient
  uploadFile: UploadFile
  /** ends it */
  signal: AbortSignal
  onChange: (status: ImportStatus) => void
  /** stores how far it is: a page that is loaded again goes on from there */
  saveProgress: (progress: ImportProgress) => Promise<void>
}

/**
 * Reads an export and sends what it has, first its library, because conversations belong to projects.
 * @param before the progress of an import that was interrupted
 * @returns the outcome, also of an import that was cancelled or failed
 */
export async function runImport(
  stored: Pick<StoredImport, 'importId' | 'files'>,
  before: ImportProgress | undefined,
  context: ImportContext,
): Promise<ImportOutcome> {
  const run = createRun(stored, before, context)
  let failure: Pick<ImportOutcome, 'problem' | 'cause'> = {}
  try {
    await run.sendAll()
  } catch (error) {
    if (!context.signal.aborted) failure = { problem: describeProblem(error), cause: error }
  }
  return { ...run.getResult(), ...failure }
}

/** An import that runs. `sendAll` throws what ends it too early; `getResult` has what was done until then. */
function createRun(
  { importId, files }: Pick<StoredImport, 'importId' | 'files'>,
  before: ImportProgress | undefined,
  { worker, uploadFile, signal, onChange, saveProgress }: ImportContext,
) {
  const counts: ImportCounts = { ...(before?.counts ?? noCounts) }
  const status = { share: 0, isWaiting: false }
  const show = (change: Partial<typeof status>) =>
    onChange({ ...Object.assign(status, change), counts: { ...counts } })
  const sentIds = new Set(before?.sentIds)
  const countedIds = new Set<string>()
  const leftOut = createLeftOutCounter(before?.leftOut)
  /** what the reader of the files leaves out, which counts it in all that was read so far */
  let readLeftOut: LeftOut = {}
  const attempts = createAttempts(signal, (isWaiting) => show({ isWaiting }))
  const upload = createUploader({
    uploadFile,
    worker,
    attempts,
    signal,
    leftOut,
    onUpload: () => (counts.files += 1),
  })

  const save = () => saveProgress({ counts: { ...counts }, leftOut: leftOut.getCounts(), sentIds })

  async function sendGroup(conversations: readonly SourcedConversation[]): Promise<void> {
    const sent = await sendConversations(conversations, { importId, countedIds, signal, attempts, upload })
    counts.imported += sent.imported
    counts.extended += sent.extended
    counts.existing += sent.existing
    counts.messages += sent.messages
    leftOut.add('unreadableConversations', { count: sent.rejected })
    leftOut.add('failedConversations', { count: sent.failed })
    leftOut.add('busyConversations', { count: sent.busy })
    leftOut.add('versions', { count: sent.unplaced })
  }

  /** @returns whether it was the last part of the export */
  async function sendNextPart(): Promise<boolean> {
    const read = await worker.request({ type: 'next' })
    signal.throwIfAborted()
    readLeftOut = read.leftOut
    // a page that was loaded again reads the export from its beginning
    const unsent = read.conversations.filter(
      ({ conversation }) => !before?.sentIds.has(conversation.source_id),
    )
    for (const group of groupConversations(unsent)) await sendGroup(group)
    for (const { conversation } of unsent) sentIds.add(conversation.source_id)
    await save()
    show({ share: read.share })
    return read.isDone
  }

  return {
    async sendAll(): Promise<void> {
      show({})
      const { library } = await worker.request({ type: 'open', files })
      if (!before) {
        const { callWithRetries } = attempts
        await sendLibrary(library, { counts, callWithRetries, signal, upload, leftOut })
        await save()
      }
      for (let isDone = false; !isDone;) isDone = await sendNextPart()
      const hasBroughtNothing = counts.imported + counts.extended + counts.existing === 0
      const failure = attempts.getLastFailure()
      if (hasBroughtNothing && leftOut.getCounts().failedConversations && failure) throw failure
    },
    getResult: () => ({ counts, leftOut: addCounts(readLeftOut, leftOut.getCounts()) }),
  }
}

/** Groups of one source, in which each conversation is once: several archives may have it. */
function groupConversations(conversations: readonly SourcedConversation[]): SourcedConversation[][] {
  const groups = new Map<string, SourcedConversation[]>()
  const repeatsById = new Map<string, number>()
  for (const one of conversations) {
    const id = `${one.source} ${one.conversation.source_id}`
    const repeats = repeatsById.get(id) ?? 0
    repeatsById.set(id, repeats + 1)
    const name = `${one.source} ${repeats}`
    const group = groups.get(name) ?? []
    groups.set(name, group)
    group.push(one)
  }
  return [...groups.values()]
}

function describeProblem(error: unknown): string {
  if (error instanceof UnreadableExportError) return unreadableTexts[error.reason]
  if (hasErrorName(error, 'NotReadableError')) return unreadableTexts.damaged
  return getErrorMessage(error)
}
