import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readNamedIds, readRequirements, type Requirement } from './support/requirements.ts'

/**
 * `npm run coverage:spec`: which rows of docs/requirements.md no test names.
 *   --open AREA...              the open rows of these areas with their texts
 *   --require FILE|ID...        ends with 1 when one of these IDs (or of the IDs in these files) has no test
 */

const { values, positionals } = parseArgs({
  options: { open: { type: 'boolean' }, require: { type: 'boolean' } },
  allowPositionals: true,
})

const rows = await readRequirements()
const named = await readNamedIds()
const isOpen = ({ id }: Requirement) => !named.has(id)

if (values.require) process.exitCode = await requireTests(positionals)
else if (values.open) printOpen(positionals)
else printAreas()

function printAreas(): void {
  for (const [area, inArea] of Map.groupBy(rows, (row) => row.area)) {
    const open = inArea.filter(isOpen).map(({ id }) => id.slice(area.length + 1))
    const count = `${inArea.length - open.length}/${inArea.length}`
    console.log(`${area.padEnd(6)} ${count.padStart(8)}${open.length > 0 ? `  open: ${open.join(' ')}` : ''}`)
  }
  const requirements = rows.filter(({ area }) => area !== 'DEC')
  const covered = requirements.filter((row) => !isOpen(row))
  console.log(`\n${covered.length} of ${requirements.length} requirements are named by a test`)
}

function printOpen(areas: string[]): void {
  const wanted = areas.map((area) => area.toUpperCase())
  for (const row of rows)
    if (isOpen(row) && (wanted.length === 0 || wanted.includes(row.area)))
      console.log(`${row.id}  ${row.text}`)
}

async function requireTests(wanted: string[]): Promise<number> {
  const isId = (word: string) => /^[A-Z]+-\d+$/.test(word)
  const lists = await Promise.all(wanted.map(async (word) => (isId(word) ? word : readFile(word, 'utf8'))))
  const ids = new Set(lists.flatMap((list) => list.match(/\b[A-Z]+-\d{2,3}\b/g) ?? []))
  const known = new Set(rows.map(({ id }) => id))
  const unknown = [...ids].filter((id) => !known.has(id))
  const open = [...ids].filter((id) => known.has(id) && !named.has(id))
  if (unknown.length > 0) console.error(`no such requirement: ${unknown.join(' ')}`)
  if (open.length > 0) console.error(`without a test: ${open.join(' ')}`)
  if (ids.size === 0) console.error('no ID was given')
  return unknown.length + open.length > 0 || ids.size === 0 ? 1 : 0
}
