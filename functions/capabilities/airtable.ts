import * as z from 'zod'
import type { ConnectedApi } from './api.ts'
import { capability, type Capability } from './capability.ts'
import { limit, singleLine, findByNameOrId, quoteSome, shortText } from './schemas.ts'

const bases = z.object({
  bases: z.array(z.object({ id: z.string(), name: z.string() })),
  offset: z.string().optional(),
})
const tables = z.object({
  tables: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      primaryFieldId: z.string(),
      fields: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })).default([]),
    }),
  ),
})
type Field = z.output<typeof tables>['tables'][number]['fields'][number]
const record = z.object({ id: z.string(), fields: z.record(z.string(), z.unknown()).default({}) })

const tableParameters = {
  base: singleLine('name or id of the Airtable base').optional(),
  table: singleLine('name or id of the table in the base').optional(),
}

/** Types whose values Airtable computes. It refuses every record that has one. */
const computedTypes = new Set([
  'aiText',
  'autoNumber',
  'button',
  'count',
  'createdBy',
  'createdTime',
  'externalSyncSource',
  'formula',
  'lastModifiedBy',
  'lastModifiedTime',
  'lookup',
  'multipleLookupValues',
  'rollup',
])
const isComputed = ({ type }: Field) => computedTypes.has(type)

/** A page has up to 1,000 bases. */
const maxPages = 20

const listBases = async (api: ConnectedApi, signal: AbortSignal, offset?: string) =>
  bases.parse(await api.call('/meta/bases', { query: { offset } }, signal))

async function findBase(api: ConnectedApi, nameOrId: string | undefined, signal: AbortSignal) {
  const found: z.output<typeof bases>['bases'] = []
  let offset: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const response = await listBases(api, signal, offset)
    found.push(...response.bases)
    if (response.offset === undefined || response.offset === offset) break
    offset = response.offset
  }
  return findByNameOrId(found, nameOrId, 'base')
}

async function findTable(
  api: ConnectedApi,
  { base, table }: { base?: string | undefined; table?: string | undefined },
  signal: AbortSignal,
) {
  const { id, name } = await findBase(api, base, signal)
  const all = tables.parse(await api.call(`/meta/bases/${encodeURIComponent(id)}/tables`, {}, signal))
  const found = findByNameOrId(all.tables, table, 'table')
  return {
    base: shortText(name),
    table: found,
    path: `/${encodeURIComponent(id)}/${encodeURIComponent(found.id)}`,
  }
}

const formatRecord = ({ id, fields }: z.output<typeof record>) => ({
  ...Object.fromEntries(
    Object.entries(fields)
      .slice(0, 20)
      .map(([name, value]) => [
        shortText(name),
        typeof value === 'number' || typeof value === 'boolean'
          ? value
          : shortText(typeof value === 'string' ? value : JSON.stringify(value)),
      ]),
  ),
  id,
})

export const airtable: readonly Capability[] = [
  capability({
    id: 'list_bases',
    name: 'List bases',
    description: 'Lists the Airtable bases that the token may use.',
    parameters: z.object({}),
    examples: ['Which Airtable bases are there?'],
    async run(api, _, signal) {
      const response = await listBases(api, signal)
      return {
        bases: response.bases.map(({ id, name }) => ({ name: shortText(name), id })),
        more: response.offset !== undefined,
      }
    },
  }),
  capability({
    id: 'list_records',
    name: 'List records',
    description: 'Lists the records (rows) of a table in Airtable.',
    parameters: z.object({ ...tableParameters, limit: limit('records') }),
    examples: ['Show the records of my Airtable table Projects'],
    async run(api, { limit: maxRows, ...names }, signal) {
      const { base, table, path } = await findTable(api, names, signal)
      const response = z
        .object({ records: z.array(record), offset: z.string().optional() })
        .parse(await api.call(path, { query: { pageSize: maxRows } }, signal))
      return {
        base,
        table: shortText(table.name),
        records: response.records.map(formatRecord),
        more: response.offset !== undefined,
      }
    },
  }),
  capability({
    id: 'create_record',
    name: 'Create a record',
    description: 'Creates (adds) a record (row) in a table of Airtable.',
    parameters: z.object({
      name: singleLine('value of the first field, which names the record', 1_000),
      fields: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
        .optional()
        .describe('values of further fields by their names'),
      ...tableParameters,
    }),
    examples: ['Add "Website relaunch" to my Airtable table Projects'],
    writes: true,
    async run(api, { name, fields, ...names }, signal) {
      const { base, table, path } = await findTable(api, names, signal)
      const primary = table.fields.find(({ id }) => id === table.primaryFieldId)
      const isWritten = !primary || !isComputed(primary)
      const computedHint = `Airtable computes the first field, "${shortText(primary?.name)}".`
      if (!isWritten && Object.keys(fields ?? {}).length === 0) {
        const others = quoteSome(table.fields.filter((one) => !isComputed(one)).map((one) => one.name))
        throw new Error(`${computedHint} Put the name into one of the other fields: ${others}.`)
      }
      const json = {
        fields: isWritten ? { ...fields, [primary?.name ?? table.primaryFieldId]: name } : fields,
        typecast: true,
      }
      const created = record.parse(await api.call(path, { method: 'POST', json }, signal))
      return {
        created: true,
        base,
        table: shortText(table.name),
        record: formatRecord(created),
        ...(!isWritten && { not_written: `${computedHint} The name was not written.` }),
      }
    },
  }),
]
