import { getOwn } from '#shared/get-own.ts'
import { isObject, listColumns, readRows, type JsonObject, type Row } from './chart-data.ts'

/** A part of a chart that draws marks, or the encoding that several layers share. */
export interface ChartView {
  spec: JsonObject
  /** its path in the specification, such as `layer[1]`; empty for the whole */
  path: string
  /** its own channels and those of the layers around it, without their facets */
  encoding: JsonObject
  /** undefined without data */
  rows: Row[] | undefined
  /** the columns of its rows and what transforms add; undefined if that cannot be known, as without rows */
  fields: ReadonlySet<string> | undefined
  /** the columns that transforms add or calculate anew */
  derived: ReadonlySet<string>
  /** how often it is drawn, because of facets and repetitions; 0 for a shared encoding */
  count: number
}

/** What applies to a part, by itself and by the parts around it. */
type PartContext = Pick<ChartView, 'rows' | 'encoding' | 'count'> & {
  transforms: readonly unknown[]
}

/** Appends a key to a path, which is empty for the whole specification. */
export const joinPath = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)
const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The transforms of a part. A single one may stand without a list. */
const listTransforms = ({ transform }: JsonObject) => (isObject(transform) ? [transform] : toArray(transform))

/** The keys under which a part has a list of further ones. */
const compositions = ['layer', 'concat', 'hconcat', 'vconcat'] as const

/** The keys under which a transform has a list of operations. */
export const operationLists = ['aggregate', 'joinaggregate', 'window'] as const

/** The names of columns that transforms without `as` add. */
const defaultOutputs: Readonly<Record<string, readonly string[]>> = {
  fold: ['key', 'value'],
  density: ['value', 'density'],
  quantile: ['prob', 'value'],
}

/** Lists the columns that a transform adds or calculates anew. @returns undefined if they depend on the data */
function listOutputs(transform: unknown): string[] | undefined {
  if (!isObject(transform) || 'pivot' in transform) return undefined
  const from = isObject(transform['from']) ? toArray(transform['from']['fields']) : []
  const operations = operationLists.flatMap((key) => toArray(transform[key]))
  const named = [transform, ...operations].flatMap((one) => {
    const as = isObject(one) ? one['as'] : undefined
    // of a range, such as a bin or a unit of time, Vega-Lite adds the end too
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
  if (!rows?.length) return undefined
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
const listLayerTransforms = (spec: JsonObject): readonly unknown[] =>
  toArray(spec['layer']).flatMap((layer) =>
    isObject(layer) ? [...listTransforms(layer), ...listLayerTransforms(layer)] : [],
  )

/** A part directly inside another one. */
interface ChildPart {
  spec: unknown
  /** where it is, such as `layer[1]` */
  key: string
  composition: (typeof compositions)[number] | 'spec'
}

const listChildren = (spec: JsonObject): ChildPart[] => [
  ...compositions.flatMap((composition) =>
    toArray(spec[composition]).map((child, index) => ({
      spec: child,
      key: `${composition}[${index}]`,
      composition,
    })),
  ),
  ...('spec' in spec ? [{ spec: spec['spec'], key: 'spec', composition: 'spec' as const }] : []),
]

/** Finds the first part that neither draws nor has further parts. @returns its path; undefined if there is none */
export function findIncomplete(spec: unknown, path = ''): string | undefined {
  if (!isObject(spec)) return path
  if ('mark' in spec) return undefined
  const children = listChildren(spec)
  if (children.length === 0) return path
  for (const child of children) {
    const incompletePath = findIncomplete(child.spec, joinPath(path, child.key))
    if (incompletePath !== undefined) return incompletePath
  }
  return undefined
}

/** Counts how often a part with `facet` or `repeat` draws the one inside of it. */
function countRepetitions({ facet, repeat }: JsonObject, rows: Row[] | undefined): number {
  const facets = isObject(facet) && !('field' in facet) ? Object.values(facet) : [facet]
  const repeats = isObject(repeat) ? Object.values(repeat) : [repeat]
  return repeats.reduce<number>(
    (product, list) => product * Math.max(1, toArray(list).length),
    countFacets(facets, rows),
  )
}

/** Adds what a part has itself to what it inherits. Its own data takes the place of inherited data and of the transforms of it. */
function extendContext(spec: JsonObject, inherited: PartContext, datasets: unknown): PartContext {
  const hasData = 'data' in spec
  const rows = hasData ? readRows(spec['data'], datasets) : inherited.rows
  const encoding = { ...inherited.encoding, ...(isObject(spec['encoding']) ? spec['encoding'] : {}) }
  const { row, column, facet } = encoding
  const isFaceted = 'mark' in spec || 'layer' in spec
  return {
    rows,
    encoding,
    transforms: [...(hasData ? [] : inherited.transforms), ...listTransforms(spec)],
    count: inherited.count * (isFaceted ? countFacets([row, column, facet], rows) : 1),
  }
}

/** Returns what a part passes on to one inside of it: to layers its encoding too, but not its facets, which are those of the whole. */
function passOn(spec: JsonObject, context: PartContext, { composition }: ChildPart): PartContext {
  const { rows, encoding, count } = context
  if (composition === 'layer')
    return { ...context, encoding: { ...encoding, row: undefined, column: undefined, facet: undefined } }
  const repetitions = composition === 'spec' ? countRepetitions(spec, rows) : 1
  return { ...context, encoding: {}, count: count * repetitions }
}

/** Makes a view of a part that draws, or of one whose encoding several layers share. @returns undefined for any other */
function toView(
  spec: JsonObject,
  path: string,
  { transforms, ...context }: PartContext,
): ChartView | undefined {
  const isDrawn = 'mark' in spec
  if (!isDrawn && !('layer' in spec && 'encoding' in spec)) return undefined
  const allTransforms = isDrawn ? transforms : [...transforms, ...listLayerTransforms(spec)]
  return {
    ...context,
    spec,
    path,
    fields: listFields(context.rows, allTransforms),
    derived: listDerived(allTransforms),
    count: isDrawn ? context.count : 0,
  }
}

/** Lists the views of a chart, in the order of its specification. */
export function listViews(chart: JsonObject): ChartView[] {
  const listIn = (part: unknown, path: string, inherited: PartContext): ChartView[] => {
    if (!isObject(part)) return []
    const context = extendContext(part, inherited, chart['datasets'])
    const view = toView(part, path, context)
    const innerViews = listChildren(part).flatMap((child) =>
      listIn(child.spec, joinPath(path, child.key), passOn(part, context, child)),
    )
    return view ? [view, ...innerViews] : innerViews
  }
  return listIn(chart, '', { rows: undefined, transforms: [], encoding: {}, count: 1 })
}

/** Returns the mark of a part, which may have settings beside its name. */
export const getMark = ({ mark }: JsonObject): unknown => (isObject(mark) ? mark['type'] : mark)

/** A definition of a channel, and its path in the specification. */
export interface Channel {
  name: string
  definition: JsonObject
  path: string
}

/** Lists the definitions of a view's channels, without inherited ones: each of a list, such as that of `tooltip`, and those in conditions. */
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
      const { condition } = definition
      const conditions = isObject(condition) ? [condition] : toArray(condition).filter(isObject)
      return [
        { name, definition, path: one.path },
        ...conditions.map((inner) => ({ name, definition: inner, path: `${one.path}.condition` })),
      ]
    })
  })
}
