import type { OmissionCounter } from './extracted-text.ts'
import { compileFormat, type FormatNumber } from './number-format.ts'
import { parseXml, readAttribute } from './read-package.ts'
import { formatTable } from './write-table.ts'

const maxValues = 20_000

interface Values {
  values: Map<number, string>
  format: FormatNumber | undefined
}
interface Series {
  name: string
  categories: Values
  values: Values
  sizes: Values
  dataId: string
}

export interface ChartText {
  title: string
  rows: string[][]
}

const createValues = (): Values => ({ values: new Map(), format: undefined })
const createSeries = (): Series => ({
  name: '',
  categories: createValues(),
  values: createValues(),
  sizes: createValues(),
  dataId: '',
})

const categoryElements = new Set(['cat', 'xVal'])
const valueElements = new Set(['val', 'yVal'])
const otherElements = new Set(['bubbleSize', 'strDim', 'numDim'])

export function readChart(part: Uint8Array, omissions: OmissionCounter): ChartText {
  const series: Series[] = []
  const data = new Map<string, Series>()
  let current: Series | undefined
  let column: Values | undefined
  let title = ''
  let point = ''
  let pointIndex = 0
  let nextIndex = 0
  let count = 0
  let target: 'title' | 'name' | 'point' | undefined
  let level: Map<number, string> | undefined
  const open = new Map<string, number>()
  const change = (name: string, by: number) => open.set(name, (open.get(name) ?? 0) + by)
  const isIn = (name: string) => (open.get(name) ?? 0) > 0

  const addPoint = () => {
    if (!column) return
    count += 1
    if (count > maxValues) return
    const points = level ?? column.values
    points.set(pointIndex, column.format?.(point) ?? point)
  }
  const endLevel = (points: Map<number, string>) => {
    const values = column?.values ?? new Map<number, string>()
    let group = ''
    for (const index of [...new Set([...values.keys(), ...points.keys()])].toSorted(
      (one, other) => one - other,
    )) {
      group = points.get(index) ?? group
      const inner = values.get(index)
      if (inner === undefined) values.set(index, points.get(index) ?? '')
      else if (group !== '') values.set(index, `${group} ${inner}`)
    }
  }

  parseXml(part, {
    open(name, attributes) {
      change(name.endsWith('Ax') ? 'axis' : name, 1)
      if (name === 'ser' || name === 'series') {
        current = createSeries()
        series.push(current)
      } else if (name === 'data' && isIn('chartData')) {
        current = createSeries()
        data.set(readAttribute(attributes, 'id'), current)
      } else if (name === 'dataId' && current) current.dataId = readAttribute(attributes, 'val')
      else if (categoryElements.has(name) && current) column = current.categories
      else if (valueElements.has(name) && current) column = current.values
      else if (name === 'bubbleSize' && current) column = current.sizes
      else if (name === 'strDim' && current) column = current.categories
      else if (name === 'numDim' && current) column = current.values
      else if (name === 'lvl') {
        nextIndex = 0
        level = new Map()
        const code = readAttribute(attributes, 'formatCode')
        if (column && code !== '') column.format = compileFormat(-1, code)
      } else if (name === 'pt') {
        const index = Number(readAttribute(attributes, 'idx') || nextIndex)
        pointIndex = Number.isSafeInteger(index) && index >= 0 ? index : nextIndex
        nextIndex = pointIndex + 1
        point = ''
        // the newer kinds write the value into the point
        if (column && data.size > 0) target = 'point'
      }
      // the titles of axes stand within them
      if (name === 't' && isIn('title') && !isIn('axis') && !current) target = 'title'
      if (name === 'v') target = column ? 'point' : isIn('tx') && current ? 'name' : target
      if (name === 'formatCode') {
        target = 'point'
        point = ''
      }
    },
    text(text) {
      if (target === 'title') title += text
      if (target === 'name' && current) current.name += text
      if (target === 'point') point += text
    },
    close(name) {
      change(name.endsWith('Ax') ? 'axis' : name, -1)
      if (name === 'formatCode' && column) column.format = compileFormat(-1, point)
      if (name === 'formatCode') point = ''
      if (name === 'pt') addPoint()
      if (name === 'lvl' && level) {
        endLevel(level)
        level = undefined
      }
      if (name === 'p' && isIn('title')) title += ' '
      if (['v', 't', 'pt', 'formatCode'].includes(name)) target = undefined
      if (categoryElements.has(name) || valueElements.has(name) || otherElements.has(name)) column = undefined
      if (name === 'ser' || name === 'series' || name === 'data') current = undefined
    },
  })
  omissions.add('chartValues', Math.max(0, count - maxValues))
  for (const one of series) {
    const own = data.get(one.dataId)
    if (own) [one.categories, one.values] = [own.categories, own.values]
  }
  return { title: title.replaceAll(/\s+/g, ' ').trim(), rows: writeRows(series) }
}

const isSame = (one: Values, other: Values) =>
  one.values.size === other.values.size &&
  [...one.values].every(([index, value]) => other.values.get(index) === value)

function writeRows(series: readonly Series[]): string[][] {
  const groups: Series[][] = []
  for (const one of series) {
    if (one.values.values.size === 0 && one.categories.values.size === 0) continue
    const group = groups.at(-1)
    // some writers give the categories to the first series only
    const isShared =
      group?.[0] && (one.categories.values.size === 0 || isSame(group[0].categories, one.categories))
    if (group && isShared) group.push(one)
    else groups.push([one])
  }
  return groups.flatMap((group) => {
    const categories = group[0]?.categories.values ?? new Map<number, string>()
    const indexes = new Set([...categories.keys(), ...group.flatMap((one) => [...one.values.values.keys()])])
    const columns = group.flatMap(({ name, values, sizes }) => [
      { title: name.trim(), values },
      ...(sizes.values.size > 0 ? [{ title: `${name.trim()} (size)`.trim(), values: sizes }] : []),
    ])
    return [
      ...(columns.some(({ title }) => title !== '') ? [['', ...columns.map(({ title }) => title)]] : []),
      ...[...indexes]
        .toSorted((one, other) => one - other)
        .map((index) => [
          categories.get(index) ?? '',
          ...columns.map(({ values }) => values.values.get(index) ?? ''),
        ]),
    ]
  })
}

export function formatChart({ title, rows }: ChartText): string {
  if (title === '' && rows.length === 0) return ''
  return [`[chart${title === '' ? '' : `: ${title}`}]`, formatTable(rows).replace(/\n$/, '')]
    .filter((line) => line !== '')
    .join('\n')
}
