import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import type { Attachment } from '#shared/contracts/files.ts'
import { getErrorMessage, hasErrorName } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { createConversationCache } from '../../lib/conversation-cache.ts'
import { createStore, type Store } from '../../lib/create-store.ts'
import type { ChosenFile } from './chosen-files.ts'
import {
  createImportWorkerClient,
  startWorker,
  UnreadableExportError,
  type ImportWorkerClient,
} from './import-worker-client.ts'
import { createUploader } from './file-uploader.ts'
import { createAttempts } from './import-attempts.ts'
import { addCounts, createLeftOutCounter, type LeftOut } from './left-out.ts'
import type { SourcedConversation } from './read-export.ts'
import { sendConversations } from './send-conversations.ts'
import { sendLibrary, type LibraryCounts } from './send-library.ts'
import {
  createImportStorage,
  type ImportProgress,
  type ImportStorage,
  type StoredImport,
} from './stored-import.ts'

const unreadable = {
  noConversations: t`No conversations that can be imported were found in this file. Exports of ChatGPT, Claude, LibreChat, Open WebUI and of this service can be.`,
  downloadList: t`This file only has the links to your export. Open it, download the archives (zip files) that it names, and choose all of them here together.`,
  damaged: t`This file could not be read. Please download the export again.`,
  notStarted: t`The import could not be started. Please reload the page and try again.`,
}

/** How much an import has brought. */
export interface ImportCounts extends LibraryCounts {
  imported: number
  /** conversations that were here already, and got the messages that are newer at their source */
  extended: number
  existing: number
  messages: number
  files: number
}

/** What the import is doing. */
export type ImportState =
  | { phase: 'idle' }
  /** `share`: of the export that is read, 0 to 1; `isWaiting`: the service did not take the last request */
  | { phase: 'running'; share: number; isWaiting: boolean; counts: ImportCounts }
  /** `problem`: the sentence of what ended it too early */
  | {
      phase: 'ended'
      importId: string
      isCancelled: boolean
      problem?: string
      counts: ImportCounts
      leftOut: LeftOut
    }
  | { phase: 'undoing'; importId: string; remaining: number | undefined }

/** Imports an export, and undoes imports; one at a time. It goes on while other pages of the product are shown. */
export interface ImportService {
  store: Store<ImportState>
  /** @param files archives of one or of several exports, or files of them */
  start: (files: readonly ChosenFile[]) => Promise<void>
  cancel: () => void
  /** @throws what `callApi` throws */
  undo: (importId: string) => Promise<void>
  /** Forgets the result. */
  reset: () => void
  close: () => void
}

const undoTimeoutMs = 60_000

/** Uploads a file of the user. @throws what `callApi` throws, or an error that is named after a refusal */
export type UploadFile = (file: File, signal: AbortSignal) => Promise<Pick<Attachment, 'id'>>

/** @property storage and `connectWorker` are replaced in tests */
export interface ImportServiceOptions {
  userId: string
  uploadFile: UploadFile
  storage?: ImportStorage
  connectWorker?: () => ImportWorkerClient
}

const noCounts: ImportCounts = {
  imported: 0,
  extended: 0,
  existing: 0,
  messages: 0,
  files: 0,
  projects: 0,
  prompts: 0,
  memories: 0,
  hasInstructions: false,
}

/** Creates the service. It goes on with an import that was running when the page was reloaded. */
export function createImportService(
  queryClient: QueryClient,
  {
    userId,
    uploadFile,
    storage = createImportStorage(),
    connectWorker = () => createImportWorkerClient(startWorker()),
  }: ImportServiceOptions,
): ImportService {
  const store = createStore<ImportState>({ phase: 'idle' })
  let controller: AbortController | undefined
  const end = (result: Omit<Extract<ImportState, { phase: 'ended' }>, 'phase'>) =>
    store.setState({ phase: 'ended', ...result })

  async function run(
    { importId, files }: Pick<StoredImport, 'importId' | 'files'>,
    before: ImportProgress | undefined,
  ): Promise<void> {
    if (controller) return
    controller = new AbortController()
    const { signal } = controller
    const leftOut = createLeftOutCounter()
    const counts: ImportCounts = { ...noCounts, ...before?.counts }
    const importedIds = new Set(before?.importedIds)
    let hasSentLibrary = before?.hasSentLibrary ?? false
    let readLeftOut: LeftOut = {}
    let problem: string | undefined
    const show = (change: { share?: number; isWaiting?: boolean }) => {
      const { share = 0, isWaiting = false } = { ...store.getState(), ...change } as typeof change
      store.setState({ phase: 'running', share, isWaiting, counts: { ...counts } })
    }
    show({})
    const worker = connectWorker()
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    const saveProgress = () => storage.saveProgress({ counts: { ...counts }, importedIds, hasSentLibrary })

    const attempts = createAttempts(signal, (isWaiting) => show({ isWaiting }))
    const { callWithRetries } = attempts
    const upload = createUploader({
      uploadFile,
      worker,
      attempts,
      signal,
      leftOut,
      onUpload: () => (counts.files += 1),
    })

    try {
      const { library } = await worker.request({ type: 'open', files })
      // first, because conversations belong to projects
      if (!hasSentLibrary)
        Object.assign(counts, await sendLibrary(library, { callWithRetries, signal, upload }, leftOut))
      hasSentLibrary = true
      for (let isDone = false; !isDone;) {
        const read = await worker.request({ type: 'next' })
        signal.throwIfAborted()
        readLeftOut = read.leftOut
        const missing = read.conversations.filter(
          ({ conversation }) => !before?.importedIds.has(conversation.source_id),
        )
        for (const conversations of groupConversations(missing)) {
          const options = { importId, importedIds, signal, attempts, upload }
          const sent = await sendConversations(conversations, options)
          counts.imported += sent.imported
          counts.extended += sent.extended
          counts.existing += sent.existing
          counts.messages += sent.messages
          leftOut.add('unreadableConversations', { count: sent.rejected })
          leftOut.add('failedConversations', { count: sent.failed })
          leftOut.add('busyConversations', { count: sent.busy })
          leftOut.add('versions', { count: sent.unplaced })
        }
        await saveProgress()
        isDone = read.isDone
        show({ share: read.share })
      }
      const hasBroughtNothing = counts.imported + counts.extended + counts.existing === 0
      if (hasBroughtNothing && leftOut.getCounts().failedConversations) throw attempts.getLastFailure()
    } catch (error) {
      if (!signal.aborted) problem = describeProblem(error)
    } finally {
      removeEventListener('beforeunload', warn)
      worker.close()
      controller = undefined
      await storage.remove()
    }
    end({
      importId,
      isCancelled: signal.aborted,
      ...(problem !== undefined && { problem }),
      counts,
      leftOut: addCounts(readLeftOut, leftOut.getCounts()),
    })
    refresh(queryClient)
  }

  async function resume(): Promise<void> {
    const interruptedImport = await storage.read()
    if (interruptedImport && interruptedImport.stored.userId !== userId) return storage.remove()
    if (interruptedImport)
      await storage.runInOneTab(() => run(interruptedImport.stored, interruptedImport.progress))
  }
  void resume()

  async function start(files: readonly ChosenFile[]): Promise<void> {
    if (controller || store.getState().phase === 'undoing') return
    const stored = { userId, importId: crypto.randomUUID(), files }
    const hasRun = await storage.runInOneTab(async () => {
      await storage.remove()
      // not awaited: storing large files takes long, and serves a reload only
      void storage.begin(stored)
      await run(stored, undefined)
    })
    if (!hasRun)
      end({
        importId: stored.importId,
        isCancelled: false,
        problem: t`An import is running in another tab of this browser. Wait until it has finished.`,
        counts: noCounts,
        leftOut: {},
      })
  }

  return {
    store,
    start,
    cancel: () => controller?.abort(),

    async undo(importId) {
      const before = store.getState()
      store.setState({ phase: 'undoing', importId, remaining: undefined })
      try {
        for (let remaining = 1; remaining > 0;) {
          const response = await callApi(
            'imports.undo',
            { params: { importId } },
            { timeoutMs: undoTimeoutMs },
          )
          remaining = response.remaining
          store.setState({ phase: 'undoing', importId, remaining })
        }
        const isShown = before.phase === 'ended' && before.importId !== importId
        store.setState(isShown ? before : { phase: 'idle' })
      } catch (error) {
        store.setState(before)
        throw error
      } finally {
        refresh(queryClient)
      }
    },

    reset: () => store.setState({ phase: 'idle' }),
    close: () => controller?.abort(),
  }
}

/** Lists, titles, counts and files have changed; a conversation that is shown refreshes itself. */
function refresh(queryClient: QueryClient): void {
  createConversationCache(queryClient).clear()
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'conversation' })
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
  if (error instanceof UnreadableExportError) return unreadable[error.reason]
  if (hasErrorName(error, 'NotReadableError')) return unreadable.damaged
  return getErrorMessage(error)
}
