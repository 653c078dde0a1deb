import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes the lists of the integrations and their number in README.md from their folders, and names what a folder lacks.
 *
 *   npm run integrations      also writes the table of docs/tools.md, the snapshot of what models see, and new texts into the catalogues
 */

const root = join(import.meta.dirname, '..')
const folder = join(root, 'functions/providers')
const listFolder = join(folder, 'all')

/** The modules of an integration beside `entry.json`, each with its only export, and their lists. */
const lists = { tools: 'tools.ts', double: 'doubles.ts', contract: 'contracts.ts', cases: 'cases.ts' }

/** The ids of the integrations in the order of the catalogue: those that are listed, then new folders. */
function listIds(): string[] {
  const listed = [...readList('entries.ts').matchAll(/'\.\.\/([\w-]+)\/entry\.json'/g)].map(
    ([, id = '']) => id,
  )
  const folders = readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory() && one.name !== 'all')
    .map(({ name }) => name)
  return [...new Set([...listed, ...folders.toSorted()])].filter((id) => folders.includes(id))
}

/** The files that the folders lack, from the repository's root. */
export const listMissingFiles = (): string[] =>
  listIds()
    .flatMap((id) =>
      ['entry.json', ...Object.keys(lists).map((part) => `${part}.ts`)].map((file) => `${id}/${file}`),
    )
    .filter((file) => !existsSync(join(folder, file)))
    .map((file) => `functions/providers/${file}`)

/** The logos whose name the page does not know, and the other way round. */
export function listUnknownLogos(): string[] {
  const tile = 'web/src/features/integrations/components/integration-tile.tsx'
  const [, names = ''] = /logos: ReadonlySet<string> = new Set\(\s*'([^']*)'/.exec(read(tile)) ?? []
  const known = names.split(' ')
  const files = readdirSync(join(root, 'web/public/logos')).map((file) => file.replace(/\.svg$/, ''))
  return [
    ...files.filter((name) => !known.includes(name)).map((name) => `${tile} does not name the logo ${name}`),
    ...known
      .filter((name) => !files.includes(name))
      .map((name) => `there is no web/public/logos/${name}.svg`),
  ]
}

const read = (file: string) => readFileSync(join(root, file), 'utf8')
export const readList = (name: string) => readFileSync(join(listFolder, name), 'utf8')

const toName = (id: string) => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const toExport = (id: string) => (/^\w+$/.test(id) ? id : `'${id}'`)
const head = '/* Written by `npm run integrations` from the folders of the integrations. */\n'

/** The lists of all integrations, by file name. */
export function buildLists(): Record<string, string> {
  const ids = listIds()
  const imports = ids.map((id) => `import ${toName(id)} from '../${id}/entry.json' with { type: 'json' }\n`)
  const members = ids.map((id) => `  ${toName(id)},\n`)
  return {
    'entries.ts': `${head}${imports.join('')}\nexport const entries = [\n${members.join('')}]\n`,
    ...Object.fromEntries(
      Object.entries(lists).map(([part, file]) => [
        file,
        head +
          ids
            .toSorted()
            .map((id) => `export { ${part} as ${toExport(id)} } from '../${id}/${part}.ts'\n`)
            .join(''),
      ]),
    ),
  }
}

/** README.md as written, and with the number of integrations. */
export function countInReadme(): { written: string; generated: string } {
  const written = read('README.md')
  return { written, generated: written.replace(/\d+(?= built-in integrations)/, String(listIds().length)) }
}

if (import.meta.main) {
  const missing = [...listMissingFiles().map((file) => `${file} is missing`), ...listUnknownLogos()]
  for (const one of missing) console.error(one)
  if (missing.length > 0) process.exit(1)
  for (const [name, text] of Object.entries(buildLists())) writeFileSync(join(listFolder, name), text)
  writeFileSync(join(root, 'README.md'), countInReadme().generated)
}
