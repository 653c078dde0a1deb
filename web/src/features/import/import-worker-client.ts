import type { ChosenFile } from './chosen-files.ts'
import type { LeftOut } from './left-out.ts'
import type { SourcedConversation } from './read-export.ts'
import type { ExportLibrary } from './read-library.ts'

/** Messages between the page and the worker that reads an export; each request gets one response, before the next one is sent. */
export type ImportRequest =
  | { type: 'open'; files: readonly ChosenFile[] }
  | { type: 'next' }
  | { type: 'file'; id: string; name: string }
export type ImportResponse =
  | { type: 'opened'; library: ExportLibrary }
  | {
      type: 'conversations'
      conversations: SourcedConversation[]
      isDone: boolean
      /** of the export that is read, 0 to 1 */
      share: number
      /** of all that is read so far */
      leftOut: LeftOut
    }
  | { type: 'file'; found: { name: string; blob: Blob } | undefined }
  | { type: 'failed'; reason: UnreadableReason }

type UnreadableReason = 'noConversations' | 'downloadList' | 'damaged' | 'notStarted'

/** The file could not be read as an export. */
export class UnreadableExportError extends Error {
  override readonly name = 'UnreadableExportError'
  readonly reason: UnreadableReason
  constructor(reason: UnreadableReason) {
    super(reason)
    this.reason = reason
  }
}

type ResponseTo<Type> = Extract<
  ImportResponse,
  { type: Type extends 'open' ? 'opened' : Type extends 'next' ? 'conversations' : Type }
>

/** The part of a `Worker` that the client uses. */
export interface ImportWorker {
  postMessage: (message: ImportRequest) => void
  addEventListener: ((type: 'message', listener: (event: MessageEvent<ImportResponse>) => void) => void) &
    ((type: 'error', listener: () => void) => void)
  terminate: () => void
}

export const startWorker = (): ImportWorker =>
  new Worker(new URL('./import.worker.ts', import.meta.url), { type: 'module' })

/** Reads an export in a worker. @param signal rejects the request that waits, and later ones, with its reason */
export function createImportWorkerClient(worker: ImportWorker, signal: AbortSignal) {
  let pending: PromiseWithResolvers<ImportResponse> | undefined
  worker.addEventListener('message', ({ data }) => {
    if (data.type === 'failed') pending?.reject(new UnreadableExportError(data.reason))
    else pending?.resolve(data)
  })
  worker.addEventListener('error', () => pending?.reject(new UnreadableExportError('notStarted')))
  signal.addEventListener('abort', () => pending?.reject(signal.reason as Error))
  return {
    /** @throws UnreadableExportError, or the reason of the signal */
    request<Request extends ImportRequest>(request: Request): Promise<ResponseTo<Request['type']>> {
      pending = Promise.withResolvers<ImportResponse>()
      if (signal.aborted) pending.reject(signal.reason as Error)
      else worker.postMessage(request)
      return pending.promise as Promise<ResponseTo<Request['type']>>
    },
    close: () => worker.terminate(),
  }
}

export type ImportWorkerClient = ReturnType<typeof createImportWorkerClient>
