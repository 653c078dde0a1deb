import { t } from '@lingui/core/macro'
import {
  AlignmentType,
  Document,
  Footer,
  HeadingLevel,
  ImageRun,
  Packer,
  PageNumber,
  Paragraph,
  TextRun,
  type IParagraphOptions,
  type Table,
} from 'docx'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Message } from '#shared/contracts/messages.ts'
import { listShownResults } from '#shared/table-result.ts'
import { splitBold } from '../markdown/split-bold.ts'
import { describeEnding } from '../describe-ending.ts'
import type { Picture } from './load-picture.ts'
import { WordBlocks } from './word-blocks.ts'
import { writeResultTable } from './word-table.ts'
import { isRightToLeft, toLinkTarget, toWritable, writeLinkRuns, writeText } from './word-text.ts'
import { colors, createNumbering, wordStyles } from './word-styles.ts'
import type { Root, RootContent } from 'mdast'
import '../markdown/markdown.tsx'
import { nestDetails } from '../markdown/extensions/details.ts'
import { parseInSteps, isParsedAtOnce } from '../markdown/incremental-document.ts'
import { formatSummary, parseMarkdown } from '../markdown/parse-markdown.ts'

/** The parts of a message that are written into a document. */
export type WordMessage = Pick<
  Message,
  'role' | 'content' | 'attachments' | 'tool_calls' | 'sources' | 'ended' | 'incomplete_reason'
> & {
  /** the heading above it; absent in a document of a single reply */
  heading?: string
}

/** A conversation or a reply, as it is written to a Word document. */
export interface WordContent {
  /** the title of the file. With the subtitle it is also written above the messages, if these have headings */
  title: string
  /** below the title */
  subtitle?: string
  messages: readonly WordMessage[]
}

/** The width of the text on A4 with Word's margins, and most of its height, in pixels of 1/96 inch. */
const maxPictureWidthPx = 600
const maxPictureHeightPx = 800

const writeLine = (text: string, options: Pick<IParagraphOptions, 'style' | 'heading'>): Paragraph =>
  new Paragraph({
    ...options,
    ...(isRightToLeft(text) && { bidirectional: true }),
    children: writeText(text, {}),
  })

/** The style of lines that tell about a message or the document. */
const meta = { style: 'Meta' } as const

/** Writes the text of a user message, which is no Markdown: lines are kept, and text between `**` is bold, as in the page. */
const writePlain = (text: string): Paragraph[] =>
  text.split(/(?:\r?\n){2,}/).map(
    (part) =>
      new Paragraph({
        ...(isRightToLeft(part) && { bidirectional: true }),
        children: splitBold(part).flatMap((piece, index) =>
          writeText(piece, index % 2 === 1 ? { bold: true } : {}),
        ),
      }),
  )

function writePicture(picture: Picture, name: string): Paragraph {
  const scale = Math.min(1, maxPictureWidthPx / picture.width, maxPictureHeightPx / picture.height)
  return new Paragraph({
    children: [
      new ImageRun({
        type: picture.type,
        data: picture.data,
        transformation: {
          width: Math.max(1, Math.round(picture.width * scale)),
          height: Math.max(1, Math.round(picture.height * scale)),
        },
        altText: { name: toWritable(name), description: toWritable(name), title: toWritable(name) },
      }),
    ],
  })
}

function writeSources(sources: NonNullable<Message['sources']>): Paragraph[] {
  return [
    writeLine(t`Sources`, meta),
    ...sources.map(({ url, title }, index) => {
      const text = `${index + 1}. ${title || url}`
      const target = toLinkTarget(url)
      if (target === undefined) return writeLine(text, meta)
      const runs = writeText(text, { style: 'Hyperlink' })
      return new Paragraph({
        ...meta,
        children: writeLinkRuns(target, { text: title || url, runs, style: {} }),
      })
    }),
  ]
}

/** Writes the title of the document and what stands below it. */
const writeTitle = ({ title, subtitle }: WordContent): Paragraph[] => [
  writeLine(title, { heading: HeadingLevel.HEADING_1 }),
  ...(subtitle === undefined ? [] : [writeLine(subtitle, meta)]),
]

/** The headings of the title and of a message stand above those of its text. */
const headingShift = 2

async function writeMessage(
  { role, content, attachments, tool_calls, sources, ended, incomplete_reason, heading }: WordMessage,
  blocks: WordBlocks,
  loadPicture: LoadPicture,
): Promise<(Paragraph | Table)[]> {
  const children: (Paragraph | Table)[] = []
  if (heading !== undefined) children.push(writeLine(heading, { heading: HeadingLevel.HEADING_2 }))
  if (content.trim() !== '')
    children.push(
      ...(role === 'user'
        ? writePlain(content.trim())
        : blocks.write(parseForExport(content), heading === undefined ? 0 : headingShift)),
    )
  for (const { table, caption } of listShownResults(tool_calls).map(writeResultTable))
    children.push(table, writeLine(caption, meta))
  for (const file of attachments) {
    const picture = file.type.startsWith('image/') ? await loadPicture(file) : undefined
    children.push(picture ? writePicture(picture, file.name) : writeLine(t`Attached: ${file.name}`, meta))
  }
  if (sources && sources.length > 0) children.push(...writeSources(sources))
  if (ended) children.push(writeLine(describeEnding({ ended, incomplete_reason }), meta))
  return children
}

/** The number of the page, below each. */
const writeFooter = () =>
  new Footer({
    children: [
      new Paragraph({
        alignment: AlignmentType.CENTER,
        children: [new TextRun({ children: [PageNumber.CURRENT], size: 18, color: colors.mutedInk })],
      }),
    ],
  })

type LoadPicture = (file: Attachment) => Promise<Picture | undefined>

/**
 * Writes messages as a Word document, with the same blocks as the page; charts and diagrams are written as code.
 * @param loadPicture returns undefined for a picture that cannot be shown, whose name is written
 */
export async function buildWordDocument(content: WordContent, loadPicture: LoadPicture): Promise<Blob> {
  const blocks = new WordBlocks()
  const hasHeadings = content.messages.some(({ heading }) => heading !== undefined)
  const children: (Paragraph | Table)[] = hasHeadings ? writeTitle(content) : []
  for (const message of content.messages) children.push(...(await writeMessage(message, blocks, loadPicture)))
  const document = new Document({
    title: toWritable(content.title),
    creator: '',
    styles: wordStyles,
    numbering: createNumbering(blocks.listStarts),
    footnotes: blocks.footnotes,
    sections: [
      {
        children,
        footers: { default: writeFooter() },
      },
    ],
  })
  return Packer.toBlob(document)
}

const toParagraph = (text: string): RootContent => ({
  type: 'paragraph',
  children: text
    .split('\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [{ type: 'break' } as const] : []),
      { type: 'text', value: line } as const,
    ]),
})

/** Parses a reply into the same blocks as the page shows. A block that the page shows as plain text becomes a paragraph. */
function parseForExport(text: string): Root {
  const document = parseInSteps(text)
  const whole =
    document.needsFullParse && isParsedAtOnce(document.text) ? parseMarkdown(document.text) : undefined
  const children =
    whole?.blocks.map(({ node }) => node) ??
    document.blocks.map(({ node, source }) => node ?? toParagraph(source))
  // a copy of the list, because `nestDetails` changes it and the page keeps its nodes
  const root: Root = { type: 'root', children: [...children] }
  nestDetails(root, formatSummary)
  return root
}
