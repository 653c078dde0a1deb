import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalStack } from './local-stack.ts'
import { openStackTable } from './stack-table.ts'

/** The database's files are left out: they keep deleted data until a clean-up. Their rows are read from the table. */
const databaseFolder = 'dynamodb'

async function listFiles(stack: LocalStack): Promise<string[]> {
  const files = await readdir(stack.dataDir, { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(stack.dataDir.length + 1))
    .filter((path) => !path.startsWith(`${databaseFolder}/`))
}

/** The content of a file of the stack; empty if a running write has renamed it since it was listed. */
async function readStored(stack: LocalStack, path: string): Promise<string> {
  try {
    return await readFile(join(stack.dataDir, path), 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/**
 * Hashes of every row, secret and object of a user, by where each is stored: no other user may change them.
 * @param texts identifiers of the user
 */
export async function hashStoredData(
  stack: LocalStack,
  texts: readonly string[],
): Promise<Record<string, string>> {
  const containsText = (content: string) => texts.some((text) => content.includes(text))
  const table = await openStackTable(stack)
  try {
    const rows = (await table.readAllRows()).map((row): [string, string] => [
      `row ${String(row['PK'])} ${String(row['SK'])}`,
      JSON.stringify(row),
    ])
    const secrets = Object.entries(
      JSON.parse(await readFile(join(stack.dataDir, 'secrets.json'), 'utf8')) as Record<string, unknown>,
    ).map(([name, secret]): [string, string] => [`secret ${name}`, JSON.stringify(secret)])
    const objects = await Promise.all(
      (await listFiles(stack))
        .filter((path) => path.startsWith('objects/'))
        .map(async (path): Promise<[string, string]> => [path, await readStored(stack, path)]),
    )
    const theirs = [...rows, ...secrets, ...objects].filter((entry) => containsText(entry.join(' ')))
    return Object.fromEntries(
      theirs.map(([name, content]) => [name, createHash('sha256').update(content).digest('hex')]),
    )
  } finally {
    table.close()
  }
}

/**
 * The stores of a stack that contain a text: the table, its output, and every file in its data folder (the bucket, without older
 * versions; the secrets; the user pool; the functions' log).
 */
export async function findOccurrences(stack: LocalStack, text: string): Promise<string[]> {
  const table = await openStackTable(stack)
  try {
    const paths = await listFiles(stack)
    const contents = await Promise.all(
      paths.map(async (path) => [path, await readStored(stack, path)] as const),
    )
    const all = [
      ...contents,
      ['table', await table.readAllAsText()] as const,
      ['output', stack.output()] as const,
    ]
    return all.filter(([, content]) => content.includes(text)).map(([name]) => name)
  } finally {
    table.close()
  }
}
