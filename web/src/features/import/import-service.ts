import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { announce } from '../../lib/browser/announce.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { createConversationCache } from '../../lib/conversations/conversation-cache.ts'
import { createStore, type Store } from '../../lib/browser/create-store.ts'
import type { ChosenFile } from './chosen-files.ts'
import type { UploadFile } from './file-uploader.ts'
import { describeEnd } from './describe-end.ts'
import { importTimeoutMs } from './import-attempts.ts'
import { noCounts } from './import-counts.ts'
import { createImportWorkerClient, startWorker, type ImportWorkerClient } from './import-worker-client.ts'
import { runImport, type ImportOutcome, type ImportStatus } from './run-import.ts'
import { createImportStorage, type ImportStorage, type InterruptedImport } from './stored-import.ts'

/** What the import is doing. `remaining`: conversations that are still to be undone, once known. */
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

/** What the service works with. */
export interface ImportServiceOptions {
  userId: string
  uploadFile: UploadFile
  /** by default the database of the browser */
  storage?: ImportStorage
  /** starts what reads the files, once for each import; by default a worker */
  connectWorker?: (signal: AbortSignal) => ImportWorkerClient
}

/** Creates the service, which goes on with an import that was running when the page was closed or reloaded. */
export function createImportService(
  queryClient: QueryClient,
  {
    userId,
    uploadFile,
    storage = createImportStorage(),
    connectWorker = (signal) => createImportWorkerClient(startWorker(), signal),
  }: ImportServiceOptions,
): ImportService {
  const store = createStore<ImportState>({ phase: 'idle' })
  const lifetime = new AbortController()
  /** of the import that begins or is running */
  let controller: AbortController | undefined

  /** Runs an import, unless this tab runs one. @returns false if another tab runs one */
  async function runAlone(load: () => Promise<InterruptedImport | undefined>): Promise<boolean> {
    if (controller || lifetime.signal.aborted) return true
    controller = new AbortController()
    const signal = AbortSignal.any([controller.signal, lifetime.signal])
    return storage
      .runInOneTab(async () => {
        const loaded = await load()
        if (loaded) await run(loaded, signal)
      })
      .finally(() => {
        controller = undefined
      })
  }

  async function run({ stored, progress }: InterruptedImport, signal: AbortSignal): Promise<void> {
    const worker = connectWorker(signal)
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    const outcome = await runImport(stored, progress, {
      worker,
      uploadFile,
      signal,
      onChange: (status) => store.setState({ phase: 'running', ...status }),
      saveProgress: storage.saveProgress,
    }).finally(() => {
      removeEventListener('beforeunload', warn)
      worker.close()
    })
    await storage.remove()
    store.setState({
      phase: 'ended',
      importId: stored.importId,
      isCancelled: signal.aborted,
      ...outcome,
    })
    // on whatever page the user is; a problem is an alert on the page of the import
    if (outcome.problem === undefined && !lifetime.signal.aborted)
      announce(describeEnd(signal.aborted, undefined))
    refresh(queryClient)
  }

  async function resume(): Promise<void> {
    const interruptedImport = await storage.read()
    if (!interruptedImport) return
    if (interruptedImport.stored.userId !== userId) return storage.remove()
    // read again: another tab may have ended it meanwhile
    await runAlone(storage.read)
  }
  void resume()

  async function start(files: readonly ChosenFile[]): Promise<void> {
    if (store.getState().phase === 'undoing') return
    const stored = { userId, importId: crypto.randomUUID(), files }
    const isAlone = await runAlone(async () => {
      await storage.remove()
      // not awaited: storing large files takes long, and serves a reload only
      void storage.begin(stored)
      return { stored, progress: undefined }
    })
    if (!isAlone)
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
      { timeoutMs: importTimeoutMs, signal },
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
