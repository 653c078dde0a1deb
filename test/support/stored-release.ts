import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { startDynamoDbEmulator } from '../../infra/local/emulators/dynamodb.ts'
import { decodeItem, type Item } from '../../infra/operate/backup/items.ts'
import { testCredentials } from './credentials.ts'
import type { Identifiers } from './belongings.ts'

/*
 * What a release has stored, as recorded with its own code (test/fixtures/releases): each kind of row that it writes, and the rest of the
 * folder of `npm start`. Ann has everything, with a second factor; Ben is administrator; Cleo has stopped replies.
 */

const folder = join(import.meta.dirname, '../fixtures/releases')

const recorded = z.object({
  recordedAtMs: z.number(),
  ids: z.custom<Identifiers & { versions: string }>(),
  /** by their path, base64 */
  files: z.record(z.string(), z.string()),
})

/** The rows that a release has written. */
export const readStoredRows = (release: string): Item[] =>
  readFileSync(join(folder, release, 'rows.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => decodeItem(JSON.parse(line) as Record<string, unknown>))

export const readStoredRelease = (release: string) =>
  recorded.parse(JSON.parse(gunzipSync(readFileSync(join(folder, release, 'folder.json.gz'))).toString()))

/**
 * Writes the folder of a release's `npm start` as it was when it ended.
 * @returns what a product has to be started with, so that nothing of it has expired
 */
export async function unpackRelease(release: string, dataDir: string): Promise<Record<string, string>> {
  const { files, recordedAtMs } = readStoredRelease(release)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true })
    await writeFile(join(dataDir, path), Buffer.from(content, 'base64'))
  }
  const [tableName, region] = ['juno-local', 'us-east-1']
  const emulator = await startDynamoDbEmulator({ dataDir, tableName, credentials: testCredentials, region })
  const client = new DynamoDBClient({ endpoint: emulator.url, region, credentials: testCredentials })
  for (const Item of readStoredRows(release))
    await client.send(new PutItemCommand({ TableName: tableName, Item }))
  client.destroy()
  await emulator.close()
  return {
    CLOCK_FROM_MS: String(recordedAtMs),
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'clock-from.ts')).href}`,
  }
}
