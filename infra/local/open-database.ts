import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Opens a database of a local installation that several processes may use, and creates what is missing.
 * @param dataDir created if missing; nobody else may read it
 * @param schema statements that can be repeated
 */
export function openDatabase(dataDir: string, name: string, schema: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(dataDir, name))
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000; ${schema}`,
  )
  return database
}
