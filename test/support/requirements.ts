import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The rows of test/spec: requirements, and the decisions that hold instead of some. */

const root = join(import.meta.dirname, '../..')

export interface Requirement {
  readonly id: string
  /** the letters of the ID; `DEC` for decisions */
  readonly area: string
  readonly text: string
  /** of a requirement `holds` or `changed: DEC-…`, of a decision its requirements */
  readonly status: string
}

/** The rows of all tables, in document order. `\|` is a bar within a cell. */
export function parseRequirements(markdown: string): Requirement[] {
  return markdown.split('\n').flatMap((line) => {
    const match = /^\| (([A-Z]+)-\d+) \| (.*) \|$/.exec(line)
    if (!match) return []
    const [, id = '', area = '', rest = ''] = match
    const cells = rest.split(/ (?<!\\)\| /)
    return [{ id, area, text: cells.slice(0, -1).join(' | '), status: cells.at(-1) ?? '' }]
  })
}

/** All rows of the project, requirements first. */
export async function readRequirements(): Promise<Requirement[]> {
  const files = ['requirements.md', 'decisions.md'].map((file) =>
    readFile(join(root, 'test/spec', file), 'utf8'),
  )
  return (await Promise.all(files)).flatMap(parseRequirements)
}
