import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { routes } from '#shared/routes.ts'
import { configKeys } from '../infra/aws/config.ts'
import {
  findStorageKeys,
  findRowNames,
  findUnionMembers,
  findEnvironmentVariables,
  type RowNames,
} from './support/stored-names.ts'

/**
 * Names that data, deployments and pages of earlier releases use, in one file, `pins.json`: a rename that reaches one of them would lose
 * stored data or break a page that is open. `npx vitest run --project=lint test/pins.test.ts -u` updates the file, and the commit
 * says how rows and pages of the release before are still read.
 */

const sources = (pattern: string) =>
  globSync(pattern)
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .toSorted()
    .map((file) => ({ file, source: readFileSync(file, 'utf8') }))

/** Schemas in other folders describe services' responses, and store nothing. */
const storingFolders = [
  'account',
  'chat',
  'conversations',
  'embeddings',
  'files',
  'imports',
  'integrations',
  'mcp',
  'mfa',
]
storingFolders.push('platform', 'registry', 'settings', 'shares', 'sign-in', 'tools')

function rowNames(folder: string): RowNames {
  const found = sources(`functions/${folder}/**/*.ts`).map(({ file, source }) => findRowNames(file, source))
  const all = (part: keyof RowNames) => [...new Set(found.flatMap((names) => names[part]))].toSorted()
  return { keys: all('keys'), attributes: all('attributes'), expressions: all('expressions') }
}

/** Each member with its path, `[]` for items and `{}` for the values of a record, and the values of enums and literals. */
function fieldsIn(schema: z.core.$ZodType, path = '', ancestors: readonly unknown[] = []): string[] {
  if (ancestors.includes(schema)) return [`${path} …`]
  const below = (inner: unknown, at = path) =>
    fieldsIn(inner as z.core.$ZodType, at, [...ancestors, schema]).filter((line) => line !== '')
  const { def } = schema._zod
  if (schema instanceof z.core.$ZodObject)
    return Object.entries(schema._zod.def.shape).flatMap(([name, field]) => {
      const at = path === '' ? name : `${path}.${name}`
      return [at, ...below(field, at).filter((line) => line !== at)]
    })
  if (schema instanceof z.core.$ZodArray) return below(schema._zod.def.element, `${path}[]`)
  if (schema instanceof z.core.$ZodRecord) return below(schema._zod.def.valueType, `${path}{}`)
  if (schema instanceof z.core.$ZodEnum)
    return [`${path} = ${Object.values(schema._zod.def.entries).join(' | ')}`]
  if (schema instanceof z.core.$ZodLiteral) return [`${path} = ${schema._zod.def.values.join(' | ')}`]
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options.flatMap((option) => below(option))
  if (schema instanceof z.core.$ZodIntersection)
    return [schema._zod.def.left, schema._zod.def.right].flatMap((part) => below(part))
  if (schema instanceof z.core.$ZodLazy) return below(schema._zod.def.getter())
  if (schema instanceof z.core.$ZodPipe) return below(schema._zod.def.in)
  if ('innerType' in def) return below(def.innerType)
  return [path]
}

async function contractFields(): Promise<Record<string, string[]>> {
  const fields: Record<string, string[]> = {}
  for (const file of globSync('shared/contracts/*.ts').toSorted()) {
    const module = (await import(/* @vite-ignore */ `../${file}`)) as Record<string, unknown>
    for (const [name, schema] of Object.entries(module))
      if (schema instanceof z.core.$ZodType)
        fields[`${file.replace(/^.*\/(.*)\.ts$/, '$1')} ${name}`] = [...new Set(fieldsIn(schema))].filter(
          Boolean,
        )
  }
  return Object.fromEntries(Object.entries(fields).filter(([, lines]) => lines.length > 0))
}

it('names that outlive a release match pins.json', async () => {
  const collect = (pattern: string, find: (file: string, source: string) => string[]) =>
    [...new Set(sources(pattern).flatMap(({ file, source }) => find(file, source)))].toSorted()
  const pins = {
    table: Object.fromEntries(storingFolders.map((folder) => [folder, rowNames(folder)])),
    storage: collect('web/src/**/*.{ts,tsx}', findStorageKeys),
    variables: {
      functions: collect('functions/**/*.ts', findEnvironmentVariables),
      infra: collect('infra/**/*.ts', findEnvironmentVariables),
    },
    context: [...configKeys].toSorted(),
    routes: Object.fromEntries(
      Object.entries(routes).map(([name, { method, path }]) => [name, `${method} ${path}`]),
    ),
    events: findUnionMembers(
      'shared/chat-events.ts',
      readFileSync('shared/chat-events.ts', 'utf8'),
      'ChatEvent',
    ),
    contracts: await contractFields(),
  }
  await expect(`${JSON.stringify(pins, undefined, 2)}\n`).toMatchFileSnapshot('pins.json')
})

it('names are found in keys, items, schemas and expressions', () => {
  const source = `
    const key = (sub, id) => ({ PK: \`U#\${sub}\`, SK: \`S#\${id}\`, ttl })
    const row = z.object({ title: z.string() }).extend({ rev: z.number() })
    const prefix = (id) => \`M#\${id}#\`
    new PutCommand({ Item: { ...key('a', 'b'), pinned: true } })
    putRow(table, { ...key('a', 'b'), archived: true })
    updateRow(table, key, { update: 'SET #name = :name', names: { '#name': 'title_set' } })
  `
  expect(findRowNames('repository.ts', source)).toEqual({
    keys: ['M#${}#', 'PK U#${}', 'SK S#${}'],
    attributes: ['PK', 'SK', 'archived', 'pinned', 'rev', 'title', 'ttl'],
    expressions: ['#name is title_set', 'SET #name = :name'],
  })
})

it('names are found in uses of the environment, of storage and of events', () => {
  const source = `
    const env = parseEnv({ TABLE_NAME: z.string() })
    const level = process.env['LOG_LEVEL']
    const storageKey = 'juno.theme'
    writeStored('local', storageKey, 'dark')
    type Event = { type: 'start'; id: string; about: { by: string } } | { type: 'end' }
  `
  expect(findEnvironmentVariables('a.ts', source)).toEqual(['LOG_LEVEL', 'TABLE_NAME'])
  expect(findStorageKeys('a.ts', source)).toEqual(['juno.theme'])
  expect(findUnionMembers('a.ts', source, 'Event')).toEqual(['end', 'start id about about.by'])
})
