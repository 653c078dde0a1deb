import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { formatAsHtml } from '../markdown/serialize-dom.ts'
import { PreviewContext, type Previews } from '../preview-context.ts'
import { ChartCard, type ChartState } from './chart-card.tsx'

const code = JSON.stringify({
  title: 'Orders',
  data: {
    values: [
      { year: 2026, orders: 1200, note: '=1+1' },
      { year: 2027, orders: null, note: 'a, b' },
    ],
  },
  mark: 'bar',
  encoding: { x: { field: 'year', type: 'ordinal' }, y: { field: 'orders', type: 'quantitative' } },
})
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"></svg>'

function renderChart(source = code, previews?: Previews) {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  const onStateChange = vi.fn<(state: ChartState) => void>()
  const { container } = render(
    <PreviewContext value={previews}>
      <ChartCard
        code={source}
        wantsCode={false}
        onWantsCodeChange={() => undefined}
        onStateChange={onStateChange}
      />
    </PreviewContext>,
  )
  const frame = screen.queryByTitle<HTMLIFrameElement>('Chart: Orders')
  const post = frame && vi.spyOn(frame.contentWindow!, 'postMessage').mockImplementation(() => undefined)
  const receive = (data: unknown, source: Window | null = frame?.contentWindow ?? null) =>
    act(() => void dispatchEvent(new MessageEvent('message', { data, source })))
  return { container, frame, post, receive, onStateChange }
}

afterEach(() => vi.useRealTimers())

it('has no origin, is sent its specification, and takes no space until it is drawn', () => {
  const { frame, post, receive, onStateChange } = renderChart()
  expect(frame?.getAttribute('sandbox')).toBe('allow-scripts')
  expect(frame?.getAttribute('aria-hidden')).toBe('true')
  receive({ state: 'ready' })
  expect(post?.mock.calls).toMatchObject([
    [
      {
        id: 1,
        isDark: false,
        locale: 'en-US-u-nu-latn',

        spec: { mark: 'bar' },
      },
      '*',
    ],
  ])
  receive({ state: 'drawn', id: 1, heightPx: 240, svg })
  expect(frame?.style.height).toBe('240px')
  expect(frame?.hasAttribute('aria-hidden')).toBe(false)
  expect(onStateChange.mock.calls).toEqual([[{ isDrawn: true }]])
})

it.each([
  null,
  'drawn',
  { state: 'drawn', heightPx: 9, svg },
  { state: 'drawn', id: 0, heightPx: 9, svg },
  { state: 'drawn', id: 1, heightPx: '9px', svg },
  { state: 'failed', id: 2, reason: '' },
])('ignores an incomplete or late message: %j', (message) => {
  const { frame, receive, onStateChange } = renderChart()
  receive({ state: 'ready' })
  receive(message)
  receive({ state: 'drawn', id: 1, heightPx: 9, svg }, window)
  expect(onStateChange).not.toHaveBeenCalled()
  expect(frame?.getAttribute('aria-hidden')).toBe('true')
})

it('is a named group once there is something in it', () => {
  const { receive } = renderChart()
  receive({ state: 'ready' })
  expect(screen.queryByRole('group')).toBeNull()
  receive({ state: 'drawn', id: 1, heightPx: 100, svg: '<svg/>' })
  expect(screen.getByRole('group', { name: 'Chart: Orders' })).toBeDefined()
})

it('is removed if it says nothing, and says that it was stopped', () => {
  vi.useFakeTimers()
  const { receive, onStateChange } = renderChart()
  receive({ state: 'ready' })
  act(() => void vi.advanceTimersByTime(19_999))
  expect(onStateChange).not.toHaveBeenCalled()
  act(() => void vi.advanceTimersByTime(1))
  expect(onStateChange.mock.calls).toEqual([
    [{ isDrawn: false, problem: 'This chart was stopped: drawing it takes too long.' }],
  ])
  expect(screen.queryByTitle('Chart: Orders')).toBeNull()
})

it('says why the library does not draw it', () => {
  const { receive, onStateChange } = renderChart()
  receive({ state: 'ready' })
  receive({ state: 'failed', id: 1, reason: 'Unrecognized signal' })
  expect(onStateChange.mock.calls).toEqual([
    [{ isDrawn: false, problem: 'This chart could not be drawn: Unrecognized signal' }],
  ])
})

it.each([
  ['{"mark": }', 'This chart is not drawn: its JSON has a mistake in line 1, column 10.'],
  [
    code.replace('"field":"orders"', '"field":"sales"'),
    'This chart is not drawn: its data has no field "sales" ("encoding.y.field"). It has year, orders, note.',
  ],
  [
    code.replace('"bar"', '"bars"'),
    'This chart is not drawn: "mark" is "bars". Known are arc, area, bar, boxplot, circle, errorband, errorbar, geoshape, line, point, rect, rule, square, text, tick, trail.',
  ],
])('has no frame for what is not drawn: %s', (source, problem) => {
  const { frame, onStateChange } = renderChart(source)
  expect(frame).toBeNull()
  expect(onStateChange.mock.calls).toEqual([[{ isDrawn: false, problem }]])
})

it('shows its data as a table, and opens it as one without formulas', () => {
  const open = vi.fn<Previews['open']>()
  const { receive } = renderChart(code, { hasSandbox: true, open })
  receive({ state: 'ready' })
  receive({ state: 'drawn', id: 1, heightPx: 240, svg })
  fireEvent.click(screen.getByRole('button', { name: 'Show as table' }))
  const cells = screen.getAllByRole('cell').map(({ textContent }) => textContent)
  expect(cells).toEqual(['2026', '1,200', '=1+1', '2027', '', 'a, b'])
  fireEvent.click(screen.getByRole('button', { name: 'Open as table' }))
  expect(open.mock.calls[0]?.[0]).toEqual({
    kind: 'csv',
    code: `year,orders,note\r\n2026,1200,'=1+1\r\n2027,,"a, b"\r\n`,
  })
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }))
  expect(open.mock.calls[1]?.[0]).toEqual({ kind: 'vega-lite', code })
})

it('is copied with its title and its data', () => {
  const { container, receive } = renderChart()
  receive({ state: 'ready' })
  receive({ state: 'drawn', id: 1, heightPx: 240, svg })
  const html = formatAsHtml(container)
  expect(html).toMatch(/^<p>Orders<\/p><table>/)
  expect(html).toContain('<td>2026</td><td>1,200</td>')
  expect(html).not.toMatch(/Show|Download|rows/)
})

it('has no buttons for a panel where there is none', () => {
  const { receive } = renderChart()
  receive({ state: 'ready' })
  receive({ state: 'drawn', id: 1, heightPx: 240, svg })
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Show code',
    'Show as table',
    'Download',
  ])
})
