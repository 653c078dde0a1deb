import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { announce } from '../../lib/announce.ts'
import { callApi } from '../../lib/call-api.ts'
import { createConversationCache } from '../../lib/conversation-cache.ts'
import { createStore, type Store } from '../../lib/create-store.ts'
import type { ChosenFile } from './chosen-files.ts'
import type { UploadFile } from './file-uploader.ts'
import { describeEnd } from './describe-end.ts'
import { noCounts } from './import-counts.ts'
import { createImportWorkerClient, startWorker, type ImportWorkerClient } from './import-worker-client.ts'
import { runImport, type ImportOutcome, type ImportStatus } from './run-import.ts'
import {
  createImportStorage,
  type ImportProgress,
  type ImportStorage,
  type StoredImport,
} from './stored-import.ts'

/** What the import is doing. */
export type ImportState =
  | { phase: 'idle' }
  | ({ phase: 'running' } & ImportStatus)
  | ({ phase: 'ended'; importId: string; isCancelled: boolean } & ImportOutcome)
  | { phase: 'undoing'; importId: string; remaining: number | undefined }

/** Imports an export, and undoes imports; one at a time. It goes on while other pages of the product are shown, until its user signs out. */
export interface ImportService {
  store: Store<ImportState>
  /** @param files archives of one or of several exports, or files of them */
  start: (files: readonly ChosenFile[]) => Promise<void>
  cancel: () => void
  /** @throws what `callApi` throws */
  undo: (importId: string) => Promise<void>
  /** Forgets the result. */
  reset: () => void
  /** Ends what is running: the user has signed out. */
  close: () => void
}

/** The service may use its full time, 29 seconds, for one part of the import, and answer late. */
const undoTimeoutMs = 60_000

/** What the service works with. */
export interface ImportServiceOptions {
  userId: string
  uploadFile: UploadFile
  /** by default the database of the browser */
  storage?: ImportStorage
  /** starts what reads the files, once for each import; by default a worker */
  connectWorker?: () => ImportWorkerClient
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
  const lifetime = new AbortController()
  /** of the import that is running */
  let controller: AbortController | undefined

  async function run(
    stored: Pick<StoredImport, 'importId' | 'files'>,
    before: ImportProgress | undefined,
  ): Promise<void> {
    if (controller || lifetime.signal.aborted) return
    controller = new AbortController()
    const signal = AbortSignal.any([controller.signal, lifetime.signal])
    const worker = connectWorker()
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    const outcome = await runImport(stored, before, {
      worker,
      uploadFile,
      signal,
      onChange: (status) => store.setState({ phase: 'running', ...status }),
      saveProgress: storage.saveProgress,
    }).finally(() => {
      removeEventListener('beforeunload', warn)
      worker.close()
      controller = undefined
    })
    await storage.remove()
    store.setState({
      phase: 'ended',
      importId: stored.importId,
      isCancelled: signal.aborted,
      ...outcome,
    })
    // on whatever page the user is; a problem is an alert on the page of the import
    if (outcome.problem === undefined && !lifetime.signal.aborted) announce(describeEnd(signal.aborted))
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
      store.setState({
        phase: 'ended',
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
        await undoImport(importId, lifetime.signal, (remaining) =>
          store.setState({ phase: 'undoing', importId, remaining }),
        )
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
    close: () => lifetime.abort(),
  }
}

/** Undoes an import, which takes as many requests as the service needs. @throws what `callApi` throws, or the reason of the signal */
async function undoImport(
  importId: string,
  signal: AbortSignal,
  onProgress: (remaining: number) => void,
): Promise<void> {
  for (let remaining = 1; remaining > 0;) {
    signal.throwIfAborted()
    const response = await callApi(
      'imports.undo',
      { params: { importId } },
      { timeoutMs: undoTimeoutMs, signal },
    )
    remaining = response.remaining
    onProgress(remaining)
  }
}

/** Lists, titles, counts and files have changed; a conversation that is shown refreshes itself. */
function refresh(queryClient: QueryClient): void {
  createConversationCache(queryClient).clear()
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'conversation' })
}
