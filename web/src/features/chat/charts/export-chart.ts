import { toHyphenatedFileName } from '../../../lib/browser/file-name.ts'
import { escapeMarkup } from '../escape-markup.ts'

const marginPx = 16
const titlePx = 14
const lineHeightPx = 20
/** between the title and the chart */
const titleGapPx = 8
/** The mean width of a letter, as a share of the font size; Chinese, Japanese and Korean ones are as wide as the font is high. */
const letterWidth = 0.55
const wideLetterWidth = 1
/** A line has room for about ten letters, however narrow the chart is. */
const minLinePx = 80
/** A PNG has twice the chart's pixels a side, so that it is sharp on dense screens. */
const pngScale = 2
/** Safari on iOS draws nothing on a canvas of more than 16,777,216 pixels. */
const maxPngPixels = 16_000_000
/** Firefox draws nothing on a canvas with a side of more than 32,767 pixels. */
const maxPngPx = 32_000

const wideLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const estimateWidthPx = (text: string): number =>
  Array.from(text).reduce(
    (sum, letter) => sum + (wideLetter.test(letter) ? wideLetterWidth : letterWidth),
    0,
  ) * titlePx

/** Splits a text into parts, each with the blank before it. What has no blanks but is wider than a line is split between its words, as in Chinese or Thai. */
const splitForLines = (text: string, lineWidthPx: number): string[] =>
  text
    .replaceAll(/\s+/g, ' ')
    .split(/(?= )/)
    .flatMap((part) =>
      estimateWidthPx(part) <= lineWidthPx
        ? [part]
        : Array.from(
            new Intl.Segmenter(undefined, { granularity: 'word' }).segment(part),
            ({ segment }) => segment,
          ),
    )

/** Breaks a title into lines of about this width, which is estimated from the letters. */
function breakLines(title: string, widthPx: number): string[] {
  const lineWidthPx = Math.max(minLinePx, widthPx)
  const lines: string[] = []
  let line = ''
  for (const part of splitForLines(title, lineWidthPx)) {
    if (line !== '' && estimateWidthPx(line + part) > lineWidthPx) {
      lines.push(line)
      line = part.trimStart()
    } else line += part
  }
  return [...lines, line]
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

/**
 * Draws a picture as PNG, a very large one with fewer pixels. Untrusted SVG is safe here: as an image it runs no scripts and loads nothing.
 * @throws Error if it cannot be drawn
 */
export async function toPng({ svg, widthPx, heightPx }: ChartImage): Promise<Blob> {
  const image = new Image(widthPx, heightPx)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const scale = Math.min(
    pngScale,
    maxPngPx / widthPx,
    maxPngPx / heightPx,
    Math.sqrt(maxPngPixels / (widthPx * heightPx)),
  )
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
