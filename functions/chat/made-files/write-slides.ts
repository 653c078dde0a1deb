import PptxGenJS from 'pptxgenjs'
import type { List, Nodes, RootContent } from 'mdast'
import { getText, isRightToLeft, parseMarkdown } from './markdown.ts'

interface Slide {
  title: string
  nodes: RootContent[]
}

type Run = PptxGenJS.TextProps

const width = 13.33
const margin = 0.7
/** Characters of a line of the body, and lines that it has at its largest letters. */
const lineCharacters = 80
const roomyLines = 11

/** A slide for each heading of the first or second level; what stands before the first has a slide of its own. */
function splitSlides(nodes: readonly RootContent[]): Slide[] {
  const slides: Slide[] = []
  for (const node of nodes) {
    if (node.type === 'heading' && node.depth <= 2) slides.push({ title: getText(node).trim(), nodes: [] })
    else if (node.type !== 'definition' && node.type !== 'thematicBreak') {
      if (slides.length === 0) slides.push({ title: '', nodes: [] })
      slides.at(-1)?.nodes.push(node)
    }
  }
  return slides
}

function listRuns(node: Nodes, more: PptxGenJS.TextPropsOptions = {}): Run[] {
  if (node.type === 'strong')
    return node.children.flatMap((child) => listRuns(child, { ...more, bold: true }))
  if (node.type === 'emphasis')
    return node.children.flatMap((child) => listRuns(child, { ...more, italic: true }))
  if (node.type === 'inlineCode') return [{ text: node.value, options: { ...more, fontFace: 'Consolas' } }]
  if (node.type === 'link' && /^https?:\/\//i.test(node.url))
    return [{ text: getText(node), options: { ...more, hyperlink: { url: node.url } } }]
  if ('children' in node) return node.children.flatMap((child) => listRuns(child, more))
  const text = getText(node).replaceAll('\n', ' ')
  return text === '' ? [] : [{ text, options: more }]
}

/** Runs of one paragraph: its options are those of the first, and the last one ends it. */
function toParagraph(node: Nodes, options: PptxGenJS.TextPropsOptions): Run[] {
  const direction = isRightToLeft(getText(node)) ? { rtlMode: true, align: 'right' as const } : {}
  const runs = listRuns(node).map((run) => ({
    ...run,
    options: { ...run.options, ...options, ...direction },
  }))
  const last = runs.at(-1)
  if (last) last.options = { ...last.options, breakLine: true }
  return runs
}

const writeList = ({ ordered, children: items }: List, level: number): Run[] =>
  items.flatMap(({ children }) =>
    children.flatMap((node) =>
      node.type === 'list'
        ? writeList(node, level + 1)
        : toParagraph(node, {
            bullet: ordered === true ? { type: 'number' } : true,
            indentLevel: Math.min(level, 8),
          }),
    ),
  )

function writeText(node: RootContent): Run[] {
  if (node.type === 'list') return writeList(node, 0)
  if (node.type === 'heading') return toParagraph(node, { bold: true })
  if (node.type === 'code')
    return node.value
      .split('\n')
      .map((line) => ({ text: line || ' ', options: { fontFace: 'Consolas', breakLine: true } }))
  if (node.type === 'blockquote') return node.children.flatMap((child) => writeText(child))
  if (node.type === 'footnoteDefinition') return node.children.flatMap((child) => toParagraph(child, {}))
  return toParagraph(node, {})
}

/** Letters that leave room for all lines. */
function chooseSize(runs: readonly Run[], lines: number): number {
  let rows = 0
  let characters = 0
  for (const { text = '', options } of runs) {
    characters += text.length
    if (options?.breakLine !== true) continue
    rows += Math.max(1, Math.ceil(characters / lineCharacters))
    characters = 0
  }
  return Math.round(Math.min(20, Math.max(8, (20 * lines) / Math.max(rows, lines))))
}

/** A presentation of a text in Markdown. */
export async function writeSlides(content: string): Promise<Uint8Array> {
  const deck = new PptxGenJS()
  deck.layout = 'LAYOUT_WIDE'
  for (const { title, nodes } of splitSlides(parseMarkdown(content).children)) {
    const slide = deck.addSlide()
    const isCover = nodes.length === 0
    if (title !== '')
      slide.addText(title, {
        x: margin,
        y: isCover ? 2.6 : 0.4,
        w: width - 2 * margin,
        h: isCover ? 2 : 0.9,
        fontSize: isCover ? 40 : 28,
        bold: true,
        valign: 'middle',
        fit: 'shrink',
        margin: 0,
        ...(isRightToLeft(title) && { rtlMode: true, align: 'right' as const }),
      })
    const texts = nodes.filter(({ type }) => type !== 'table')
    const tables = nodes.filter((node) => node.type === 'table')
    const runs = texts.flatMap(writeText)
    const textHeight = tables.length === 0 ? 5.5 : runs.length === 0 ? 0 : 2
    if (runs.length > 0)
      slide.addText(runs, {
        x: margin,
        y: 1.5,
        w: width - 2 * margin,
        h: textHeight,
        fontSize: chooseSize(runs, (roomyLines * textHeight) / 5.5),
        valign: 'top',
        margin: 0,
        paraSpaceAfter: 6,
      })
    const height = (5.5 - textHeight) / Math.max(1, tables.length)
    for (const [index, { children: rows }] of tables.entries())
      slide.addTable(
        rows.map(({ children }, row) =>
          children.map((cell) => ({
            text: getText(cell),
            options: row === 0 ? { bold: true, fill: { color: 'ECECE8' } } : {},
          })),
        ),
        {
          x: margin,
          y: 1.5 + textHeight + index * height,
          w: width - 2 * margin,
          fontSize: Math.round(Math.min(16, Math.max(8, (height * 40) / Math.max(1, rows.length)))),
          border: { type: 'solid', pt: 0.75, color: 'BBBBBB' },
        },
      )
  }
  return (await deck.write({ outputType: 'uint8array' })) as Uint8Array
}
