import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalStack } from './local-stack.ts'
import { openStackTable } from './stack-table.ts'

/** The database's own files keep what was deleted until it tidies up; what is in them is asked of the table. */
const databaseFolder = 'dynamodb'

async function listFiles(stack: LocalStack): Promise<string[]> {
  const files = await readdir(stack.dataDir, { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(stack.dataDir.length + 1))
    .filter((path) => !path.startsWith(`${databaseFolder}/`))
}

/**
 * Every row, secret and object that names somebody, byte for byte: what nobody else may change.
 * @param texts whatever they are named by
 */
export async function findTexts(
  stack: LocalStack,
  texts: readonly string[],
): Promise<Record<string, string>> {
  const isTheirs = (content: string) => texts.some((text) => content.includes(text))
  const table = await openStackTable(stack)
  try {
    const rows = (await table.everyRow()).map((row): [string, string] => [
      `row ${String(row['PK'])} ${String(row['SK'])}`,
      JSON.stringify(row),
    ])
    const secrets = Object.entries(
      JSON.parse(await readFile(join(stack.dataDir, 'secrets.json'), 'utf8')) as Record<string, unknown>,
    ).map(([name, secret]): [string, string] => [`secret ${name}`, JSON.stringify(secret)])
    const objects = await Promise.all(
      (await listFiles(stack))
        .filter((path) => path.startsWith('objects/'))
        .map(async (path): Promise<[string, string]> => [
          path,
          await readFile(join(stack.dataDir, path), 'latin1'),
        ]),
    )
    const theirs = [...rows, ...secrets, ...objects].filter((entry) => isTheirs(entry.join(' ')))
    return Object.fromEntries(
      theirs.map(([name, content]) => [name, createHash('sha256').update(content).digest('hex')]),
    )
  } finally {
    table.close()
  }
}

/**
 * Which of the places where a stack keeps anything hold a text: the table, and every file below its data folder, which are the
 * bucket (it keeps no older versions), the secrets, the user pool and the functions' log; and what it printed.
 */
export async function findOccurrences(stack: LocalStack, text: string): Promise<string[]> {
  const table = await openStackTable(stack)
  try {
    const paths = await listFiles(stack)
    const contents = await Promise.all(
      paths.map(async (path) => [path, await readFile(join(stack.dataDir, path), 'latin1')] as const),
    )
    const all = [
      ...contents,
      ['table', await table.everything()] as const,
      ['output', stack.output()] as const,
    ]
    return all.filter(([, content]) => content.includes(text)).map(([name]) => name)
  } finally {
    table.close()
  }
}
