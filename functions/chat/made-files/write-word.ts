import {
  AlignmentType,
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
  type FileChild,
  type IParagraphOptions,
  type IRunOptions,
  type ParagraphChild,
} from 'docx'
import type { BlockContent, DefinitionContent, List, PhrasingContent, Root, RootContent } from 'mdast'
import { getText, isRightToLeft, isWebLink, parseMarkdown } from './markdown.ts'

const codeFont = 'Consolas'
const headings = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const
const maxListLevel = 8
/** An inch has 1,440. */
const indentStep = 360

const clean = (text: string) => text.toWellFormed().replaceAll(/(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu, '')

type Style = Omit<IRunOptions, 'text' | 'children'>
interface Place {
  quotes: number
  list?: { reference: string; level: number }
}

class WordWriter {
  readonly footnotes: Record<string, { children: Paragraph[] }> = {}
  /** how many numbered lists there are: each counts from its own start */
  readonly starts: number[] = []
  private readonly notes: ReadonlyMap<string, RootContent>
  private readonly targets: ReadonlyMap<string, string>
  private readonly noteNumbers = new Map<string, number>()

  constructor(root: Root) {
    this.notes = new Map(
      root.children.flatMap((node) =>
        node.type === 'footnoteDefinition' ? [[node.identifier, node] as const] : [],
      ),
    )
    this.targets = new Map(
      root.children.flatMap((node) =>
        node.type === 'definition' ? [[node.identifier, node.url] as const] : [],
      ),
    )
  }

  writeBlocks(
    nodes: readonly (RootContent | BlockContent | DefinitionContent)[],
    place: Place = { quotes: 0 },
  ): FileChild[] {
    return nodes.flatMap((node) => this.writeBlock(node, place))
  }

  private writeBlock(node: RootContent | BlockContent | DefinitionContent, place: Place): FileChild[] {
    if (node.type === 'heading')
      return [
        this.writeParagraph(node.children, place, {
          heading: headings[node.depth - 1] ?? HeadingLevel.HEADING_6,
        }),
      ]
    if (node.type === 'paragraph') return [this.writeParagraph(node.children, place)]
    if (node.type === 'blockquote')
      return this.writeBlocks(node.children, { ...place, quotes: place.quotes + 1 })
    if (node.type === 'list') return this.writeList(node, place)
    if (node.type === 'code')
      return node.value.split('\n').map(
        (line) =>
          new Paragraph({
            children: [new TextRun({ text: clean(line), font: codeFont, size: 19 })],
            spacing: { after: 0 },
            shading: { type: ShadingType.CLEAR, fill: 'F3F3F1' },
          }),
      )
    if (node.type === 'thematicBreak')
      return [new Paragraph({ border: { bottom: { style: 'single', size: 6, color: 'BBBBBB', space: 1 } } })]
    if (node.type === 'table') {
      const rows = node.children.map(
        ({ children }, index) =>
          new TableRow({
            tableHeader: index === 0,
            children: children.map(
              (cell, column) =>
                new TableCell({
                  ...(index === 0 && { shading: { type: ShadingType.CLEAR, fill: 'ECECE8' } }),
                  children: [
                    new Paragraph({
                      children: this.writeInline(cell.children, index === 0 ? { bold: true } : {}),
                      alignment:
                        AlignmentType[
                          ({ left: 'LEFT', right: 'RIGHT', center: 'CENTER' } as const)[
                            node.align?.[column] ?? 'left'
                          ]
                        ],
                      spacing: { after: 40 },
                    }),
                  ],
                }),
            ),
          }),
      )
      return [new Table({ rows, width: { size: 100, type: WidthType.PERCENTAGE } }), new Paragraph({})]
    }
    if (node.type === 'html') return [new Paragraph({ children: [new TextRun(clean(node.value))] })]
    return []
  }

  private writeParagraph(
    nodes: readonly PhrasingContent[],
    { quotes, list }: Place,
    more: IParagraphOptions = {},
  ) {
    return new Paragraph({
      ...more,
      bidirectional: isRightToLeft(nodes.map(getText).join('')),
      children: this.writeInline(nodes, quotes > 0 ? { italics: true, color: '555555' } : {}),
      ...(quotes > 0 && { indent: { start: quotes * indentStep } }),
      ...(list && { numbering: list }),
    })
  }

  private writeList({ ordered, start, children: items }: List, { quotes, list }: Place): FileChild[] {
    const level = Math.min(maxListLevel, list ? list.level + 1 : 0)
    if (ordered === true) this.starts.push(start ?? 1)
    const reference = ordered === true ? `numbers-${this.starts.length}` : 'bullets'
    return items.flatMap(({ checked, children }) =>
      children.flatMap((node, index) => {
        if (node.type === 'list') return this.writeList(node, { quotes, list: { reference, level } })
        if (node.type !== 'paragraph') return this.writeBlock(node, { quotes: quotes + 1 })
        const mark = typeof checked === 'boolean' && index === 0 ? (checked ? '☒ ' : '☐ ') : ''
        const content: PhrasingContent[] = [
          ...(mark ? [{ type: 'text' as const, value: mark }] : []),
          ...node.children,
        ]
        if (index === 0) return [this.writeParagraph(content, { quotes, list: { reference, level } })]
        return [this.writeParagraph(content, { quotes }, { indent: { start: (level + 1) * indentStep } })]
      }),
    )
  }

  private writeInline(nodes: readonly PhrasingContent[], style: Style): ParagraphChild[] {
    return nodes.flatMap((node): ParagraphChild[] => {
      switch (node.type) {
        case 'strong':
          return this.writeInline(node.children, { ...style, bold: true })
        case 'emphasis':
          return this.writeInline(node.children, { ...style, italics: true })
        case 'delete':
          return this.writeInline(node.children, { ...style, strike: true })
        case 'inlineCode':
          return [new TextRun({ ...style, text: clean(node.value), font: codeFont })]
        case 'break':
          return [new TextRun({ break: 1 })]
        case 'link':
        case 'linkReference': {
          const url = node.type === 'link' ? node.url : (this.targets.get(node.identifier) ?? '')
          if (!isWebLink(url)) return this.writeInline(node.children, style)
          return [
            new ExternalHyperlink({
              link: url,
              children: this.writeInline(node.children, { ...style, style: 'Hyperlink' }),
            }),
          ]
        }
        case 'footnoteReference':
          return this.writeNote(node.identifier)
        default: {
          const lines = clean(getText(node)).split('\n')
          const text = { ...style, rightToLeft: isRightToLeft(lines.join(' ')) }
          return [new TextRun({ ...text, text: lines.join(' ') })]
        }
      }
    })
  }

  private writeNote(identifier: string): ParagraphChild[] {
    const note = this.notes.get(identifier)
    if (note?.type !== 'footnoteDefinition') return [new TextRun(`[^${identifier}]`)]
    const known = this.noteNumbers.get(identifier)
    const number = known ?? this.noteNumbers.size + 1
    if (known === undefined) {
      this.noteNumbers.set(identifier, number)
      const paragraphs = this.writeBlocks(note.children).filter((block) => block instanceof Paragraph)
      this.footnotes[number] = { children: paragraphs }
    }
    return [new FootnoteReferenceRun(number)]
  }
}

const levels = (format: 'bullet' | 'decimal', start: number) =>
  Array.from({ length: maxListLevel + 1 }, (_, level) => ({
    level,
    format: format === 'bullet' ? LevelFormat.BULLET : LevelFormat.DECIMAL,
    text: format === 'bullet' ? (['•', '◦', '▪'][level % 3] ?? '•') : `%${level + 1}.`,
    alignment: AlignmentType.START,
    start: level === 0 ? start : 1,
    style: { paragraph: { indent: { start: (level + 1) * indentStep, hanging: indentStep } } },
  }))

/** A Word document of a text in Markdown. */
export async function writeWord(content: string): Promise<Uint8Array> {
  const root = parseMarkdown(content)
  const writer = new WordWriter(root)
  const children = writer.writeBlocks(root.children)
  const title = root.children.find((node) => node.type === 'heading')
  const document = new Document({
    title: title ? clean(getText(title)) : '',
    creator: '',
    styles: {
      default: {
        document: { run: { font: 'Calibri', size: 22 }, paragraph: { spacing: { after: 140, line: 276 } } },
        heading1: {
          run: { size: 34, bold: true },
          paragraph: { spacing: { before: 320, after: 140 }, keepNext: true },
        },
        heading2: {
          run: { size: 28, bold: true },
          paragraph: { spacing: { before: 280, after: 120 }, keepNext: true },
        },
        heading3: {
          run: { size: 24, bold: true },
          paragraph: { spacing: { before: 240, after: 100 }, keepNext: true },
        },
      },
    },
    numbering: {
      config: [
        { reference: 'bullets', levels: levels('bullet', 1) },
        // a nested list of numbers has its level's own start
        ...writer.starts.map((start, index) => ({
          reference: `numbers-${index + 1}`,
          levels: levels('decimal', start).map((level) => ({ ...level, start })),
        })),
      ],
    },
    footnotes: writer.footnotes,
    sections: [{ children }],
  })
  return new Uint8Array(await Packer.toArrayBuffer(document))
}
