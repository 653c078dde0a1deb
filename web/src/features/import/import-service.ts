import type { QueryClient } from '@tanstack/react-query'
import type { Attachment } from '#shared/contracts/files.ts'
import { ApiError, errorMessage, hasErrorName, NetworkError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { clearConversationCache } from '../../lib/conversation-list.ts'
import { createStore, type Store } from '../../lib/create-store.ts'
import type { FileReference } from './build-conversation.ts'
import type { ChosenFile } from './chosen-files.ts'
import {
  createImportWorkerClient,
  startWorker,
  UnreadableExportError,
  type ImportWorkerClient,
} from './import-worker-client.ts'
import { addCounts, createLeftOutCounter, type LeftOut } from './left-out.ts'
import type { SourcedConversation } from './read-export.ts'
import { sendConversations } from './send-conversations.ts'
import { sendLibrary, type LibraryCounts } from './send-library.ts'
import * as texts from './texts.ts'

export interface ImportCounts extends LibraryCounts {
  imported: number
  /** conversations that were here, and got what their source has had since */
  extended: number
  existing: number
  messages: number
  files: number
}

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

/** Pauses between attempts, the last one repeated. */
const pausesMs = [1_000, 2_000, 5_000, 10_000, 30_000]
/** A limit that ends later ends the import. */
const maxWaitSeconds = 120
const undoTimeoutMs = 60_000

/** Uploads a file of the user. @throws what `callApi` throws, or an error that is named after a refusal */
export type UploadFile = (file: File, signal: AbortSignal) => Promise<Pick<Attachment, 'id'>>

export function createImportService(queryClient: QueryClient, uploadFile: UploadFile): ImportService {
  const store = createStore<ImportState>({ phase: 'idle' })
  let controller: AbortController | undefined

  async function start(files: readonly ChosenFile[]): Promise<void> {
    if (controller) return
    controller = new AbortController()
    const { signal } = controller
    const importId = crypto.randomUUID()
    const leftOut = createLeftOutCounter()
    const counts: ImportCounts = {
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
    const importedIds = new Set<string>()
    let readLeftOut: LeftOut = {}
    let problem: string | undefined
    const show = (change: { share?: number; isWaiting?: boolean }) => {
      const { share = 0, isWaiting = false } = { ...store.getState(), ...change } as typeof change
      store.setState({ phase: 'running', share, isWaiting, counts: { ...counts } })
    }
    show({})
    const worker = createImportWorkerClient(startWorker())
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)

    const persist = async <Result>(call: () => Promise<Result>): Promise<Result> => {
      for (let attempt = 0; ; attempt += 1) {
        try {
          const result = await call()
          show({ isWaiting: false })
          return result
        } catch (error) {
          const pauseMs = findPause(error, attempt)
          if (pauseMs === undefined) throw error
          show({ isWaiting: true })
          await wait(pauseMs, signal)
        }
      }
    }
    const upload = createUploader({
      uploadFile,
      worker,
      persist,
      signal,
      leftOut,
      onUpload: () => (counts.files += 1),
    })

    try {
      const { library } = await worker.request({ type: 'open', files })
      // first, because conversations belong to projects
      Object.assign(counts, await sendLibrary(library, { persist, signal, upload }, leftOut))
      for (let isDone = false; !isDone;) {
        const read = await worker.request({ type: 'next' })
        signal.throwIfAborted()
        readLeftOut = read.leftOut
        for (const conversations of groupConversations(read.conversations)) {
          const options = { importId, importedIds, signal, persist, upload }
          const sent = await sendConversations(conversations, options)
          counts.imported += sent.imported
          counts.extended += sent.extended
          counts.existing += sent.existing
          counts.messages += sent.messages
          leftOut.add('unreadableConversations', { count: sent.rejected })
          leftOut.add('busyConversations', { count: sent.busy })
          leftOut.add('versions', { count: sent.unplaced })
        }
        isDone = read.isDone
        show({ share: read.share })
      }
    } catch (error) {
      if (!signal.aborted) problem = describeProblem(error)
    } finally {
      removeEventListener('beforeunload', warn)
      worker.close()
      controller = undefined
    }
    store.setState({
      phase: 'ended',
      importId,
      isCancelled: signal.aborted,
      ...(problem !== undefined && { problem }),
      counts,
      leftOut: addCounts(readLeftOut, leftOut.getCounts()),
    })
    refresh(queryClient)
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
  clearConversationCache(queryClient)
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'conversation' })
}

/** How long to wait before the next attempt; undefined if another attempt would fail in the same way. */
function findPause(error: unknown, attempt: number): number | undefined {
  const pauseMs = pausesMs[Math.min(attempt, pausesMs.length - 1)]
  if (error instanceof NetworkError) return pauseMs
  if (!(error instanceof ApiError)) return undefined
  if (error.status >= 500) return pauseMs
  const { retryAfterSeconds = maxWaitSeconds } = error
  return error.status === 429 && retryAfterSeconds < maxWaitSeconds ? retryAfterSeconds * 1000 : undefined
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    // no need to wait any longer
    addEventListener('online', end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })

/** Uploads files of messages, each once, until the service takes no more. */
function createUploader({
  uploadFile,
  worker,
  persist,
  signal,
  leftOut,
  onUpload,
}: {
  uploadFile: UploadFile
  worker: ImportWorkerClient
  persist: <Result>(call: () => Promise<Result>) => Promise<Result>
  signal: AbortSignal
  leftOut: ReturnType<typeof createLeftOutCounter>
  onUpload: () => void
}) {
  const uploadedIds = new Map<string, string>()
  let isFull = false
  return async ({ id, name, text, bytes, isLinked }: FileReference): Promise<string | undefined> => {
    const known = uploadedIds.get(id)
    if (known !== undefined) return known
    const content = text ?? bytes
    const found =
      content === undefined
        ? (await worker.request({ type: 'file', id, name })).found
        : { name, blob: new Blob([content]) }
    if (!found || found.blob.size === 0) {
      leftOut.add(isLinked ? 'linkedFiles' : 'missingFiles', { name })
      return undefined
    }
    if (isFull) {
      leftOut.add('refusedFiles', { name })
      return undefined
    }
    // its type is taken from the name, and then from the content
    const file = new File([found.blob], found.name, { type: text === undefined ? '' : 'text/plain' })
    try {
      const attachment = await persist(() => uploadFile(file, signal))
      uploadedIds.set(id, attachment.id)
      onUpload()
      return attachment.id
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError || hasErrorName(error, 'UploadRefusedError')))
        throw error
      // the uploads of the day, or the space, are used up
      isFull = error instanceof ApiError && (error.status === 429 || error.code === 'storage_full')
      leftOut.add('refusedFiles', { name })
      return undefined
    }
  }
}

/** Groups of one source, in which each conversation is once: several archives may have it. */
function groupConversations(conversations: readonly SourcedConversation[]): SourcedConversation[][] {
  const groups = new Map<string, SourcedConversation[]>()
  const seen = new Map<string, number>()
  for (const one of conversations) {
    const id = `${one.source} ${one.conversation.source_id}`
    const repeats = seen.get(id) ?? 0
    seen.set(id, repeats + 1)
    const name = `${one.source} ${repeats}`
    const group = groups.get(name) ?? []
    groups.set(name, group)
    group.push(one)
  }
  return [...groups.values()]
}

function describeProblem(error: unknown): string {
  if (error instanceof UnreadableExportError) return texts.unreadable[error.reason]
  if (hasErrorName(error, 'NotReadableError')) return texts.unreadable.damaged
  return errorMessage(error)
}
