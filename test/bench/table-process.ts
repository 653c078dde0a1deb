import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DynaliteStore } from '../../infra/local/emulators/dynalite.ts'
import { serveStore, startDynamoDbEmulator } from '../../infra/local/emulators/dynamodb.ts'
import { testCredentials } from '../support/credentials.ts'
import { serveParent } from './child.ts'

// The local table in a separate process, over its own file or over dynalite's LevelDB.

const dataDir = mkdtempSync(join(tmpdir(), 'juno-bench-table-'))
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
const options = { tableName: 'bench', credentials: testCredentials, region: 'us-east-1' }

interface LevelStore extends DynaliteStore {
  db: { open(): Promise<void> }
}

async function openLevelDb(): Promise<DynaliteStore> {
  const path = join(dataDir, 'leveldb')
  mkdirSync(path)
  const dynaliteDb: { create(options: object): LevelStore } = createRequire(import.meta.url)('dynalite/db')
  const store = dynaliteDb.create({ path, createTableMs: 0 })
  await store.db.open()
  return store
}

const { url } =
  process.argv[2] === 'leveldb'
    ? await serveStore(await openLevelDb(), options)
    : await startDynamoDbEmulator({ dataDir, ...options })
serveParent(url, {
  cpuMs: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
})
