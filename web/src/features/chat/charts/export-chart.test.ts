import { afterEach, expect, it, vi } from 'vitest'
import { buildChartImage, toPng } from './export-chart.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const readLines = (title: string) => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="140" height="100"/>'
  const { svg } = buildChartImage(drawing, title, { ink: 'black', surface: 'white' })
  return Array.from(svg.matchAll(/<text[^>]*>([^<]*)</g), ([, line]) => line)
}

it.each([
  ['Sales', ['Sales']],
  ['Sales of the last ten years', ['Sales of the last', 'ten years']],
  ['Sales\n  a year', ['Sales a year']],
  ['各地区季度销售额对比分析', ['各地区季度销售额对比', '分析']],
])('breaks the title %j into lines', (title, lines) => expect(readLines(title)).toEqual(lines))

it.each([
  [400, 300, 800, 600],
  [800, 10_000, 1131, 14_142],
  [100, 100_000, 32, 32_000],
])('draws %i × %i as %i × %i pixels', async (widthPx, heightPx, width, height) => {
  vi.stubGlobal(
    'Image',
    class {
      decode = () => Promise.resolve()
    },
  )
  let size: number[] = []
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (
    this: HTMLCanvasElement,
    done,
  ) {
    size = [this.width, this.height]
    done(new Blob())
  })
  await toPng({ svg: '<svg/>', widthPx, heightPx })
  expect(size).toEqual([width, height])
})
