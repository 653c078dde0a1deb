import { expect, it } from 'vitest'
import { OmissionCounter } from './extracted-text.ts'
import { formatChart, readChart } from './read-chart.ts'

/** One series of the newer kinds of charts (MS-ODRAWXML 2.24), whose values stand apart. */
const series = (name: string, dataId: number) =>
  `<cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>${name}</cx:v></cx:txData></cx:tx><cx:dataId val="${dataId}"/></cx:series>`
const data = (id: number, values: readonly number[]) =>
  `<cx:data id="${id}"><cx:strDim type="cat"><cx:lvl ptCount="2"><cx:pt idx="0">Q1</cx:pt><cx:pt idx="1">Q2</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl ptCount="2">${values.map((value, index) => `<cx:pt idx="${index}">${value}</cx:pt>`).join('')}</cx:lvl></cx:numDim></cx:data>`

it('gives a newer kind of chart its title, and each series the values that it names, whatever their order', () => {
  const part = Buffer.from(
    `<cx:chartSpace xmlns:a="a" xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"><cx:chartData>${data(0, [1, 2])}${data(1, [3, 4])}</cx:chartData><cx:chart><cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Costs of 2026</a:t></a:r></a:p></cx:rich></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion>${series('Plan', 1)}${series('Actual', 0)}</cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`,
  )
  const chart = readChart(part, new OmissionCounter())
  expect(chart.rows).toEqual([
    ['', 'Plan', 'Actual'],
    ['Q1', '3', '1'],
    ['Q2', '4', '2'],
  ])
  expect(formatChart(chart)).toContain('[chart: Costs of 2026]')
})

it('writes the values of a newer kind of chart in their format, and numbers those of each level anew', () => {
  const level = (attributes: string, ...values: string[]) =>
    `<cx:lvl ${attributes}>${values.map((value) => `<cx:pt>${value}</cx:pt>`).join('')}</cx:lvl>`
  const part = Buffer.from(
    `<cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"><cx:chartData><cx:data id="0"><cx:strDim type="cat">${level('', 'May', 'June')}${level('', '2025', '2026')}</cx:strDim><cx:numDim type="val">${level('formatCode="0.0%"', '0.5', '0.125')}</cx:numDim></cx:data></cx:chartData><cx:chart><cx:plotArea><cx:plotAreaRegion>${series('Share', 0)}</cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`,
  )
  expect(readChart(part, new OmissionCounter()).rows).toEqual([
    ['', 'Share'],
    ['2025 May', '50.0%'],
    ['2026 June', '12.5%'],
  ])
})

it('writes the sizes of bubbles beside their values', () => {
  const points = (name: string, ...values: number[]) =>
    `<c:${name}><c:numRef><c:numCache><c:formatCode>General</c:formatCode>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numCache></c:numRef></c:${name}>`
  const bubbles = (name: string, sizes: number[]) =>
    `<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>${name}</c:v></c:pt></c:strCache></c:strRef></c:tx>${points('xVal', 1, 3)}${points('yVal', 2, 4)}${points('bubbleSize', ...sizes)}</c:ser>`
  const part = Buffer.from(
    `<c:chartSpace xmlns:c="c"><c:chart><c:plotArea><c:bubbleChart>${bubbles('Sales', [10, 20])}${bubbles('', [5])}</c:bubbleChart></c:plotArea></c:chart></c:chartSpace>`,
  )
  expect(readChart(part, new OmissionCounter()).rows).toEqual([
    ['', 'Sales', 'Sales (size)', '', '(size)'],
    ['1', '2', '10', '2', '5'],
    ['3', '4', '20', '4', ''],
  ])
})

it('names the group of each category, which stands at the first of them', () => {
  const level = (...points: [index: number, text: string][]) =>
    `<c:lvl>${points.map(([index, text]) => `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`).join('')}</c:lvl>`
  const part = Buffer.from(
    `<c:chartSpace xmlns:c="c"><c:ser><c:cat><c:multiLvlStrRef><c:multiLvlStrCache>${level([0, 'CA'], [1, 'NY'], [2, 'ON'])}${level([0, 'USA'], [2, 'CAN'])}${level([0, 'America'])}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>1</c:v></c:pt><c:pt idx="1"><c:v>2</c:v></c:pt><c:pt idx="2"><c:v>3</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:chartSpace>`,
  )
  expect(readChart(part, new OmissionCounter()).rows).toEqual([
    ['America USA CA', '1'],
    ['America USA NY', '2'],
    ['America CAN ON', '3'],
  ])
})

it('writes series of other categories below each other', () => {
  const points = (name: string, ...values: string[]) =>
    `<c:${name}><c:strCache>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:strCache></c:${name}>`
  const one = (name: string, categories: string[], values: string[]) =>
    `<c:ser>${points('tx', name)}${points('cat', ...categories)}${points('val', ...values)}</c:ser>`
  const part = Buffer.from(
    `<c:chartSpace xmlns:c="c">${one('Plan', ['Q1', 'Q2'], ['1', '2'])}${one('Actual', ['Q1', 'May'], ['3', '4'])}</c:chartSpace>`,
  )
  expect(readChart(part, new OmissionCounter()).rows).toEqual([
    ['', 'Plan'],
    ['Q1', '1'],
    ['Q2', '2'],
    ['', 'Actual'],
    ['Q1', '3'],
    ['May', '4'],
  ])
})
