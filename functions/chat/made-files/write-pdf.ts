import PDFDocument from 'pdfkit'
import type { List, Nodes, RootContent, Table } from 'mdast'
import { getText, isWebLink, parseMarkdown } from './markdown.ts'

type Pdf = InstanceType<typeof PDFDocument>
interface Run {
  text: string
  font: string
  link?: string
}

const body = 10.5
const headingSizes = [20, 16, 13.5, 12, 11, 11]
const fonts = {
  '': 'Helvetica',
  b: 'Helvetica-Bold',
  i: 'Helvetica-Oblique',
  bi: 'Helvetica-BoldOblique',
} as const

/** Letters that the built-in fonts of PDF readers have: those of Western Europe (Windows-1252). */
const known = /^[\t\n\r\u0020-\u007e\u00a0-\u00ffŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]*$/u
export const isKnown = (text: string): boolean => known.test(text)

function listRuns(node: Nodes, style: { bold?: boolean; italic?: boolean; link?: string } = {}): Run[] {
  if (node.type === 'strong')
    return node.children.flatMap((child) => listRuns(child, { ...style, bold: true }))
  if (node.type === 'emphasis')
    return node.children.flatMap((child) => listRuns(child, { ...style, italic: true }))
  if (node.type === 'link' && isWebLink(node.url))
    return node.children.flatMap((child) => listRuns(child, { ...style, link: node.url }))
  if (node.type === 'footnoteReference') return [{ text: `[${node.identifier}]`, font: fonts[''] }]
  if (node.type === 'inlineCode') return [{ text: node.value, font: 'Courier' }]
  if ('children' in node) return node.children.flatMap((child) => listRuns(child, style))
  const key = `${style.bold === true ? 'b' : ''}${style.italic === true ? 'i' : ''}` as keyof typeof fonts
  const text = node.type === 'break' ? '\n' : getText(node).replaceAll('\n', ' ')
  return [{ text, font: fonts[key], ...(style.link !== undefined && { link: style.link }) }]
}

class PdfWriter {
  private readonly pdf: Pdf
  constructor(pdf: Pdf) {
    this.pdf = pdf
  }

  private get left() {
    return this.pdf.page.margins.left
  }
  private get width() {
    return this.pdf.page.width - this.left - this.pdf.page.margins.right
  }

  private writeRuns(runs: readonly Run[], indent: number, size = body, before = '') {
    const { pdf } = this
    const shown = runs.filter(({ text }) => text !== '')
    if (before !== '') {
      pdf.font(fonts['']).fontSize(size)
      // the mark of an item belongs to its line
      if (pdf.y + pdf.currentLineHeight(true) > pdf.page.height - pdf.page.margins.bottom) pdf.addPage()
      const { y } = pdf
      pdf.text(before, this.left + indent - 18, y, { width: 18, lineBreak: false })
      pdf.y = y
    }
    pdf.x = this.left + indent
    for (const [index, { text, font, link }] of shown.entries())
      pdf
        .font(font)
        .fontSize(size)
        .fillColor(link === undefined ? '#1a1a1a' : '#1d4f91')
        .text(text, {
          width: this.width - indent,
          continued: index < shown.length - 1,
          link: link ?? null,
          underline: link !== undefined,
          lineGap: 2,
        })
    pdf.fillColor('#1a1a1a')
  }

  write(nodes: readonly RootContent[], indent = 0): void {
    for (const node of nodes) this.writeBlock(node, indent)
  }

  private writeBlock(node: RootContent, indent: number): void {
    const { pdf } = this
    if (node.type === 'heading') {
      const size = headingSizes[node.depth - 1] ?? body
      // not alone at the end of a page
      if (pdf.y > pdf.page.height - pdf.page.margins.bottom - size * 4) pdf.addPage()
      pdf.moveDown(0.5)
      this.writeRuns(listRuns(node, { bold: true }), indent, size)
      pdf.moveDown(0.3)
    } else if (node.type === 'list') {
      this.writeList(node, indent + 18)
      if (indent === 0) pdf.moveDown(0.5)
    } else if (node.type === 'blockquote') this.write(node.children, indent + 18)
    else if (node.type === 'code') {
      this.writeRuns([{ text: node.value, font: 'Courier' }], indent, 9)
      pdf.moveDown(0.6)
    } else if (node.type === 'table') this.writeTable(node)
    else if (node.type === 'thematicBreak') {
      const { y } = pdf
      pdf
        .moveTo(this.left, y)
        .lineTo(this.left + this.width, y)
        .lineWidth(0.5)
        .stroke('#bbbbbb')
      pdf.moveDown(0.8)
    } else if (node.type === 'footnoteDefinition') {
      this.writeRuns(
        [{ text: `[${node.identifier}] ${node.children.map(getText).join(' ')}`, font: fonts[''] }],
        indent,
        9,
      )
      pdf.moveDown(0.3)
    } else if (node.type !== 'definition') {
      this.writeRuns(listRuns(node), indent)
      pdf.moveDown(0.6)
    }
  }

  private writeList({ ordered, start, children: items }: List, indent: number): void {
    for (const [index, { children }] of items.entries())
      for (const [at, node] of children.entries()) {
        const mark = at > 0 ? '' : ordered === true ? `${(start ?? 1) + index}.` : '•'
        if (node.type === 'paragraph') {
          this.writeRuns(listRuns(node), indent, body, mark)
          this.pdf.moveDown(0.2)
        } else this.writeBlock(node, indent)
      }
  }

  private writeTable({ children: rows }: Table): void {
    const { pdf } = this
    const columns = Math.max(1, ...rows.map(({ children }) => children.length))
    const width = this.width / columns
    const size = columns > 6 ? 7.5 : 9
    for (const [index, { children: cells }] of rows.entries()) {
      pdf.font(index === 0 ? fonts.b : fonts['']).fontSize(size)
      const texts = cells.map((cell) => getText(cell))
      const height =
        Math.max(size, ...texts.map((text) => pdf.heightOfString(text, { width: width - 8 }))) + 8
      if (pdf.y + height > pdf.page.height - pdf.page.margins.bottom) pdf.addPage()
      const { y } = pdf
      if (index === 0) pdf.rect(this.left, y, this.width, height).fill('#ececea').fillColor('#1a1a1a')
      for (const [column, text] of texts.entries())
        pdf.text(text, this.left + column * width + 4, y + 4, { width: width - 8, height: height - 4 })
      pdf
        .moveTo(this.left, y + height)
        .lineTo(this.left + this.width, y + height)
        .lineWidth(0.5)
        .stroke('#bbbbbb')
      pdf.x = this.left
      pdf.y = y + height
    }
    pdf.moveDown(0.8)
  }
}

/** A PDF of a text in Markdown whose letters `isKnown`. */
export async function writePdf(content: string): Promise<Uint8Array> {
  const root = parseMarkdown(content)
  const title = root.children.find((node) => node.type === 'heading')
  const pdf = new PDFDocument({ size: 'A4', margin: 64, info: { Title: title ? getText(title) : '' } })
  const chunks: Uint8Array[] = []
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  new PdfWriter(pdf).write(root.children)
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}
