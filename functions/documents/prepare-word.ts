import { SaxesParser } from 'saxes'
import type { OmissionCounter } from './extracted-text.ts'
import { EquationReader } from './read-equation.ts'
import { addLink } from './format-runs.ts'
import { readChart } from './read-chart.ts'
import { readDiagram } from './read-diagram.ts'
import {
  readAttribute,
  readRelationshipId,
  runParser,
  type Relationship,
  type XmlAttributes,
} from './read-package.ts'
import { describeShape } from './read-shapes.ts'
import { decodeSymbols } from './symbol-fonts.ts'
import type { NumberingReference, WordNumbering } from './word-numbering.ts'
import { readRunProperty, type RunLook, type WordStyles } from './word-styles.ts'
import { changes, namespaces, omitted, separators, skipped, technical, unwrapped } from './word-elements.ts'

// Rewrites a part of a Word document, so that mammoth finds as text what it leaves out: numbers of list items, equations, tracked
// changes, text boxes, hidden text, charts, symbols, chosen entries of forms. What nothing reads is counted.

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Columns of a table in Word. */
const maxEmptyCells = 63

interface OpenElement {
  /** with its usual prefix */
  name: string
  /** as it is written; empty if the tag is left out */
  tag: string
  /** where the output was before a change, and how many texts it had */
  change?: { start: number; texts: number }
  /** whether the drawing around it is left out, and only its text boxes are read */
  inDrawing: boolean
  choices: number
}

interface Paragraph {
  /** what to write before its first run */
  label: string
  style: string
  /** of its style */
  look: RunLook
  list: string | undefined
  level: number
}

interface Run {
  look: RunLook
  /** whether its properties are written */
  isBegun: boolean
  /** whether its text began with the mark of hidden text */
  isMarked: boolean
}

/** A field of a form. */
interface Field {
  /** how many texts there were before it */
  texts: number
  entries: string[]
  /** index of the chosen entry */
  chosen: number
  /** of a text field */
  text: string
  /** its code */
  instruction: string
}

/** What a field shows that has its text in its code: buttons (ECMA-376-1, 17.16.5.35). */
const readButton = (instruction: string) =>
  /^\s{0,20}(?:MACROBUTTON|GOTOBUTTON)\s{1,20}\S{1,200}\s(.{1,2000})$/is.exec(instruction)?.[1]?.trim() ?? ''

/** A link in the code of a field, with the mark within its target (ECMA-376-1, 17.16.5.25). */
const fieldLink = /^\s{0,20}HYPERLINK\s{1,20}(?:\\l\s{1,20})?"[^"]{0,4000}"/i
const fieldMark = /^\s{0,20}\\l\s{1,20}"([^"]{1,1000})"/i

/**
 * What the reader gets of a field's code: it takes all up to the last quote as the address, with the tips and windows behind it.
 * @param before the code so far
 */
function cutInstruction(before: string, text: string): string {
  if (fieldLink.test(before)) return ''
  const link = fieldLink.exec(before + text)?.[0]
  if (link === undefined) return text
  const mark = fieldMark.exec((before + text).slice(link.length))?.[1]
  const cut = link.slice(before.length)
  return mark === undefined || link.includes('#') || /\\l\s/i.test(link)
    ? cut
    : `${cut.slice(0, -1)}#${mark}"`
}

export interface PrepareOptions {
  numbering?: WordNumbering
  omissions: OmissionCounter
  styles?: WordStyles
  /** of the part */
  related?: readonly Relationship[]
  /** reads a part that this one refers to */
  tryRead?: <Result>(path: string, read: (part: Uint8Array) => Result) => Result | undefined
  /** the body is divided after this many characters */
  chunkLength?: number
  /** removes references to other parts: for what moves into another part */
  dropReferences?: boolean
}

/** A part, as XML of Word that mammoth reads completely. */
export interface PreparedPart {
  xml: string
  /** the same without its root element */
  content: string
  /** the root with its namespaces */
  rootTag: string
  /** of a document: the content of its body, divided between paragraphs */
  chunks: string[]
}

/** @throws DocumentError if the part is not XML */
export function prepareWordPart(part: Uint8Array, options: PrepareOptions): PreparedPart {
  return new PartRewriter(options).rewrite(part)
}

class PartRewriter {
  readonly #numbering: WordNumbering | undefined
  readonly #omissions: OmissionCounter
  readonly #dropReferences: boolean
  readonly #output: string[] = []
  readonly #prefixes = new Map<string, string>()
  readonly #names = new Map<string, string>()
  readonly #open: OpenElement[] = []
  readonly #paragraphs: Paragraph[] = []
  #wordPrefix = 'w'
  #skipDepth = 0
  #texts = 0
  #equation: { reader: EquationReader; depth: number } | undefined
  /** what the next paragraph begins with: that its row was inserted or deleted */
  #rowLabel = ''
  #emptyCells = 0
  #rootTag = ''
  readonly #options: PrepareOptions
  readonly #runs: Run[] = []
  readonly #fields: Field[] = []
  /** where in the output the mark of hidden text ends, and how many texts there were */
  #hiddenEnd: { at: number; texts: number } | undefined
  /** where in the output the body, and each of its chunks, begins; at last, where it ends */
  readonly #chunkStarts: number[] = []
  #chunkLength = 0
  #measuredTo = 0

  constructor(options: PrepareOptions) {
    this.#options = options
    this.#numbering = options.numbering
    this.#omissions = options.omissions
    this.#dropReferences = options.dropReferences ?? false
  }

  rewrite(part: Uint8Array): PreparedPart {
    const parser = new SaxesParser()
    parser.on('opentag', ({ name, attributes }) => this.#openTag(name, attributes as XmlAttributes))
    parser.on('text', (text) => this.#text(text))
    parser.on('cdata', (text) => this.#text(text))
    parser.on('closetag', () => this.#closeTag())
    runParser(parser, part)
    const xml = this.#output.join('')
    const rootName = /^<([^\s/>]+)/.exec(this.#rootTag)?.[1] ?? ''
    return {
      xml,
      content: xml.slice(this.#rootTag.length, xml.length - `</${rootName}>`.length),
      rootTag: this.#rootTag,
      chunks: this.#chunkStarts
        .slice(0, -1)
        .map((start, index) => this.#output.slice(start, this.#chunkStarts[index + 1]).join('')),
    }
  }

  /** The name with its usual prefix, whatever the document calls the namespace. */
  #normalize(name: string, attributes: XmlAttributes): string {
    for (const attribute in attributes)
      if (attribute.startsWith('xmlns')) {
        const prefix = attribute.slice(6)
        const usual = namespaces[attributes[attribute] ?? '']
        this.#names.clear()
        if (usual === undefined) this.#prefixes.delete(prefix)
        else this.#prefixes.set(prefix, usual)
        if (usual === 'w') this.#wordPrefix = prefix
      }
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const at = name.indexOf(':')
    const prefix = name.slice(0, Math.max(0, at))
    const normalized = `${this.#prefixes.get(prefix) ?? `?${prefix}`}:${name.slice(at + 1)}`
    this.#names.set(name, normalized)
    return normalized
  }

  #tag(localName: string): string {
    return this.#wordPrefix === '' ? localName : `${this.#wordPrefix}:${localName}`
  }

  /** Writes a text as a run of its own. */
  #writeRun(text: string): void {
    const [run, content] = [this.#tag('r'), this.#tag('t')]
    this.#output.push(`<${run}><${content} xml:space="preserve">${escapeXml(text)}</${content}></${run}>`)
  }

  #openTag(written: string, attributes: XmlAttributes): void {
    const name = this.#normalize(written, attributes)
    const parent = this.#open.at(-1)
    if (this.#skipDepth > 0 || skipped.test(name) || this.#isFurtherChoice(name, parent)) {
      this.#skipDepth += 1
      return
    }
    if (this.#equation) {
      this.#equation.depth += 1
      this.#equation.reader.open(name.slice(name.indexOf(':') + 1), attributes)
      return
    }
    const isPreview = name === 'v:imagedata' && this.#open.some((element) => element.name === 'w:object')
    if (Object.hasOwn(omitted, name) && !isPreview) this.#omissions.add(omitted[name as keyof typeof omitted])
    if (name === 'm:oMath') {
      this.#beginRuns()
      this.#equation = { reader: new EquationReader(), depth: 1 }
      return
    }
    this.#readProperties(name, parent, attributes)
    this.#readField(name, attributes)
    this.#open.push(this.#openElement(name, written, attributes, parent))
  }

  /** Programs read the first of several forms that they know. */
  #isFurtherChoice(name: string, parent: OpenElement | undefined): boolean {
    if (name !== 'mc:Choice' || !parent) return false
    parent.choices += 1
    return parent.choices > 1
  }

  #openElement(
    name: string,
    written: string,
    attributes: XmlAttributes,
    parent: OpenElement | undefined,
  ): OpenElement {
    const element: OpenElement = {
      name,
      tag: '',
      inDrawing: name === 'w:drawing' || (parent?.inDrawing ?? false),
      choices: 0,
    }
    const run = this.#runs.at(-1)
    if (parent?.name === 'w:rPr' && run && !run.isBegun) {
      Object.assign(run.look, readRunProperty(name.slice(2), attributes))
      if (name === 'w:rStyle')
        run.look = { ...this.#options.styles?.(readAttribute(attributes, 'val')), ...run.look }
      return element
    }
    if (parent?.name === 'w:r' && run && !run.isBegun) {
      if (name === 'w:rPr') return element
      this.#beginRun(run)
    }
    if (name === 'w:txbxContent') {
      // mammoth puts what it finds in `w:pict` after the paragraph
      element.inDrawing = false
      element.tag = written
      this.#output.push(`<${this.#tag('pict')}><${written}>`)
      return element
    }
    if (element.inDrawing) {
      if (name === 'wp:docPr') this.#writePictureText(attributes)
      if (name === 'a:hlinkClick' && parent?.name === 'wp:docPr') this.#writeAddress(attributes)
      if (name === 'c:chart' || name === 'dgm:relIds') this.#writeRelated(name, attributes)
      return element
    }
    const isMark = parent !== undefined && parent.name.endsWith('Pr')
    if (Object.hasOwn(changes, name) && isMark) {
      // mammoth would leave deleted rows out
      if (parent.name === 'w:trPr') {
        this.#rowLabel = `[row ${changes[name]}${this.#author(attributes)}] `
        return element
      }
    } else if (Object.hasOwn(changes, name) && this.#paragraphs.length > 0) {
      this.#beginRuns()
      element.change = { start: this.#output.length, texts: this.#texts }
      this.#writeRun(`[${changes[name]}${this.#author(attributes)}: `)
      return element
    }
    if (name === 'w:gridBefore')
      this.#emptyCells = Math.min(maxEmptyCells, Number(readAttribute(attributes, 'val')) || 0)
    if (name === 'w:hidden' && parent?.name === 'w:trPr') {
      this.#rowLabel += '[row hidden] '
      this.#omissions.addHidden()
    }
    if (name.startsWith('v:')) this.#readVector(name, attributes)
    const separator = separators[name]
    if (separator !== undefined) {
      this.#writeSeparator(separator)
      return element
    }
    if (name === 'w:sym') {
      this.#writeSymbol(attributes)
      return element
    }
    // mammoth leaves out what it does not know, with all that is in it
    if (unwrapped.test(name) || (this.#open.length > 0 && !/^w(?:14)?:/.test(name))) return element
    if (name === 'w:p')
      this.#paragraphs.push({
        label: this.#takeRowLabel(),
        style: '',
        look: {},
        list: undefined,
        level: 0,
      })
    else if (name !== 'w:pPr' && parent?.name === 'w:p') this.#beginRuns()
    element.tag = name === 'w:delText' ? this.#tag('t') : written
    const start = this.#writeStart(element.tag, attributes)
    if (this.#open.length === 0) this.#rootTag = start
    if (name === 'w:r')
      this.#runs.push({ look: { ...this.#paragraphs.at(-1)?.look }, isBegun: false, isMarked: false })
    if (name === 'w:body' && this.#chunkStarts.length === 0) this.#chunkStarts.push(this.#output.length)
    return element
  }

  /** Writes what mammoth reads of a run's properties, with what its styles say. */
  #beginRun(run: Run): void {
    run.isBegun = true
    const { position, isStruck } = run.look
    const [properties, alignment, strike] = [this.#tag('rPr'), this.#tag('vertAlign'), this.#tag('strike')]
    if (!position && !isStruck) return
    const value = position === '^' ? 'superscript' : 'subscript'
    this.#output.push(
      `<${properties}>${position ? `<${alignment} ${this.#tag('val')}="${value}"/>` : ''}${isStruck ? `<${strike}/>` : ''}</${properties}>`,
    )
  }

  /** Writes text into the current run, and marks hidden text from its first run to its last. */
  #writeText(text: string): void {
    const run = this.#runs.at(-1)
    if (run?.look.isHidden && !run.isMarked && text.trim() !== '') {
      const before = this.#hiddenEnd
      if (before?.texts === this.#texts) this.#output[before.at] = ''
      else {
        this.#output.push('[hidden: ')
        this.#omissions.addHidden()
      }
      run.isMarked = true
    }
    this.#texts += text.length
    this.#output.push(escapeXml(decodeSymbols(text, run?.look.font ?? '')))
  }

  #writeContent(text: string): void {
    const content = this.#tag('t')
    this.#output.push(`<${content} xml:space="preserve">`)
    this.#writeText(text)
    this.#output.push(`</${content}>`)
  }

  #writeSeparator(text: string): void {
    if (text === '\t') this.#output.push(`<${this.#tag('tab')}/>`)
    else if (text === '\n') this.#output.push(`<${this.#tag('br')}/>`)
    else this.#writeContent(text)
  }

  #writeSymbol(attributes: XmlAttributes): void {
    const code = Number.parseInt(readAttribute(attributes, 'char'), 16)
    if (!(code >= 0x20 && code <= 0xff_ff)) return
    const character = String.fromCharCode(code)
    const shown = decodeSymbols(character, readAttribute(attributes, 'font'))
    if (shown === character && (/[\p{Co}\p{Cs}]/u.test(character) || code <= 0xff))
      this.#omissions.add('damagedCharacters')
    else this.#writeContent(shown)
  }

  #findLink(id: string): string | undefined {
    const link = this.#options.related?.find((one) => one.id === id)
    return link?.path === '' ? link.target : undefined
  }

  #writeAddress(attributes: XmlAttributes): void {
    const address = this.#findLink(readRelationshipId(attributes))
    if (address !== undefined) this.#writeContent(` (${address})`)
  }

  /** Writes rows as a table after the paragraph, where mammoth puts what is in `w:pict`. */
  #writeAfter(paragraphs: readonly string[], rows: readonly (readonly string[])[] = []): void {
    const [pict, table, row, cell] = ['pict', 'tbl', 'tr', 'tc'].map((name) => this.#tag(name))
    const [paragraph, run, content] = ['p', 'r', 't'].map((name) => this.#tag(name))
    const write = (text: string) =>
      `<${paragraph}><${run}><${content} xml:space="preserve">${escapeXml(text)}</${content}></${run}></${paragraph}>`
    const cells = rows.map(
      (one) => `<${row}>${one.map((text) => `<${cell}>${write(text)}</${cell}>`).join('')}</${row}>`,
    )
    const tables = cells.length === 0 ? '' : `<${table}>${cells.join('')}</${table}>`
    this.#output.push(`<${pict}>${paragraphs.map(write).join('')}${tables}</${pict}>`)
  }

  #writeRelated(name: 'c:chart' | 'dgm:relIds', attributes: XmlAttributes): void {
    const id = name === 'c:chart' ? readRelationshipId(attributes) : readAttribute(attributes, 'dm')
    const path = this.#options.related?.find((one) => one.id === id)?.path ?? ''
    const isChart = name === 'c:chart'
    const found =
      path === ''
        ? undefined
        : this.#options.tryRead?.(path, (part) => {
            if (!isChart) return { lines: readDiagram(part), rows: [] }
            const { title, rows } = readChart(part, this.#omissions)
            return {
              lines: title === '' && rows.length === 0 ? [] : [`[chart${title && `: ${title}`}]`],
              rows,
            }
          })
    if (!found || found.lines.length === 0) this.#omissions.add(isChart ? 'charts' : 'diagrams')
    else this.#writeAfter(found.lines, found.rows)
  }

  /** Word art, such as a watermark, and the alternative text of drawings of older versions. */
  #readVector(name: string, attributes: XmlAttributes): void {
    if (!this.#open.some((element) => element.name === 'w:pict')) return
    const text = name === 'v:textpath' ? readAttribute(attributes, 'string').trim() : ''
    // headers have word art as a watermark
    const shown = text === '' || !this.#dropReferences ? text : `[watermark: ${text}]`
    const href = readAttribute(attributes, 'href')
    const described = describeShape(readAttribute(attributes, 'alt'), true)
    const line = shown || described || (href === '' ? '' : `[link: ${href}]`)
    const [paragraph, run, content] = ['p', 'r', 't'].map((local) => this.#tag(local))
    if (line !== '')
      this.#output.push(
        `<${paragraph}><${run}><${content} xml:space="preserve">${escapeXml(addLink(line, href))}</${content}></${run}></${paragraph}>`,
      )
  }

  /** Reads the fields of forms: their chosen entry, or their text, is not always in the document. */
  #readField(name: string, attributes: XmlAttributes): void {
    const field = this.#fields.at(-1)
    const value = readAttribute(attributes, 'val')
    switch (name) {
      case 'w:fldChar': {
        const type = readAttribute(attributes, 'fldCharType')
        if (type === 'begin')
          this.#fields.push({ texts: this.#texts, entries: [], chosen: 0, text: '', instruction: '' })
        if (type !== 'end') return
        const ended = this.#fields.pop()
        const shown = ended?.entries[ended.chosen] || ended?.text || readButton(ended?.instruction ?? '')
        if (ended?.texts === this.#texts && shown !== '' && this.#open.at(-1)?.name === 'w:r') {
          const run = this.#runs.at(-1)
          if (run && !run.isBegun) this.#beginRun(run)
          this.#writeContent(shown)
        }
        return
      }
      case 'w:listEntry':
        if (field && this.#open.at(-1)?.name === 'w:ddList') field.entries.push(value)
        return
      case 'w:result':
        if (field) field.chosen = Number(value) || 0
        return
      case 'w:default':
        // the result comes before the default
        if (field && this.#open.at(-1)?.name === 'w:ddList') field.chosen ||= Number(value) || 0
        if (field && this.#open.at(-1)?.name === 'w:textInput') field.text = value
    }
  }

  #takeRowLabel(): string {
    const label = this.#rowLabel
    this.#rowLabel = ''
    return label
  }

  #author(attributes: XmlAttributes): string {
    const author = readAttribute(attributes, 'author').trim()
    return author === '' ? '' : ` by ${author}`
  }

  #writeStart(tag: string, attributes: XmlAttributes): string {
    let start = `<${tag}`
    for (const name in attributes)
      if (
        !this.#dropReferences ||
        !/^(?!xmlns)[^:]*:(?:id|embed|link)$/.test(name) ||
        name.startsWith(`${this.#wordPrefix}:`)
      )
        start += ` ${name}="${escapeXml(attributes[name] ?? '')}"`
    start += '>'
    this.#output.push(start)
    return start
  }

  #writePictureText(attributes: XmlAttributes): void {
    const text = readAttribute(attributes, 'descr').trim() || readAttribute(attributes, 'title').trim()
    const content = this.#tag('t')
    const shown = describeShape(text, true)
    if (shown !== '') this.#output.push(`<${content} xml:space="preserve">${escapeXml(shown)}</${content}>`)
  }

  /** Notes the style and the list of the current paragraph. */
  #readProperties(name: string, parent: OpenElement | undefined, attributes: XmlAttributes): void {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph) return
    const value = readAttribute(attributes, 'val')
    if (name === 'w:pStyle') {
      paragraph.style = value
      paragraph.look = this.#options.styles?.(value) ?? {}
    }
    if (parent?.name !== 'w:numPr') return
    if (name === 'w:numId') paragraph.list = value
    if (name === 'w:ilvl') paragraph.level = Math.min(8, Math.max(0, Number(value) || 0))
  }

  /** Writes the label of a paragraph before its first run. */
  #beginRuns(): void {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph) return
    if (paragraph.label !== '') this.#writeRun(paragraph.label)
    paragraph.label = ''
  }

  #findLabel(paragraph: Paragraph): string {
    const ownList = paragraph.list
    const reference: NumberingReference | undefined =
      ownList === undefined
        ? this.#numbering?.findByStyle(paragraph.style)
        : { list: ownList, level: paragraph.level }
    return reference ? (this.#numbering?.next(reference) ?? '') : ''
  }

  #text(text: string): void {
    if (this.#skipDepth > 0) return
    if (this.#equation) {
      this.#equation.reader.text(text)
      return
    }
    const element = this.#open.at(-1)
    if (!element) return
    if (element.name === 'w:t' || element.name === 'w:delText') this.#writeText(text)
    else if (element.inDrawing && element.name.endsWith(':t')) this.#writeContent(text)
    else if (element.name === 'w:instrText') this.#writeInstruction(element, text)
    else if (element.tag !== '') this.#output.push(escapeXml(text))
    if (!technical.test(element.name) && !element.name.endsWith(':t') && /\p{L}{2}/u.test(text))
      this.#omissions.add('unknown')
  }

  #writeInstruction({ tag }: { tag: string }, text: string): void {
    const field = this.#fields.at(-1)
    if (tag !== '') this.#output.push(escapeXml(field ? cutInstruction(field.instruction, text) : text))
    if (field) field.instruction += text
  }

  #closeTag(): void {
    if (this.#skipDepth > 0) {
      this.#skipDepth -= 1
      return
    }
    if (this.#equation) {
      this.#closeInEquation(this.#equation)
      return
    }
    const element = this.#open.pop()
    if (!element) return
    const paragraph = this.#paragraphs.at(-1)
    if (element.change) {
      // a change of formatting, or of a paragraph's end, has no text
      if (element.change.texts === this.#texts) this.#output.splice(element.change.start, 1)
      else this.#writeRun(']')
    }
    if (element.name === 'w:pPr' && paragraph) paragraph.label += this.#findLabel(paragraph)
    if (element.name === 'w:p' && element.tag !== '') {
      this.#beginRuns()
      this.#paragraphs.pop()
      this.#hiddenEnd = undefined
    }
    if (element.inDrawing && element.name === 'a:p') this.#writeSeparator('\n')
    if (element.name === 'w:body') this.#chunkStarts.push(this.#output.length)
    if (element.tag !== '') this.#output.push(`</${element.tag}>`)
    if (element.name === 'w:r' && element.tag !== '') this.#endRun()
    if (this.#open.at(-1)?.name === 'w:body') this.#endChunk()
    if (element.name === 'w:trPr') this.#writeEmptyCells()
    if (element.name === 'w:txbxContent') this.#output.push(`</${this.#tag('pict')}>`)
  }

  #endRun(): void {
    if (this.#runs.pop()?.isMarked !== true) return
    this.#hiddenEnd = { at: this.#output.length, texts: this.#texts }
    this.#writeRun(']')
  }

  /** Fields must not be divided. */
  #endChunk(): void {
    const { chunkLength = Infinity } = this.#options
    const start = this.#chunkStarts.at(-1) ?? 0
    for (let index = Math.max(start, this.#measuredTo); index < this.#output.length; index += 1)
      this.#chunkLength += this.#output[index]?.length ?? 0
    this.#measuredTo = this.#output.length
    if (this.#chunkLength < chunkLength || this.#fields.length > 0) return
    this.#chunkLength = 0
    this.#chunkStarts.push(this.#output.length)
  }

  /** A row may begin further right than its table. */
  #writeEmptyCells(): void {
    const [cell, paragraph] = [this.#tag('tc'), this.#tag('p')]
    this.#output.push(`<${cell}><${paragraph}></${paragraph}></${cell}>`.repeat(this.#emptyCells))
    this.#emptyCells = 0
  }

  #closeInEquation(equation: { reader: EquationReader; depth: number }): void {
    equation.depth -= 1
    equation.reader.close()
    if (equation.depth > 0) return
    this.#equation = undefined
    const text = equation.reader.end()
    this.#texts += text.length
    this.#writeRun(text)
  }
}
