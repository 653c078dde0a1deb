import { toHyphenatedFileName } from '../../../lib/file-name.ts'
import { escapeMarkup } from '../escape-markup.ts'

const marginPx = 16
const titlePx = 14
const lineHeightPx = 20
/** between the title and the chart */
const titleGapPx = 8
/** The mean width of a letter, as a share of the font size. */
const letterWidth = 0.55
/** A line has room for so many letters, however narrow the chart is. */
const minLineLetters = 10
/** A PNG has twice the pixels of the chart, so that it is sharp on dense screens. */
const pngScale = 2
/** Chrome draws nothing on a canvas with a side of more than 16,384 pixels. */
const maxPngPx = 16_000

/** Breaks a title into lines of about this width, which is estimated from the number of letters. */
function breakLines(title: string, widthPx: number): string[] {
  const maxLetters = Math.max(minLineLetters, Math.floor(widthPx / (titlePx * letterWidth)))
  return title.split(/\s+/).reduce<string[]>((lines, word) => {
    const last = lines.at(-1) ?? ''
    if (last === '' || last.length + word.length >= maxLetters) return last === '' ? [word] : [...lines, word]
    return [...lines.slice(0, -1), `${last} ${word}`]
  }, [])
}

/** A chart as a picture file. */
export interface ChartImage {
  svg: string
  widthPx: number
  heightPx: number
}

/**
 * Builds a picture file from a drawing: adds its title, a margin and a background.
 * @param svg the drawing that the frame has sent
 */
export function buildChartImage(
  svg: string,
  title: string,
  colours: { ink: string; surface: string },
): ChartImage {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const [width = 0, height = 0] = ['width', 'height'].map((name) => Number(root.getAttribute(name)))
  const lines = title === '' ? [] : breakLines(title, width)
  const top = marginPx + (lines.length === 0 ? 0 : lines.length * lineHeightPx + titleGapPx)
  const [widthPx, heightPx] = [width + 2 * marginPx, top + height + marginPx]
  const text = lines.map(
    (line, index) =>
      `<text x="${marginPx}" y="${marginPx + titlePx + index * lineHeightPx}" fill="${colours.ink}" font-family="system-ui, sans-serif" font-size="${titlePx}" font-weight="500">${escapeMarkup(line)}</text>`,
  )
  const inner = svg.replace('<svg', `<svg x="${marginPx}" y="${top}"`)
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}"><rect width="100%" height="100%" fill="${colours.surface}"/>${text.join('')}${inner}</svg>`,
    widthPx,
    heightPx,
  }
}

/** Draws a picture as PNG. Untrusted SVG is safe here: as an image it runs no scripts and loads nothing. @throws Error if it cannot be drawn */
export async function toPng({ svg, widthPx, heightPx }: ChartImage): Promise<Blob> {
  const image = new Image(widthPx, heightPx)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const scale = Math.min(pngScale, maxPngPx / widthPx, maxPngPx / heightPx)
  const canvas = document.createElement('canvas')
  canvas.width = widthPx * scale
  canvas.height = heightPx * scale
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))),
      'image/png',
    )
  })
}

/** Creates the name of the file that a chart is downloaded as: its title with hyphens between the words, or “chart”. */
export const createChartFileName = (title: string, extension: string) =>
  `${toHyphenatedFileName(title) ?? 'chart'}.${extension}`
