import mermaid from 'mermaid'
import type { DrawRequest, FrameMessage } from '#shared/diagram-frame.ts'
import { describeFailure } from './describe-failure.ts'
import { repairSource } from './repair-source.ts'

/**
 * The document in an iframe without an origin: draws the diagrams that the page sends, and reports their
 * height.
 */

/** The colours of src/styles/tokens.css, which the iframe does not load. */
const lightColours = {
  primaryColor: '#efecfa',
  primaryBorderColor: '#948f88',
  primaryTextColor: '#221f1b',
  lineColor: '#5b5650',
  textColor: '#221f1b',
  secondaryColor: '#ffffff',
  tertiaryColor: '#fbfaf7',
  noteBkgColor: '#ffffff',
  noteTextColor: '#221f1b',
}
const darkColours = {
  darkMode: true,
  background: '#0f0e0c',
  primaryColor: '#29253e',
  primaryBorderColor: '#77726d',
  primaryTextColor: '#edebe7',
  lineColor: '#b6b2ac',
  textColor: '#edebe7',
  secondaryColor: '#252320',
  tertiaryColor: '#1e1c1a',
  noteBkgColor: '#252320',
  noteTextColor: '#edebe7',
}

const canvas = document.querySelector('main')!

// the page identifies this document by its window, as it has no origin
const postToPage = (message: FrameMessage) => parent.postMessage(message, '*')

let drawingCount = 0
/** the latest request; results of older ones are dropped */
let latestRequest: DrawRequest | undefined

const renderSource = async (source: string) =>
  (await mermaid.render(`diagram-${(drawingCount += 1)}`, source)).svg

/** Draws a source, if need be with its labels in quotes. @throws what Mermaid says of the source as it is */
async function render(source: string): Promise<string> {
  try {
    return await renderSource(source)
  } catch (error) {
    const repaired = repairSource(source)
    if (repaired === source) throw error
    try {
      return await renderSource(repaired)
    } catch {
      throw error
    }
  }
}

async function draw(request: DrawRequest) {
  latestRequest = request
  const { source, isDark } = request
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    look: 'classic',
    theme: 'base',
    themeVariables: { ...(isDark ? darkColours : lightColours), fontFamily: 'system-ui, sans-serif' },
  })
  try {
    const svg = await render(source)
    if (latestRequest !== request) return
    canvas.innerHTML = svg
    postHeight()
  } catch (error) {
    // an invalid diagram, or code that did not load
    if (latestRequest !== request) return
    // otherwise a resize would report the previous drawing
    canvas.replaceChildren()
    postToPage({ state: 'failed', ...describeFailure(error, source) })
  }
}

function postHeight() {
  if (canvas.firstChild)
    postToPage({ state: 'drawn', heightPx: Math.ceil(canvas.getBoundingClientRect().height) })
}

addEventListener('message', ({ source, data }: MessageEvent<DrawRequest>) => {
  if (source === parent) void draw(data)
})
// the drawing is as wide as the iframe, so its height changes with it
new ResizeObserver(postHeight).observe(canvas)
postToPage({ state: 'ready' })
