import { expect, it, vi } from 'vitest'
import type { DrawingRequest } from './chart-drawing.ts'

vi.mock('./chart-worker.ts?worker&url', () => ({ default: '/worker.js' }))

/** The document of the frame, as far as its script uses it. */
function openFrame() {
  const listeners: Record<string, (event: object) => void> = {}
  const root = { clientWidth: 732, style: {} }
  const workers: { request?: DrawingRequest; answer: (changes: object) => void }[] = []
  let resize = () => {}
  const canvas = { innerHTML: '', replaceChildren() {}, getBoundingClientRect: () => ({ height: 1 }) }
  const parent = { postMessage() {} }
  vi.stubGlobal('parent', parent)
  vi.stubGlobal('location', { href: 'http://localhost/diagram/chart.html' })
  vi.stubGlobal('document', {
    documentElement: root,
    querySelector: (name: string) => (name === 'main' ? canvas : {}),
    addEventListener() {},
  })
  vi.stubGlobal('addEventListener', (name: string, listener: (event: object) => void) => {
    listeners[name] = listener
  })
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(observed: () => void) {
        resize = observed
      }
      observe() {}
    },
  )
  vi.stubGlobal(
    'Worker',
    class {
      #answer: (event: object) => void = () => {}
      readonly #drawing: (typeof workers)[number] = {
        answer: (changes) => this.#answer({ data: { ...this.#drawing.request, svg: '<svg>', ...changes } }),
      }
      addEventListener(name: string, listener: (event: object) => void) {
        if (name === 'message') this.#answer = listener
      }
      postMessage(request: DrawingRequest) {
        workers.push(this.#drawing)
        this.#drawing.request = request
      }
      terminate() {}
    },
  )
  return {
    draw: () =>
      listeners['message']?.({ source: parent, data: { id: 1, spec: {}, isDark: false, locale: 'en' } }),
    resize(widthPx: number) {
      root.clientWidth = widthPx
      resize()
    },
    finish: () => workers.at(-1)?.answer({}),
    widths: () => workers.map(({ request }) => request?.widthPx),
  }
}

it('a chart has the width of its frame, also one that changed while it was drawn', async () => {
  vi.useFakeTimers()
  const frame = openFrame()
  await import('./chart.ts')
  const settle = () => {
    vi.runAllTimers()
    frame.finish()
  }
  frame.draw()
  // the first drawing, on a phone that is turned
  frame.resize(370)
  frame.finish()
  settle()
  expect(frame.widths()).toEqual([700, 338])
  // turned, and turned back before it is drawn
  frame.resize(732)
  vi.runAllTimers()
  frame.resize(370)
  frame.finish()
  settle()
  expect(frame.widths()).toEqual([700, 338, 700, 338])
  // a width that stays is not drawn again
  frame.resize(370)
  vi.runAllTimers()
  expect(frame.widths()).toHaveLength(4)
})
