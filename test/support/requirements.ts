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

/** @param table a header and the rows, cells separated by tabs. @throws Error for a row of another form */
export function parseRequirements(table: string): Requirement[] {
  return table
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [, id, area, text, status] = /^(([A-Z]+)-\d+)\t([^\t]+)\t([^\t]+)$/.exec(line) ?? []
      if (!id || !area || !text || !status) throw new Error(`not an id, a text and a status: ${line}`)
      return { id, area, text, status }
    })
}

/** All rows of the project, requirements first. */
export async function readRequirements(): Promise<Requirement[]> {
  const files = ['requirements.tsv', 'decisions.tsv'].map((file) =>
    readFile(join(root, 'test/spec', file), 'utf8'),
  )
  return (await Promise.all(files)).flatMap(parseRequirements)
}
