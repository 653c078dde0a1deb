import { mkdir } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { DynaliteStore } from './dynalite.ts'
import { createEntries, createSqliteStore } from './sqlite-store.ts'

/** Another process has the data folder's table open. */
export class DataFolderInUse extends Error {
  constructor(dataDir: string, cause: unknown) {
    super(`The data folder ${dataDir} is in use by another running copy.`, { cause })
  }
}

const fileName = 'table.sqlite'

const sqliteBusy = 5

export interface TableFile {
  readonly store: DynaliteStore
  close(): void
}

/**
 * Opens the table's file, `<dataDir>/dynamodb/table.sqlite`.
 *
 * Each write is in SQLite's log, and so in the system's file cache, before it is acknowledged: it survives a killed process. The log is
 * synced to the disk at its checkpoints only, so a power failure can lose the last writes, never the file.
 * @throws DataFolderInUse while another process has the folder
 */
export async function openTableFile(dataDir: string): Promise<TableFile> {
  const folder = join(dataDir, 'dynamodb')
  await mkdir(folder, { recursive: true })
  const database = new DatabaseSync(join(folder, fileName))
  try {
    lock(database, dataDir)
    return { store: createSqliteStore(database), close: () => database.close() }
  } catch (error) {
    database.close()
    throw error
  }
}

function lock(database: DatabaseSync, dataDir: string): void {
  try {
    // the first access takes the lock, and the end of the process releases it
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON',
    )
    createEntries(database)
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    throw new DataFolderInUse(dataDir, error)
  }
}
