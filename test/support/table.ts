import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { DatabaseSync } from 'node:sqlite'
import type { Table } from '../../functions/platform/dynamodb/table.ts'
import { serveStore } from '../../infra/local/emulators/dynamodb.ts'
import { createEntries, createSqliteStore } from '../../infra/local/emulators/sqlite-store.ts'
import { testCredentials } from './credentials.ts'
import { chargedUnits } from './metered-table.ts'

/** A separate table for a test file, in memory, over the real SDK. */
export async function openTestTable(): Promise<
  Table & {
    readonly url: string
    readonly port: number
    writeUnits(): number
    readUnits(): number
    close(): Promise<void>
  }
> {
  const region = 'eu-central-1'
  const database = new DatabaseSync(':memory:')
  createEntries(database)
  const emulator = await serveStore(createSqliteStore(database), {
    tableName: 'test',
    credentials: testCredentials,
    region,
  })
  const connection = new DynamoDBClient({
    endpoint: emulator.url,
    region,
    credentials: testCredentials,
  })
  return {
    client: DynamoDBDocumentClient.from(connection, { marshallOptions: { removeUndefinedValues: true } }),
    name: 'test',
    url: emulator.url,
    port: Number(new URL(emulator.url).port),
    writeUnits: () => chargedUnits(emulator.store).write,
    readUnits: () => chargedUnits(emulator.store).read,
    async close() {
      connection.destroy()
      await emulator.close()
      database.close()
    },
  }
}
