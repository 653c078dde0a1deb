import type { OmissionCounter } from './extracted-text.ts'
import { formatDate } from './number-format.ts'
import type { ChartText } from './read-chart.ts'
import { parseXml, readAttribute } from './read-package.ts'

const maxCells = 20_000

interface Points {
  x: number
  y: number
  size?: number
}

function readColumn(address: string): number {
  const [, letters = ''] = /^local-table\.\$?([A-Z]{1,3})\$?\d/.exec(address) ?? []
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Each series with its points: their table has the columns in the order in which the program made them, and names those without a series. */
function arrangePoints([header = [], ...rows]: readonly string[][], points: readonly Points[]): string[][] {
  const groups = Map.groupBy(points, ({ x, size }) => (size === undefined ? x : {}))
  return [...groups.values()].flatMap((group) => {
    const columns = group.flatMap(({ y, size }) => {
      const name = header[size ?? y] ?? ''
      return size === undefined
        ? [{ title: name, column: y }]
        : [
            { title: name, column: y },
            { title: `${name} (size)`.trim(), column: size },
          ]
    })
    return [
      ['', ...columns.map(({ title }) => title)],
      ...rows.map((row) => [row[group[0]?.x ?? 0] ?? '', ...columns.map(({ column }) => row[column] ?? '')]),
    ]
  })
}

/** A chart of OpenDocument has its values as a table of its own (OpenDocument 1.3, part 3, 11). */
export function readOpenChart(part: Uint8Array, omissions: OmissionCounter): ChartText {
  const rows: string[][] = []
  const titles: string[] = []
  let row: string[] = []
  let cell: { text: string; levels: string[]; value: string; repeat: number } | undefined
  let openAxis = false
  let hasDates = false
  let kind = ''
  const points: Points[] = []
  let series: { kind: string; values: number; domains: number[] } | undefined
  let [cells, inTitle, inParagraph, inList] = [0, 0, 0, 0]

  const endSeries = ({ kind: own, values, domains: [first, second] }: NonNullable<typeof series>) => {
    // the first series may have the positions of the others
    const x = (own.endsWith('bubble') ? second : first) ?? points[0]?.x ?? -1
    if (own.endsWith('scatter')) points.push({ x, y: values })
    else if (own.endsWith('bubble')) points.push({ x, y: first ?? -1, size: values })
  }

  parseXml(part, {
    open(name, attributes, prefix) {
      if (prefix === 'chart' && (name === 'title' || name === 'subtitle') && !openAxis) {
        inTitle += 1
        titles.push('')
      }
      if (name === 'chart') kind = readAttribute(attributes, 'class') || kind
      if (name === 'series')
        series = {
          kind: readAttribute(attributes, 'class') || kind,
          values: readColumn(readAttribute(attributes, 'values-cell-range-address')),
          domains: [],
        }
      if (name === 'domain') series?.domains.push(readColumn(readAttribute(attributes, 'cell-range-address')))
      if (name === 'axis') {
        openAxis = true
        if (readAttribute(attributes, 'dimension') === 'x')
          hasDates = readAttribute(attributes, 'axis-type') === 'date'
      }
      if (name === 'list') inList += 1
      if (name === 'p') {
        inParagraph += 1
        if (inList > 0) cell?.levels.push('')
      }
      if (name === 'table-row') row = []
      if (name === 'table-cell')
        cell = {
          text: '',
          levels: [],
          value: readAttribute(attributes, 'value'),
          repeat: Math.min(100, Number(readAttribute(attributes, 'number-columns-repeated')) || 1),
        }
    },
    text(text) {
      if (inParagraph === 0) return
      if (cell && inList > 0) cell.levels[cell.levels.length - 1] += text
      else if (cell) cell.text += text
      else if (inTitle > 0) titles[titles.length - 1] += text
    },
    close(name) {
      if (name === 'axis') openAxis = false
      if (name === 'list') inList -= 1
      if (name === 'p') inParagraph -= 1
      if (name === 'series' && series) {
        endSeries(series)
        series = undefined
      }
      if ((name === 'title' || name === 'subtitle') && inTitle > 0) inTitle -= 1
      if (name === 'table-cell' && cell) {
        cells += cell.repeat
        // the levels of a category stand behind their text
        const text = cell.text.trim() || cell.levels.filter(Boolean).join(' ') || cell.value
        // LibreOffice writes 1.#NAN where there is no value
        const shown = text.replace(/^(?:1\.#NAN|NaN)$/i, '')
        const isDay = hasDates && row.length === 0 && rows.length > 0 && cell.value !== ''
        if (cells <= maxCells)
          row.push(...Array<string>(cell.repeat).fill(isDay ? formatDate(cell.value) : shown))
        cell = undefined
      }
      if (name === 'table-row' && row.some((text) => text !== '')) rows.push(row)
    },
  })
  omissions.add('chartValues', Math.max(0, cells - maxCells))
  const title = titles.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '')
  const isComplete = points.length > 0 && points.every(({ x, y, size = 0 }) => Math.min(x, y, size) >= 0)
  return { title: title.join(' – '), rows: isComplete ? arrangePoints(rows, points) : rows }
}
