import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The rows of docs/requirements.md. */

const root = join(import.meta.dirname, '../..')

export interface Requirement {
  readonly id: string
  /** the letters of the ID; `DEC` for decisions */
  readonly area: string
  /** the row's text; for a decision its topic and the decision */
  readonly text: string
}

/** The rows of all tables, in document order. `\|` is a bar within a cell. */
export function parseRequirements(markdown: string): Requirement[] {
  return markdown.split('\n').flatMap((line) => {
    const match = /^\| (([A-Z]+)-\d+) \| (.*) \|$/.exec(line)
    if (!match) return []
    const [, id = '', area = '', rest = ''] = match
    const cells = rest.split(/ (?<!\\)\| /)
    return [{ id, area, text: cells.slice(0, -1).join(' → ') }]
  })
}

/** All rows of the project's document. */
export async function readRequirements(): Promise<Requirement[]> {
  return parseRequirements(await readFile(join(root, 'docs/requirements.md'), 'utf8'))
}
