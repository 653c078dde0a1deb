import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalStack } from './local-stack.ts'
import { openStackTable } from './stack-table.ts'

/** The database's own files keep what was deleted until it tidies up; what is in them is asked of the table. */
const databaseFolder = 'dynamodb'

/**
 * Which of the places where a stack keeps anything hold a text: the table, and every file below its data folder, which are the
 * bucket (it keeps no older versions), the secrets, the user pool and the functions' log; and what it printed.
 */
export async function placesOf(stack: LocalStack, text: string): Promise<string[]> {
  const table = await openStackTable(stack)
  try {
    const files = await readdir(stack.dataDir, { recursive: true, withFileTypes: true })
    const places = files
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(stack.dataDir.length + 1))
      .filter((path) => !path.startsWith(`${databaseFolder}/`))
    const contents = await Promise.all(
      places.map(async (path) => [path, await readFile(join(stack.dataDir, path), 'latin1')] as const),
    )
    const all = [
      ...contents,
      ['table', await table.everything()] as const,
      ['output', stack.output()] as const,
    ]
    return all.filter(([, content]) => content.includes(text)).map(([place]) => place)
  } finally {
    table.close()
  }
}
