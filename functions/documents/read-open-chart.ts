import type { OmissionCounter } from './extracted-text.ts'
import type { ChartText } from './read-chart.ts'
import { parseXml, readAttribute } from './read-package.ts'

/** Of one chart. */
const maxCells = 20_000

/**
 * Reads the values that a chart of OpenDocument shows: it has them as a table of its own (OpenDocument 1.3, part 3, 11).
 * @throws DocumentError if the part is not XML
 */
export function readOpenChart(part: Uint8Array, omissions: OmissionCounter): ChartText {
  const rows: string[][] = []
  const titles: string[] = []
  let row: string[] = []
  let cell: { text: string; value: string; repeat: number } | undefined
  let openAxis = false
  let [cells, inTitle, inParagraph] = [0, 0, 0]
  parseXml(part, {
    open(name, attributes, prefix) {
      if (prefix === 'chart' && (name === 'title' || name === 'subtitle') && !openAxis) {
        inTitle += 1
        titles.push('')
      }
      if (name === 'axis') openAxis = true
      if (name === 'p') inParagraph += 1
      if (name === 'table-row') row = []
      if (name === 'table-cell')
        cell = {
          text: '',
          value: readAttribute(attributes, 'value'),
          repeat: Math.min(100, Number(readAttribute(attributes, 'number-columns-repeated')) || 1),
        }
    },
    text(text) {
      if (inParagraph === 0) return
      if (cell) cell.text += text
      else if (inTitle > 0) titles[titles.length - 1] += text
    },
    close(name) {
      if (name === 'axis') openAxis = false
      if (name === 'p') inParagraph -= 1
      if ((name === 'title' || name === 'subtitle') && inTitle > 0) inTitle -= 1
      if (name === 'table-cell' && cell) {
        cells += cell.repeat
        // LibreOffice writes 1.#NAN where there is no value
        const shown = (cell.text.trim() || cell.value).replace(/^(?:1\.#NAN|NaN)$/i, '')
        if (cells <= maxCells) row.push(...Array<string>(cell.repeat).fill(shown))
        cell = undefined
      }
      if (name === 'table-row' && row.some((text) => text !== '')) rows.push(row)
    },
  })
  omissions.add('chartValues', Math.max(0, cells - maxCells))
  const title = titles.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '')
  return { title: title.join(' – '), rows }
}
