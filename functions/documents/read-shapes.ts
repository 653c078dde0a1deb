import type { OmissionCounter } from './extracted-text.ts'
import { EquationReader } from './read-equation.ts'
import { parseXml, readAttribute, type XmlAttributes } from './read-package.ts'
import { formatTable } from './write-table.ts'

// Reads the shapes of DrawingML (ECMA-376-1, 20 and 21): slides, their notes, and drawings on worksheets.

/** Elements that stand for what is not read. */
const omitted = {
  chart: 'charts',
  relIds: 'diagrams',
  oleObj: 'embedded',
  videoFile: 'media',
  audioFile: 'media',
} as const

interface Table {
  rows: string[][]
  /** whether the current cell continues a merged one */
  isCovered: boolean
}

/** A shape whose text is not content: the number of the slide, the picture of the slide in its notes. */
const isDecoration = (attributes: XmlAttributes) =>
  /^(sldNum|sldImg)$/.test(readAttribute(attributes, 'type'))

/**
 * @param onlyBody reads the text of the notes and no header or footer of their page
 * @returns a block for each shape or table
 * @throws DocumentError if the part is not XML
 */
export function readShapes(
  part: Uint8Array,
  omissions: OmissionCounter,
  { onlyBody = false } = {},
): string[] {
  const blocks: string[] = []
  const tables: Table[] = []
  let paragraphs: string[] = []
  let paragraph = ''
  let inText = false
  let skipDepth = 0
  let equation: { reader: EquationReader; depth: number } | undefined
  let isSkippedShape = false
  /** number of the last item by level */
  let numbers: number[] = []
  let level = 0

  const endBlock = () => {
    const text = paragraphs.join('\n')
    if (!isSkippedShape && text.trim() !== '') blocks.push(text)
    paragraphs = []
  }

  parseXml(part, {
    open(name, attributes) {
      // the same content again, for programs that do not know the first form
      if (skipDepth > 0 || name === 'Fallback') {
        skipDepth += 1
        return
      }
      if (equation) {
        equation.depth += 1
        equation.reader.open(name, attributes)
        return
      }
      inText = name === 't'
      if (Object.hasOwn(omitted, name)) omissions.add(omitted[name as keyof typeof omitted])
      switch (name) {
        case 'oMath':
          equation = { reader: new EquationReader(), depth: 1 }
          break
        case 'sp':
          isSkippedShape = false
          break
        case 'ph':
          isSkippedShape = onlyBody ? readAttribute(attributes, 'type') !== 'body' : isDecoration(attributes)
          break
        case 'pic':
          omissions.add('pictures')
          break
        case 'txBody':
          numbers = []
          break
        case 'p':
          paragraph = ''
          level = 0
          break
        case 'pPr':
          level = Math.min(8, Math.max(0, Number(readAttribute(attributes, 'lvl')) || 0))
          paragraph = '  '.repeat(level)
          break
        case 'buAutoNum':
          numbers = numbers.slice(0, level + 1)
          numbers[level] = (numbers[level] ?? (Number(readAttribute(attributes, 'startAt')) || 1) - 1) + 1
          paragraph += `${numbers[level]}. `
          break
        case 'br':
          paragraph += '\n'
          break
        case 'tbl':
          endBlock()
          isSkippedShape = false
          tables.push({ rows: [], isCovered: false })
          break
        case 'tr':
          tables.at(-1)?.rows.push([])
          break
        case 'tc': {
          const table = tables.at(-1)
          const isMerged = (direction: string) => /^(1|true)$/.test(readAttribute(attributes, direction))
          if (table) table.isCovered = isMerged('hMerge') || isMerged('vMerge')
          paragraphs = []
        }
      }
    },
    text(text) {
      if (skipDepth > 0) return
      if (equation) equation.reader.text(text)
      else if (inText) paragraph += text
    },
    close(name) {
      if (skipDepth > 0) {
        skipDepth -= 1
        return
      }
      if (equation) {
        equation.depth -= 1
        equation.reader.close()
        if (equation.depth > 0) return
        paragraph += equation.reader.end()
        equation = undefined
        return
      }
      inText = false
      if (name === 'p') {
        if (paragraph.trim() !== '') paragraphs.push(paragraph.trimEnd())
        paragraph = ''
      } else if (name === 'txBody' && tables.length === 0) endBlock()
      else if (name === 'tc') {
        const table = tables.at(-1)
        table?.rows.at(-1)?.push(table.isCovered ? '' : paragraphs.join('\n'))
        paragraphs = []
      } else if (name === 'tbl') {
        const table = tables.pop()
        if (table?.rows.some((row) => row.some((cell) => cell !== '')))
          blocks.push(formatTable(table.rows).replace(/\n$/, ''))
      }
    },
  })
  return blocks
}
