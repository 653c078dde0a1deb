import { toHyphenatedFileName } from '../../../lib/file-name.ts'

const marginPx = 16
const titlePx = 14
const lineHeightPx = 20
/** Twice the pixels, up to the size that browsers draw. */
const pngScale = 2
const maxPngPx = 16_000

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Breaks a title into lines of about a width. */
function breakLines(title: string, widthPx: number): string[] {
  const maxLetters = Math.max(10, Math.floor(widthPx / (titlePx * 0.55)))
  return title.split(/\s+/).reduce<string[]>((lines, word) => {
    const last = lines.at(-1) ?? ''
    if (last === '' || last.length + word.length >= maxLetters) return last === '' ? [word] : [...lines, word]
    return [...lines.slice(0, -1), `${last} ${word}`]
  }, [])
}

export interface ChartImage {
  svg: string
  widthPx: number
  heightPx: number
}

/**
 * A drawing as a picture of its own: with its title, a margin, and the colour behind it.
 * @param svg of the frame
 */
export function buildImage(
  svg: string,
  title: string,
  colours: { ink: string; surface: string },
): ChartImage {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const [width = 0, height = 0] = ['width', 'height'].map((name) => Number(root.getAttribute(name)))
  const lines = title === '' ? [] : breakLines(title, width)
  const top = marginPx + (lines.length === 0 ? 0 : lines.length * lineHeightPx + 8)
  const [widthPx, heightPx] = [width + 2 * marginPx, top + height + marginPx]
  const text = lines.map(
    (line, index) =>
      `<text x="${marginPx}" y="${marginPx + titlePx + index * lineHeightPx}" fill="${colours.ink}" font-family="system-ui, sans-serif" font-size="${titlePx}" font-weight="500">${escapeXml(line)}</text>`,
  )
  const inner = svg.replace('<svg', `<svg x="${marginPx}" y="${top}"`)
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}"><rect width="100%" height="100%" fill="${colours.surface}"/>${text.join('')}${inner}</svg>`,
    widthPx,
    heightPx,
  }
}

/** Draws a picture as PNG. As an image, SVG runs no scripts and loads nothing. */
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

/** The file name of a chart. */
export const nameFile = (title: string, extension: string) =>
  `${toHyphenatedFileName(title) ?? 'chart'}.${extension}`
