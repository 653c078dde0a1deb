import { t } from '@lingui/core/macro'
import {
  AlignmentType,
  Document,
  ExternalHyperlink,
  Footer,
  HeadingLevel,
  ImageRun,
  Packer,
  PageNumber,
  Paragraph,
  TextRun,
  type Table,
} from 'docx'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Message } from '#shared/contracts/messages.ts'
import { isSafeLink } from '../markdown/markdown-safety.ts'
import { splitBold } from '../markdown/split-bold.ts'
import { describeEnding } from '../describe-ending.ts'
import type { Picture } from './load-picture.ts'
import { parseForExport } from './parse-for-export.ts'
import { WordBlocks } from './word-blocks.ts'
import { isRightToLeft, toWritable, writeText } from './word-text.ts'
import { createNumbering, wordStyles } from './word-styles.ts'

/** The parts of a message that are written into a document. */
export type WordMessage = Pick<
  Message,
  'role' | 'content' | 'attachments' | 'sources' | 'ended' | 'incomplete_reason'
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

/** The width of the text on A4 with Word's margins, in pixels of 1/96 inch. */
const maxPictureWidth = 600
const maxPictureHeight = 800

const writeLine = (text: string, style?: string): Paragraph =>
  new Paragraph({
    ...(style !== undefined && { style }),
    ...(isRightToLeft(text) && { bidirectional: true }),
    children: [new TextRun({ text: toWritable(text), ...(isRightToLeft(text) && { rightToLeft: true }) })],
  })

/** Writes the text of a user message, which is no Markdown: lines are kept, and text between `**` is bold, as in the page. */
const writePlain = (text: string): Paragraph[] =>
  text.split(/\n{2,}/).map(
    (part) =>
      new Paragraph({
        ...(isRightToLeft(part) && { bidirectional: true }),
        children: splitBold(part).flatMap((piece, index) =>
          writeText(piece, index % 2 === 1 ? { bold: true } : {}),
        ),
      }),
  )

function writePicture(picture: Picture, name: string): Paragraph {
  const scale = Math.min(1, maxPictureWidth / picture.width, maxPictureHeight / picture.height)
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
    writeLine(t`Sources`, 'Meta'),
    ...sources.map(({ url, title }, index) => {
      const text = `${index + 1}. ${toWritable(title || url)}`
      const isLink = isSafeLink(url) && URL.canParse(url)
      return new Paragraph({
        style: 'Meta',
        children: isLink
          ? [
              new ExternalHyperlink({
                link: new URL(url).href,
                children: [new TextRun({ text, style: 'Hyperlink' })],
              }),
            ]
          : [new TextRun(text)],
      })
    }),
  ]
}

/**
 * Writes messages as a Word document, with the same blocks as the page.
 * @param loadPicture undefined for one that cannot be shown, whose name is written
 */
export async function buildWordDocument(
  { title, subtitle, messages }: WordContent,
  loadPicture: (file: Attachment) => Promise<Picture | undefined>,
): Promise<Blob> {
  const blocks = new WordBlocks()
  const children: (Paragraph | Table)[] = []
  const hasHeadings = messages.some(({ heading }) => heading !== undefined)
  if (hasHeadings) {
    children.push(
      new Paragraph({
        heading: HeadingLevel.HEADING_1,
        ...(isRightToLeft(title) && { bidirectional: true }),
        children: [
          new TextRun({ text: toWritable(title), ...(isRightToLeft(title) && { rightToLeft: true }) }),
        ],
      }),
    )
    if (subtitle !== undefined) children.push(writeLine(subtitle, 'Meta'))
  }
  for (const { role, content, attachments, sources, ended, incomplete_reason, heading } of messages) {
    if (heading !== undefined)
      children.push(
        new Paragraph({ heading: HeadingLevel.HEADING_2, children: [new TextRun(toWritable(heading))] }),
      )
    if (content.trim() !== '')
      children.push(
        ...(role === 'user'
          ? writePlain(content.trim())
          : // below the headings of the title and of the message
            blocks.write(parseForExport(content), hasHeadings ? 2 : 0)),
      )
    for (const file of attachments) {
      const picture = file.type.startsWith('image/') ? await loadPicture(file) : undefined
      children.push(picture ? writePicture(picture, file.name) : writeLine(t`Attached: ${file.name}`, 'Meta'))
    }
    if (sources && sources.length > 0) children.push(...writeSources(sources))
    if (ended) children.push(writeLine(describeEnding({ ended, incomplete_reason }), 'Meta'))
  }
  const document = new Document({
    title: toWritable(title),
    creator: '',
    styles: wordStyles,
    numbering: createNumbering(blocks.listStarts),
    footnotes: blocks.footnotes,
    sections: [
      {
        children,
        footers: {
          default: new Footer({
            children: [
              new Paragraph({
                alignment: AlignmentType.CENTER,
                children: [new TextRun({ children: [PageNumber.CURRENT], size: 18, color: '6B665D' })],
              }),
            ],
          }),
        },
      },
    ],
  })
  return Packer.toBlob(document)
}
