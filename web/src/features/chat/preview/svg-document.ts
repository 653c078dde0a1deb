import { findRoot } from '../markdown/preview-kind.ts'

const style =
  '<style>html,body{margin:0;height:100%}body{display:grid;place-items:center}svg{max-width:100vw;max-height:100vh}</style>'

/** Adds a missing `viewBox`, without which a picture is cut off instead of scaled: that of its size, otherwise that of what is drawn. */
const script = `<script>addEventListener('load', function () {
  var svg = document.querySelector('svg')
  if (!svg || svg.hasAttribute('viewBox')) return
  var width = svg.width.baseVal, height = svg.height.baseVal, box = { x: 0, y: 0, width: width.value, height: height.value }
  if (width.unitType === 2 || height.unitType === 2) {
    var drawn = svg.getBBox(), edge = Math.max(drawn.width, drawn.height) / 50
    box.x = Math.min(0, drawn.x - edge)
    box.y = Math.min(0, drawn.y - edge)
    box.width = drawn.x + drawn.width + edge - box.x
    box.height = drawn.y + drawn.height + edge - box.y
    if (!drawn.width && !drawn.height) return
  }
  svg.setAttribute('viewBox', [box.x, box.y, box.width, box.height].join(' '))
})</script>`

/** Creates a document that shows a picture as large as it fits. An XML declaration or document type before the picture is removed. */
export const createSvgDocument = (code: string): string => style + code.slice(findRoot(code).start) + script

/** Adds a missing namespace, without which a browser does not show an SVG file. */
export const withNamespace = (svg: string): string =>
  svg.replace(/<svg\b(?![^>]{0,2000}\sxmlns\s{0,5}=)/i, '<svg xmlns="http://www.w3.org/2000/svg"')
