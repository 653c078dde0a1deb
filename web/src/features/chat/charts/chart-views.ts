import { getOwn } from '#shared/get-own.ts'
import { isObject, listColumns, readRows, type JsonObject, type Row } from './chart-data.ts'

/** A part of a chart that draws marks, or the encoding that several layers share. */
export interface ChartView {
  spec: JsonObject
  /** its path in the specification, such as `layer[1]`; empty for the whole */
  path: string
  /** its own channels and those of the layers around it */
  encoding: JsonObject
  /** undefined if there are none */
  rows: Row[] | undefined
  /** the columns of its rows and what transforms add; undefined if that cannot be known */
  fields: ReadonlySet<string> | undefined
  /** the columns that transforms add */
  derived: ReadonlySet<string>
  /** how often it is drawn, because of facets and repetitions; 0 for a shared encoding */
  count: number
}

/** What a part inherits from the parts around it. */
type InheritedContext = Pick<ChartView, 'rows' | 'encoding' | 'count'> & {
  transforms: readonly unknown[]
}

const joinPath = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)
const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The transforms of a part. A single one may stand without a list. */
const listTransforms = ({ transform }: JsonObject) => (isObject(transform) ? [transform] : toArray(transform))

/** The keys under which a specification has further ones. */
const compositions = ['layer', 'concat', 'hconcat', 'vconcat'] as const

/** The names of columns that transforms without `as` add. */
const defaultOutputs: Readonly<Record<string, readonly string[]>> = {
  fold: ['key', 'value'],
  density: ['value', 'density'],
  quantile: ['prob', 'value'],
}

/** Lists the columns that a transform adds. @returns undefined if they depend on the data */
function listOutputs(transform: unknown): string[] | undefined {
  if (!isObject(transform) || 'pivot' in transform) return undefined
  const from = isObject(transform['from']) ? toArray(transform['from']['fields']) : []
  const inner = ['aggregate', 'joinaggregate', 'window'].flatMap((key) => toArray(transform[key]))
  const named = [transform, ...inner].flatMap((one) => {
    const as = isObject(one) ? one['as'] : undefined
    return typeof as === 'string' ? [as, `${as}_end`] : toArray(as)
  })
  const byDefault = Object.entries(defaultOutputs).flatMap(([key, outputs]) =>
    key in transform ? outputs : [],
  )
  return [...named, ...byDefault, ...from, ...toArray(transform['flatten'])].filter(
    (name) => typeof name === 'string',
  )
}

const listDerived = (transforms: readonly unknown[]): ReadonlySet<string> =>
  new Set(transforms.flatMap((transform) => listOutputs(transform) ?? []))

function listFields(rows: readonly Row[] | undefined, transforms: readonly unknown[]) {
  if (!rows) return undefined
  const outputs = transforms.map(listOutputs)
  if (outputs.includes(undefined)) return undefined
  return new Set([...listColumns(rows), ...outputs.flatMap((names) => names ?? [])])
}

/** Counts the different values of a facet's field, and so how many facets are drawn. */
function countValues(definition: unknown, rows: readonly Row[] | undefined): number {
  if (!isObject(definition) || typeof definition['field'] !== 'string' || !rows) return 1
  const { field } = definition
  return Math.max(1, new Set(rows.map((row) => JSON.stringify(getOwn(row, field)))).size)
}

const countFacets = (definitions: readonly unknown[], rows: readonly Row[] | undefined) =>
  definitions.reduce<number>((product, definition) => product * countValues(definition, rows), 1)

/** Lists the transforms of all layers: a shared encoding may use the columns that they add. */
const listLayerTransforms = (spec: JsonObject, depth = 0): readonly unknown[] =>
  toArray(spec['layer']).flatMap((layer) =>
    isObject(layer) && depth < 20 ? [...listTransforms(layer), ...listLayerTransforms(layer, depth + 1)] : [],
  )

/** Finds the first part that neither draws nor has further parts. @returns its path; undefined if there is none */
export function findIncomplete(spec: unknown, path = '', depth = 0): string | undefined {
  if (!isObject(spec)) return path
  if ('mark' in spec || depth > 20) return undefined
  const children = [
    ...compositions.flatMap((key) =>
      toArray(spec[key]).map((child, index) => [child, `${key}[${index}]`] as const),
    ),
    ...('spec' in spec ? [[spec['spec'], 'spec'] as const] : []),
  ]
  if (children.length === 0) return path
  for (const [child, key] of children) {
    const incompletePath = findIncomplete(child, joinPath(path, key), depth + 1)
    if (incompletePath !== undefined) return incompletePath
  }
  return undefined
}

/** Lists the parts of a chart. A specification nested deeper than 20 levels ends there. */
export function listViews(chart: JsonObject): ChartView[] {
  const views: ChartView[] = []
  const visit = (spec: unknown, path: string, inherited: InheritedContext, depth: number) => {
    if (!isObject(spec) || depth > 20) return
    const rows = 'data' in spec ? readRows(spec['data'], chart['datasets']) : inherited.rows
    const transforms = [...('data' in spec ? [] : inherited.transforms), ...listTransforms(spec)]
    const encoding = { ...inherited.encoding, ...(isObject(spec['encoding']) ? spec['encoding'] : {}) }
    const { row, column, facet } = encoding
    const count =
      inherited.count * ('mark' in spec || 'layer' in spec ? countFacets([row, column, facet], rows) : 1)
    const next = { rows, transforms, count }
    if ('mark' in spec)
      views.push({
        spec,
        path,
        encoding,
        rows,
        fields: listFields(rows, transforms),
        derived: listDerived(transforms),
        count,
      })
    else if ('layer' in spec && 'encoding' in spec) {
      const all = [...transforms, ...listLayerTransforms(spec)]
      views.push({
        spec,
        path,
        encoding,
        rows,
        fields: listFields(rows, all),
        derived: listDerived(all),
        count: 0,
      })
    }
    for (const key of compositions)
      for (const [index, child] of toArray(spec[key]).entries())
        visit(
          child,
          joinPath(path, `${key}[${index}]`),
          // facets are those of the whole
          {
            ...next,
            encoding:
              key === 'layer' ? { ...encoding, row: undefined, column: undefined, facet: undefined } : {},
          },
          depth + 1,
        )
    if (!('spec' in spec)) return
    const facets =
      isObject(spec['facet']) && !('field' in spec['facet']) ? Object.values(spec['facet']) : [spec['facet']]
    const repeats = isObject(spec['repeat']) ? Object.values(spec['repeat']) : [spec['repeat']]
    const repetitions = repeats.reduce<number>(
      (product, list) => product * Math.max(1, toArray(list).length),
      1,
    )
    visit(
      spec['spec'],
      joinPath(path, 'spec'),
      { ...next, count: count * countFacets(facets, rows) * repetitions, encoding: {} },
      depth + 1,
    )
  }
  visit(chart, '', { rows: undefined, transforms: [], encoding: {}, count: 1 }, 0)
  return views
}

/** A definition of a channel, and its path in the specification. */
export interface Channel {
  name: string
  definition: JsonObject
  path: string
}

/** Lists the channels of a view, without inherited ones. Of a channel with a list, such as `tooltip`, each entry is listed. */
export function listChannels({ spec, path }: Pick<ChartView, 'spec' | 'path'>): Channel[] {
  const encoding = isObject(spec['encoding']) ? spec['encoding'] : {}
  return Object.entries(encoding).flatMap(([name, value]) => {
    const channelPath = joinPath(path, `encoding.${name}`)
    const definitions = Array.isArray(value)
      ? value.map((one: unknown, index) => ({ definition: one, path: `${channelPath}[${index}]` }))
      : [{ definition: value, path: channelPath }]
    return definitions.flatMap((one) => {
      const { definition } = one
      if (!isObject(definition)) return []
      const condition = isObject(definition['condition']) ? [definition['condition']] : []
      return [
        { name, definition, path: one.path },
        ...condition.map((inner) => ({ name, definition: inner, path: `${one.path}.condition` })),
      ]
    })
  })
}
