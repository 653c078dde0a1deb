import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { type DynaliteStore, openLevelStore } from './dynalite.ts'
import { createEntries, createSqliteStore } from './sqlite-store.ts'

/** Another process has the data folder's table open. */
export class DataFolderInUse extends Error {
  constructor(dataDir: string, cause: unknown) {
    super(`The data folder ${dataDir} is in use by another running copy.`, { cause })
  }
}

/** The data folder has two tables, and only its owner knows which one is right. */
export class TwoTables extends Error {}

const fileName = 'table.sqlite'

/** `user_version` of the file: its state of conversion. */
const state = { new: 0, imported: 1, ready: 2 }

const sqliteBusy = 5

export interface TableFile {
  readonly store: DynaliteStore
  close(): void
}

/**
 * Opens the table's file, `<dataDir>/dynamodb/table.sqlite`. A folder that an earlier version wrote, as LevelDB, is converted first.
 *
 * Each write is in SQLite's log, and so in the system's file cache, before it is acknowledged: it survives a killed process. The log is
 * synced to the disk at its checkpoints only, so a power failure can lose the last writes, never the file.
 * @throws DataFolderInUse while another process has the folder
 * @throws TwoTables when an earlier version has run on a folder that was converted already
 */
export async function openTableFile(dataDir: string): Promise<TableFile> {
  const folder = join(dataDir, 'dynamodb')
  await mkdir(folder, { recursive: true })
  const database = new DatabaseSync(join(folder, fileName))
  try {
    lock(database, dataDir)
    await convertLevelDb(database, { dataDir, folder })
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

/** Three repeatable steps: copy all entries in one transaction, remove LevelDB's files, mark the file as ready. */
async function convertLevelDb(
  database: DatabaseSync,
  { dataDir, folder }: { dataDir: string; folder: string },
) {
  const row = database.prepare('PRAGMA user_version').get()
  const version = Number(row?.['user_version'])
  const hasLevelDb = existsSync(join(folder, 'CURRENT'))
  if (version === state.ready) {
    if (!hasLevelDb) return
    throw new TwoTables(
      `The data folder ${dataDir} was used by an earlier version after this version had converted it. Keep one of the two: delete ${folder}/${fileName}* to continue with the data of the earlier version, or every other file in ${folder} to go on with the data of this version.`,
    )
  }
  if (version === state.new) await importEntries(database, { dataDir, folder, hasLevelDb })
  for (const name of await readdir(folder))
    if (!name.startsWith(fileName)) await rm(join(folder, name), { recursive: true })
  database.exec(`PRAGMA user_version = ${state.ready}`)
}

/** LevelDB's keys and values are copied unchanged. */
async function importEntries(
  database: DatabaseSync,
  { dataDir, folder, hasLevelDb }: { dataDir: string; folder: string; hasLevelDb: boolean },
) {
  database.exec('BEGIN')
  if (hasLevelDb) {
    const { db } = openLevelStore(folder)
    try {
      await db.open()
    } catch (error) {
      if ((error as { cause?: { code?: string } }).cause?.code !== 'LEVEL_LOCKED') throw error
      throw new DataFolderInUse(dataDir, error)
    }
    const insert = database.prepare('INSERT INTO entries VALUES (?, ?)')
    for await (const [key, value] of db.iterator({ valueEncoding: 'utf8' })) insert.run(key, value)
    await db.close()
  }
  database.exec(`PRAGMA user_version = ${state.imported}; COMMIT`)
}
