import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readRequirements, type Requirement } from './support/requirements.ts'
import { findGap, maxRows, readTestsByRow, type NamedTest } from './support/row-coverage.ts'

/**
 * `npm run coverage:spec`: which rows of test/spec/requirements.tsv no test covers. A test covers the rows in its title when
 * they are at most three and it has an expectation for each; test/support/row-coverage.ts says what counts as one.
 *   --open AREA...              the open rows of these areas with their texts and the tests that name them
 *   --require FILE|ID...        ends with 1 when one of these IDs (or of the IDs in these files) is not covered
 */

const { values, positionals } = parseArgs({
  options: { open: { type: 'boolean' }, require: { type: 'boolean' } },
  allowPositionals: true,
})

const rows = await readRequirements()
const required = values.require ? await readIds(positionals) : undefined
// parsing all test files takes seconds
const testsByRow =
  !required || rows.some(({ id }) => required.has(id))
    ? await readTestsByRow()
    : new Map<string, NamedTest[]>()
const getTests = (id: string) => testsByRow.get(id) ?? []
const isOpen = ({ id }: Requirement) => findGap(getTests(id)) !== null

if (required) process.exitCode = requireTests(required)
else if (values.open) printOpen(positionals)
else printAreas()

function printAreas(): void {
  for (const [area, inArea] of Map.groupBy(rows, (row) => row.area)) {
    const open = inArea.filter(isOpen)
    const count = `${inArea.length - open.length}/${inArea.length}`
    const gaps = [...Map.groupBy(open, ({ id }) => findGap(getTests(id)))].map(
      ([gap, withGap]) => `${gap}: ${withGap.map(({ id }) => id.slice(area.length + 1)).join(' ')}`,
    )
    console.log(`${area.padEnd(6)} ${count.padStart(8)}  ${gaps.join('; ')}`.trimEnd())
  }
  const requirements = rows.filter(({ area }) => area !== 'DEC')
  const covered = requirements.filter((row) => !isOpen(row))
  console.log(
    `\n${covered.length} of ${requirements.length} requirements are covered by a test that names at most ${maxRows} and has an expectation for each`,
  )
}

function printOpen(areas: string[]): void {
  const wanted = areas.map((area) => area.toUpperCase())
  for (const row of rows) {
    if (!isOpen(row) || (wanted.length > 0 && !wanted.includes(row.area))) continue
    console.log(`${row.id}  ${row.text}`)
    for (const { file, line, ids, expectations } of getTests(row.id))
      console.log(`        ${file}:${line}  rows: ${ids.length}, expectations: ${expectations}`)
  }
}

/** @param wanted IDs, and files that contain some: words of a known area, so that `AES-256` is none */
async function readIds(wanted: string[]): Promise<Set<string>> {
  const areas = new Set(rows.map(({ area }) => area))
  const isInArea = (id: string) => areas.has(id.slice(0, id.indexOf('-')))
  const lists = await Promise.all(
    wanted.map(async (word) => {
      if (/^[A-Z]+-\d+$/.test(word)) return [word]
      const text = await readFile(word, 'utf8')
      return (text.match(/\b[A-Z]+-\d+\b/g) ?? []).filter(isInArea)
    }),
  )
  return new Set(lists.flat())
}

function requireTests(ids: ReadonlySet<string>): number {
  const known = new Map(rows.map((row) => [row.id, row]))
  const unknown = [...ids].filter((id) => !known.has(id))
  const open = [...ids].filter((id) => known.has(id) && findGap(getTests(id)) !== null)
  if (unknown.length > 0) console.error(`no such requirement: ${unknown.join(' ')}`)
  if (open.length > 0)
    console.error(`not covered: ${open.map((id) => `${id} (${findGap(getTests(id))})`).join(', ')}`)
  if (ids.size === 0) console.error('no ID was given')
  return unknown.length + open.length > 0 || ids.size === 0 ? 1 : 0
}
