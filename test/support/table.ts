import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Table } from '../../functions/platform/dynamodb/table.ts'
import { startDynamoDbEmulator } from '../../infra/local/emulators/dynamodb.ts'
import { testCredentials } from './credentials.ts'
import { chargedUnits } from './metered-table.ts'

/** A separate table for a test file, over the real SDK. */
export async function openTestTable(): Promise<
  Table & {
    readonly url: string
    readonly port: number
    writeUnits(): number
    readUnits(): number
    close(): Promise<void>
  }
> {
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-table-'))
  const region = 'eu-central-1'
  const emulator = await startDynamoDbEmulator({
    dataDir,
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
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
