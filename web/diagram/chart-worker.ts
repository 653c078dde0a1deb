import './chart-canvas.ts'
import { drawChart, type DrawingRequest } from './chart-drawing.ts'

/** Draws charts away from the document that shows them, which can end it. */
addEventListener('message', ({ data }: MessageEvent<DrawingRequest>) => {
  void drawChart(data).then((answer) => postMessage(answer))
})
