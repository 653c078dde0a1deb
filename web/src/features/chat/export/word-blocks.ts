import {
  BorderStyle,
  FootnoteReferenceRun,
  HeadingLevel,
  Paragraph,
  TextRun,
  type IParagraphOptions,
  type ParagraphChild,
  type Table,
} from 'docx'
import type {
  Definition,
  Emphasis,
  FootnoteDefinition,
  List,
  PhrasingContent,
  Root,
  RootContent,
  Table as MarkdownTable,
  Nodes,
} from 'mdast'
import { getValueAttribute } from '../markdown/extensions/item-numbers.ts'
import {
  alignments,
  bulletReference,
  codeFont,
  colors,
  listLevelCount,
  numbersReference,
} from './word-styles.ts'
import { toWordFormula } from './word-formula.ts'
import { buildTable } from './word-table.ts'
import { indentStep, topContext, type BlockContext } from './block-context.ts'
import {
  elementStyles,
  isRightToLeft,
  toLinkTarget,
  toWritable,
  writeLinkRuns,
  writeText,
  type RunStyle,
} from './word-text.ts'

const headingLevels = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const

/** How many formulas are converted, each of which takes some milliseconds. Further ones are written as TeX. */
const maxFormulas = 3_000

/** Writes the blocks of Markdown texts as those of a Word document. One instance writes all texts of a document. */
export class WordBlocks {
  /** the numbers at which lists begin, each of which needs a numbering of its own */
  readonly listStarts = new Set<number>()
  readonly footnotes: Record<number, { children: Paragraph[] }> = {}
  private listCount = 0
  private formulaCount = 0
  private noteCount = 0
  private isInNote = false
  private definitions = new Map<string, Definition>()
  private noteTexts = new Map<string, FootnoteDefinition>()
  private noteNumbers = new Map<string, number>()

  /** Writes a text. @param headingShift by how many levels its headings are moved down, below those of the document */
  write(root: Root, headingShift: number): (Paragraph | Table)[] {
    this.noteNumbers = new Map()
    ;({ definitions: this.definitions, noteTexts: this.noteTexts } = collectDefinitions(root))
    return root.children.flatMap((node) => this.writeBlock(node, topContext, headingShift))
  }

  private writeBlock(node: RootContent, context: BlockContext, shift: number): (Paragraph | Table)[] {
    switch (node.type) {
      case 'heading': {
        const level = Math.min(node.depth + shift, headingLevels.length)
        const heading = headingLevels[level - 1] ?? HeadingLevel.HEADING_6
        return this.writeParagraph(node.children, context, { heading })
      }
      case 'paragraph':
        if (node.data?.hName === 'details')
          return (node.children as RootContent[]).flatMap((child) => this.writeBlock(child, context, shift))
        return this.writeParagraph(
          node.children,
          context,
          {},
          node.data?.hName === 'summary' ? { bold: true } : {},
        )
      case 'blockquote':
        return node.children.flatMap((child) =>
          this.writeBlock(child, { ...context, depth: context.depth + 1, isQuoted: true }, shift),
        )
      case 'list':
        return this.writeList(node, context, shift)
      case 'code':
        return [this.writeCode(node.value, context)]
      case 'table':
        return this.writeTable(node)
      case 'thematicBreak':
        return [
          new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: colors.line } } }),
        ]
      case 'definition':
      case 'footnoteDefinition':
      case 'html':
        return []
      default:
        return this.writeParagraph([node as PhrasingContent], context)
    }
  }

  private writeList(list: List, context: BlockContext, shift: number): (Paragraph | Table)[] {
    const level = Math.min(context.listLevel + 1, listLevelCount - 1)
    const beginNumbers = (start: number | undefined) => {
      if (start !== undefined) this.listStarts.add(start)
      this.listCount += 1
      const reference = start === undefined ? bulletReference : numbersReference(start)
      return { reference, level, instance: this.listCount }
    }
    let numbering = beginNumbers(list.ordered ? (list.start ?? 1) : undefined)
    return list.children.flatMap((item) => {
      const number = getValueAttribute(item)
      if (number !== undefined) numbering = beginNumbers(number)
      const inner = { ...context, depth: context.depth + 1, listLevel: level }
      const checkbox: PhrasingContent[] =
        typeof item.checked === 'boolean' ? [{ type: 'text', value: item.checked ? '☑ ' : '☐ ' }] : []
      const [first, ...rest] = item.children
      const isText = first?.type === 'paragraph' && first.data?.hName === undefined
      const head = this.writeParagraph([...checkbox, ...(isText ? first.children : [])], {
        ...inner,
        numbering,
      })
      const children = isText ? rest : item.children
      return [...head, ...children.flatMap((child) => this.writeBlock(child, inner, shift))]
    })
  }

  private writeTable({ children, align = [] }: MarkdownTable): (Paragraph | Table)[] {
    const isMirrored = isRightToLeft(readProse(children))
    const columns = Math.max(1, ...children.map((row) => row.children.length))
    const rows = children.map((row, index) =>
      Array.from({ length: columns }, (_, column) => {
        const content = row.children[column]?.children ?? []
        const alignment = alignments[align?.[column] ?? 'none']
        return this.writeParagraph(
          content,
          topContext,
          { ...(alignment && { alignment }), spacing: { after: 0 } },
          index === 0 ? { bold: true } : {},
        )
      }),
    )
    const table = buildTable(rows, { isMirrored })
    // two tables without a paragraph between them become one
    return [table, new Paragraph({ spacing: { after: 60 } })]
  }

  private writeCode(code: string, context: BlockContext): Paragraph {
    const lines = toWritable(code).replaceAll('\t', '    ').split('\n')
    return new Paragraph({
      style: 'Code',
      indent: { left: context.depth * indentStep },
      children: lines.map(
        (text, index) => new TextRun({ text, font: codeFont, ...(index > 0 && { break: 1 }) }),
      ),
    })
  }

  /** Writes one paragraph, or several where formulas stand on lines of their own. Only the first has the numbering. */
  private writeParagraph(
    children: readonly PhrasingContent[],
    context: BlockContext & Pick<IParagraphOptions, 'numbering'>,
    options: IParagraphOptions = {},
    style: RunStyle = {},
  ): Paragraph[] {
    const pieces: { children: PhrasingContent[]; formula?: Formula }[] = [{ children: [] }]
    for (const child of children) {
      const formula = readFormula(child)
      if (formula?.display === 'block') pieces.push({ children: [child], formula }, { children: [] })
      else pieces.at(-1)?.children.push(child)
    }
    // a paragraph without formulas is written also if it is empty, such as a table cell
    const filled =
      pieces.length === 1
        ? pieces
        : pieces.filter((piece) => piece.children.some((child) => child.type !== 'break'))
    const bidirectional = isRightToLeft(readProse(children))
    return filled.map((piece, index) => {
      const numbering = index === 0 ? context.numbering : undefined
      return new Paragraph({
        ...(numbering ? { numbering } : { indent: { left: context.depth * indentStep } }),
        ...(bidirectional && { bidirectional }),
        ...(context.isQuoted && {
          border: { left: { style: BorderStyle.SINGLE, size: 12, space: 8, color: colors.line } },
        }),
        ...options,
        children: this.writeRuns(trimBreaks(piece.children), style),
      })
    })
  }

  private writeRuns(nodes: readonly PhrasingContent[], style: RunStyle): ParagraphChild[] {
    return nodes.flatMap((node) => this.writeRun(node, style))
  }

  private writeRun(node: PhrasingContent, style: RunStyle): ParagraphChild[] {
    const formula = readFormula(node)
    if (formula) {
      this.formulaCount += 1
      const drawn =
        this.formulaCount > maxFormulas
          ? undefined
          : toWordFormula(formula.tex, { displayMode: formula.display === 'block' })
      return drawn
        ? // `docx` writes any of its XML components, but its type names only its own
          [drawn as unknown as ParagraphChild]
        : [new TextRun({ ...style, text: toWritable(formula.tex), font: codeFont })]
    }
    switch (node.type) {
      case 'text':
        return writeText(node.value, style)
      case 'strong':
        return this.writeRuns(node.children, { ...style, bold: true })
      case 'emphasis':
        return this.writeElement(node, style)
      case 'delete':
        return this.writeRuns(node.children, { ...style, strike: true })
      case 'inlineCode':
        return [new TextRun({ ...style, text: toWritable(node.value), font: codeFont })]
      case 'break':
        return [new TextRun({ break: 1 })]
      case 'link':
        return this.writeLink(node.url, node.children, style)
      case 'linkReference':
        return this.writeLink(this.definitions.get(node.identifier)?.url ?? '', node.children, style)
      case 'footnoteReference':
        return this.writeNote(node.identifier, style)
      default:
        return 'children' in node ? this.writeRuns(node.children, style) : writeText(readText(node), style)
    }
  }

  private writeElement({ data, children }: Emphasis, style: RunStyle): ParagraphChild[] {
    const element = data?.hName
    if (element === undefined) return this.writeRuns(children, { ...style, italics: true })
    // ruby text is written in parentheses after its characters
    if (element === 'rp') return []
    const runs = this.writeRuns(children, { ...style, ...elementStyles[element] })
    return element === 'rt' ? [...writeText('(', style), ...runs, ...writeText(')', style)] : runs
  }

  private writeLink(url: string, children: readonly PhrasingContent[], style: RunStyle): ParagraphChild[] {
    const target = toLinkTarget(url)
    if (target === undefined) return this.writeRuns(children, style)
    const runs = this.writeRuns(children, { ...style, style: 'Hyperlink' })
    return writeLinkRuns(target, { text: children.map(readText).join(''), runs, style })
  }

  private writeNote(identifier: string, style: RunStyle): ParagraphChild[] {
    const note = this.noteTexts.get(identifier)
    if (!note) return []
    // Word has no footnotes in footnotes, and a footnote may cite itself
    if (this.isInNote) return [new TextRun({ ...style, text: `[${toWritable(note.label ?? identifier)}]` })]
    const noteNumber = this.noteNumbers.get(identifier)
    // each footnote is written once, as in the page
    if (noteNumber !== undefined)
      return [new TextRun({ ...style, text: String(noteNumber), superScript: true })]
    this.noteCount += 1
    const id = this.noteCount
    this.noteNumbers.set(identifier, id)
    this.isInNote = true
    const blocks = note.children.flatMap((child) => this.writeBlock(child, topContext, 0))
    this.isInNote = false
    const [first] = blocks
    this.footnotes[id] = {
      // its number stands in its first paragraph. A footnote may have tables, although the types of the package do not say so.
      children: (first instanceof Paragraph ? blocks : [new Paragraph({}), ...blocks]) as Paragraph[],
    }
    return [new FootnoteReferenceRun(id)]
  }
}

/** Removes the line breaks at both ends. */
function trimBreaks(nodes: readonly PhrasingContent[]): readonly PhrasingContent[] {
  const start = nodes.findIndex(({ type }) => type !== 'break')
  const end = nodes.findLastIndex(({ type }) => type !== 'break')
  return start < 0 ? [] : nodes.slice(start, end + 1)
}

function readText(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? (node.children as Nodes[]).map(readText).join('') : ''
}

/** Reads the text of nodes that decides about their direction: that of their code does not, as in the page. */
const readProse = (nodes: readonly Nodes[]): string =>
  nodes
    .map((node) => {
      if (node.type === 'inlineCode') return ' '
      return 'children' in node ? readProse(node.children) : readText(node)
    })
    .join('')

interface Formula {
  tex: string
  display: 'block' | 'inline'
}
/** Reads a node as a formula. @returns undefined if it is none */
const readFormula = (node: Nodes): Formula | undefined => {
  const data = node.data as { hName?: string; hProperties?: Formula } | undefined
  return data?.hName === 'formula' ? data.hProperties : undefined
}

/** Collects the targets of links and the texts of footnotes of a text, by identifier. Of several with one identifier the first counts. */
function collectDefinitions(root: Root) {
  const definitions = new Map<string, Definition>()
  const noteTexts = new Map<string, FootnoteDefinition>()
  const pending: Nodes[] = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === 'definition' && !definitions.has(node.identifier))
      definitions.set(node.identifier, node)
    if (node.type === 'footnoteDefinition' && !noteTexts.has(node.identifier))
      noteTexts.set(node.identifier, node)
    if ('children' in node) for (const child of node.children.toReversed()) pending.push(child)
  }
  return { definitions, noteTexts }
}
