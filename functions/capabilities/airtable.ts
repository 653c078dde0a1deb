import { sayCapability } from '#shared/sentences/capabilities.ts'
import { ToolError } from '../platform/tool-error.ts'
import * as z from 'zod'
import { type ApiClient, capability, type Capability } from './capability.ts'
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
const record = z
  .object({ id: z.string(), fields: z.record(z.string(), z.unknown()).default({}) })
  .transform(({ id, fields }) => {
    const shown = Object.entries(fields).slice(0, 20)
    return { ...Object.fromEntries(shown.map(([name, value]) => [shortText(name), formatValue(value)])), id }
  })

const formatValue = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean'
    ? value
    : shortText(typeof value === 'string' ? value : JSON.stringify(value))

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

const listBases = (api: ApiClient, offset?: string) => api.get(bases, '/meta/bases', { offset })

async function findBase(api: ApiClient, nameOrId: string | undefined) {
  const found: z.output<typeof bases>['bases'] = []
  let offset: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const response = await listBases(api, offset)
    found.push(...response.bases)
    if (response.offset === undefined || response.offset === offset) break
    offset = response.offset
  }
  return findByNameOrId(found, nameOrId, 'base')
}

async function findTable(api: ApiClient, names: { base?: string | undefined; table?: string | undefined }) {
  const base = await findBase(api, names.base)
  const id = encodeURIComponent(base.id)
  const all = await api.get(tables, `/meta/bases/${id}/tables`)
  const table = findByNameOrId(all.tables, names.table, 'table')
  return { base: shortText(base.name), table, path: `/${id}/${encodeURIComponent(table.id)}` }
}

export const airtable: readonly Capability[] = [
  capability({
    id: 'list_bases',
    name: 'List bases',
    description: 'Lists the Airtable bases that the token may use.',
    parameters: z.object({}),
    examples: ['Which Airtable bases are there?'],
    async run(api) {
      const response = await listBases(api)
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
    async run(api, { limit: maxRows, ...names }) {
      const { base, table, path } = await findTable(api, names)
      const page = z.object({ records: z.array(record), offset: z.string().optional() })
      const { records, offset } = await api.get(page, path, { pageSize: maxRows })
      return { base, table: shortText(table.name), records, more: offset !== undefined }
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
    async run(api, { name, fields, ...names }) {
      const { base, table, path } = await findTable(api, names)
      const primary = table.fields.find(({ id }) => id === table.primaryFieldId)
      const isWritten = !primary || !isComputed(primary)
      if (!isWritten && Object.keys(fields ?? {}).length === 0) {
        const others = quoteSome(table.fields.filter((one) => !isComputed(one)).map((one) => one.name))
        throw new ToolError(
          sayCapability('airtable_computed.others', { field: shortText(primary.name), others }),
        )
      }
      const json = {
        fields: isWritten ? { ...fields, [primary?.name ?? table.primaryFieldId]: name } : fields,
        typecast: true,
      }
      return {
        created: true,
        base,
        table: shortText(table.name),
        record: await api.post(record, path, { json }),
        ...(!isWritten && {
          not_written: sayCapability('airtable_computed.name', { field: shortText(primary?.name) }),
        }),
      }
    },
  }),
]
