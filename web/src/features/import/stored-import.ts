import { importDatabase } from '../../lib/browser/import-database.ts'
import type { ChosenFile } from './chosen-files.ts'
import type { ImportCounts } from './import-counts.ts'
import type { LeftOut } from './left-out.ts'

/** An import that has begun and not ended: a page that is loaded again goes on with it. */
export interface StoredImport {
  userId: string
  importId: string
  files: readonly ChosenFile[]
}

/** What a running import has done so far: it has sent the library, and the conversations of some parts of the export. */
export interface ImportProgress {
  counts: ImportCounts
  /** what was left out when it was sent */
  leftOut: LeftOut
  /** ids of the conversations, in their source */
  sentIds: ReadonlySet<string>
}

/** An import to go on with. `progress` is undefined while its library was not sent. */
export interface InterruptedImport {
  stored: StoredImport
  progress: ImportProgress | undefined
}

/** Stores the import of a browser: its files, which may be large, once. What cannot be stored is not there after a reload. */
export interface ImportStorage {
  read: () => Promise<InterruptedImport | undefined>
  begin: (stored: StoredImport) => Promise<void>
  saveProgress: (progress: ImportProgress) => Promise<void>
  remove: () => Promise<void>
  /** Runs an import unless another tab runs one. Where there are no locks, it runs. @returns whether it ran */
  runInOneTab: (run: () => Promise<void>) => Promise<boolean>
}

const storeName = 'import'
const filesKey = 'files'
/** Not `progress`, under which earlier releases have stored another form: such an import is sent again from its beginning. */
const progressKey = 'sent'
/** The lock that the tab with the running import has. */
const lockName = 'juno-import'

const openDatabase = () =>
  new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(importDatabase, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('no database'))
  })

/** Runs one request in a transaction of its own. @returns undefined if the browser stores nothing */
async function transact<Result>(
  mode: IDBTransactionMode,
  start: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  try {
    const database = await openDatabase()
    try {
      return await new Promise<Result>((resolve, reject) => {
        const transaction = database.transaction(storeName, mode)
        const request = start(transaction.objectStore(storeName))
        transaction.oncomplete = () => resolve(request.result)
        transaction.onabort = () => reject(transaction.error ?? new Error('not stored'))
      })
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}

/** The browser's database: it stores files without reading them into memory. */
export function createImportStorage(): ImportStorage {
  return {
    async read() {
      const stored = (await transact('readonly', (store) => store.get(filesKey))) as StoredImport | undefined
      if (!stored) return undefined
      const progress = (await transact('readonly', (store) => store.get(progressKey))) as
        | ImportProgress
        | undefined
      return { stored, progress }
    },
    begin: async (stored) => void (await transact('readwrite', (store) => store.put(stored, filesKey))),
    saveProgress: async (progress) =>
      void (await transact('readwrite', (store) => store.put(progress, progressKey))),
    remove: () => transact('readwrite', (store) => store.clear()),
    async runInOneTab(run) {
      const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>
      const runAlone = () => run().then(() => true)
      // a browser without locks cannot tell whether another tab imports
      if (!locks) return runAlone()
      return locks.request(lockName, { ifAvailable: true }, (lock) => (lock ? runAlone() : false))
    },
  }
}
