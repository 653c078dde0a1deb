import { expect, it } from 'vitest'
import { OmissionCounter } from './extracted-text.ts'
import { readOpenChart } from './read-open-chart.ts'

const cell = (text: string | number) =>
  typeof text === 'number'
    ? `<table:table-cell office:value-type="float" office:value="${text}"><text:p>${text}</text:p></table:table-cell>`
    : `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
const series = (kind: string, values: string, ...domains: string[]) =>
  `<chart:series chart:values-cell-range-address="local-table.$${values}$2:.$${values}$3" chart:label-cell-address="local-table.$${values}$1" chart:class="chart:${kind}">${domains.map((column) => `<chart:domain table:cell-range-address="local-table.$${column}$2:.$${column}$3"/>`).join('')}</chart:series>`
const readChart = (chartClass: string, plot: string, ...rows: string[]) =>
  readOpenChart(
    Buffer.from(
      `<office:document-content xmlns:office="o" xmlns:chart="c" xmlns:chartooo="d" xmlns:table="t" xmlns:text="x"><chart:chart${chartClass}><chart:plot-area>${plot}</chart:plot-area><table:table table:name="local-table"><table:table-header-columns><table:table-column/></table:table-header-columns>${rows.join('')}</table:table></chart:chart></office:document-content>`,
    ),
    new OmissionCounter(),
  ).rows
const read = (plot: string, ...rows: string[]) => readChart('', plot, ...rows)

it('writes the values of points beside those of their series, as other charts have them', () => {
  expect(
    read(
      `${series('scatter', 'B', 'C')}${series('scatter', 'D')}`,
      row(cell(''), cell('Height'), cell('Series2'), cell('Weight')),
      row(cell(''), cell(2.5), cell(1.5), cell(8)),
      row(cell(''), cell(4), cell(3), cell(9)),
    ),
  ).toEqual([
    ['', 'Height', 'Weight'],
    ['1.5', '2.5', '8'],
    ['3', '4', '9'],
  ])
  expect(
    read(
      series('bubble', 'D', 'B', 'C'),
      row(cell(''), cell('Series1'), cell('Series2'), cell('Sales')),
      row(cell(''), cell(2), cell(1), cell(10)),
      row(cell(''), cell(4), cell(3), cell(20)),
    ),
  ).toEqual([
    ['', 'Sales', 'Sales (size)'],
    ['1', '2', '10'],
    ['3', '4', '20'],
  ])
})

it('writes the days of an axis of dates, and the levels of a category once', () => {
  expect(
    read(
      `<chart:axis chart:dimension="x" chartooo:axis-type="date"/>${series('line', 'B')}`,
      row(cell(''), cell('Sum')),
      row(cell(45_292), cell(7)),
      row(cell(45_323), cell(8)),
    ),
  ).toEqual([
    ['', 'Sum'],
    ['2024-01-01', '7'],
    ['2024-02-01', '8'],
  ])
  const levels = (...texts: string[]) =>
    `<text:list>${texts.map((text) => `<text:list-item><text:p>${text}</text:p></text:list-item>`).join('')}</text:list>`
  expect(
    read(
      series('bar', 'B'),
      row(cell(''), cell('Sum')),
      row(`<table:table-cell><text:p>USA CA</text:p>${levels('USA', 'CA')}</table:table-cell>`, cell(1)),
      row(`<table:table-cell>${levels('USA', 'NY')}</table:table-cell>`, cell(2)),
    ),
  ).toEqual([
    ['', 'Sum'],
    ['USA CA', '1'],
    ['USA NY', '2'],
  ])
})

it('reads series without a kind as those of the chart’s', () => {
  const withoutKind = (values: string, ...domains: string[]) =>
    series('', values, ...domains).replace(' chart:class="chart:"', '')
  expect(
    readChart(
      ' chart:class="chart:scatter"',
      withoutKind('B', 'C'),
      row(cell(''), cell('Height'), cell('Series2')),
      row(cell(''), cell(2.5), cell(1.5)),
    ),
  ).toEqual([
    ['', 'Height'],
    ['1.5', '2.5'],
  ])
})
