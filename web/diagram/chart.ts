import type { ChartMessage, ChartRequest } from '#shared/chart-frame.ts'
// oxlint-disable-next-line import/default -- the bundler makes the address of the script of it
import workerPath from './chart-worker.ts?worker&url'
import type { DrawingRequest, DrawnChart } from './chart-drawing.ts'

/**
 * The document in an iframe without an origin: has charts drawn by a worker, shows them, and reports their height. The worker keeps the
 * page responsive where the browser runs the iframe in the page's process: a specification can describe more work than a tab can do.
 */

const canvas = document.querySelector('main')!
const tooltip = document.querySelector('output')!

// the page identifies this document by its window, as it has no origin
const postToPage = (message: ChartMessage) => parent.postMessage(message, '*')

/** A document without an origin may start workers of its own blobs only; the blob imports the script, which takes a classic worker. */
const workerUrl = URL.createObjectURL(
  new Blob([`importScripts(${JSON.stringify(new URL(workerPath, location.href).href)})`], {
    type: 'text/javascript',
  }),
)

function startWorker(id: number): Worker {
  const started = new Worker(workerUrl)
  const receiveFrom = (answer: DrawnChart) => {
    if (started === worker) receive(answer)
  }
  started.addEventListener('message', ({ data }: MessageEvent<DrawnChart>) => receiveFrom(data))
  started.addEventListener('error', () => receiveFrom({ id, reason: '' }))
  return started
}

/** what draws; a chart that stands needs none */
let worker: Worker | undefined
/** the latest request */
let latest: ChartRequest | undefined
/** what is shown, and the width it was drawn for */
let shown: { id: number; svg: string; widthPx: number } | undefined

/** Without the margins. What is shown may be wider. */
const readWidth = () => document.documentElement.clientWidth - 32

function draw() {
  if (!latest) return
  const { id, spec, isDark, locale, aggregates } = latest
  // what it draws is not wanted any more
  worker?.terminate()
  worker = startWorker(id)
  worker.postMessage({
    id,
    spec,
    isDark,
    locale,
    ...(aggregates !== undefined && { aggregates }),
    widthPx: readWidth(),
  } satisfies DrawingRequest)
}

function receive(answer: DrawnChart) {
  worker?.terminate()
  worker = undefined
  tooltip.hidden = true
  if ('reason' in answer) {
    canvas.replaceChildren()
    shown = undefined
    postToPage({ state: 'failed', ...answer })
    return
  }
  canvas.innerHTML = answer.svg
  shown = answer
  postHeight()
  // the width may have changed meanwhile
  drawForWidth()
}

function postHeight() {
  if (!shown) return
  const { id, svg } = shown
  postToPage({ state: 'drawn', id, svg, heightPx: Math.ceil(canvas.getBoundingClientRect().height) })
}

addEventListener('message', ({ source, data }: MessageEvent<ChartRequest>) => {
  if (source !== parent) return
  latest = data
  document.documentElement.style.colorScheme = data.isDark ? 'dark' : 'light'
  draw()
})

let resizeTimer: ReturnType<typeof setTimeout> | undefined

/** Draws anew for another width, once it stands still. A drawing that is under way is compared when it is there. */
function drawForWidth() {
  if (!shown || worker || shown.widthPx === readWidth()) return
  clearTimeout(resizeTimer)
  resizeTimer = setTimeout(draw, 100)
}

new ResizeObserver(drawForWidth).observe(document.documentElement)

/** Shows the values of the mark below the pointer, which the drawing has as its name for screen readers. */
addEventListener('pointermove', ({ target, clientX, clientY }) => {
  const mark = target instanceof Element ? target.closest('[aria-roledescription][aria-label]') : null
  const label = mark?.parentElement?.closest('.role-mark') ? mark.getAttribute('aria-label') : null
  tooltip.hidden = label === null
  if (label === null) return
  tooltip.textContent = label.replaceAll('; ', '\n')
  const { width, height } = tooltip.getBoundingClientRect()
  const left = clientX + 12 + width > innerWidth ? clientX - 12 - width : clientX + 12
  const top = clientY + 12 + height > innerHeight ? clientY - 12 - height : clientY + 12
  tooltip.style.left = `${Math.max(0, left)}px`
  tooltip.style.top = `${Math.max(0, top)}px`
})
document.addEventListener('pointerleave', () => {
  tooltip.hidden = true
})

postToPage({ state: 'ready' })
