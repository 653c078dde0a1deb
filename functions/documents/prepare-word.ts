import { SaxesParser } from 'saxes'
import type { OmissionCounter } from './extracted-text.ts'
import { EquationReader } from './read-equation.ts'
import { readAttribute, runParser, type XmlAttributes } from './read-package.ts'
import type { NumberingReference, WordNumbering } from './word-numbering.ts'

// Rewrites a part of a Word document, so that mammoth finds as text what it leaves out: numbers of list items, equations, tracked
// changes, text boxes. What nothing reads is counted.

/** Namespaces by their usual prefix; the strict format has others. */
const namespaces: Readonly<Record<string, string>> = {
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main': 'w',
  'http://purl.oclc.org/ooxml/wordprocessingml/main': 'w',
  'http://schemas.openxmlformats.org/officeDocument/2006/math': 'm',
  'http://purl.oclc.org/ooxml/officeDocument/math': 'm',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc',
  'urn:schemas-microsoft-com:vml': 'v',
  'http://schemas.openxmlformats.org/drawingml/2006/picture': 'pic',
  'http://purl.oclc.org/ooxml/drawingml/picture': 'pic',
  'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing': 'wp',
  'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing': 'wp',
  'http://schemas.openxmlformats.org/drawingml/2006/chart': 'c',
  'http://purl.oclc.org/ooxml/drawingml/chart': 'c',
  'http://schemas.microsoft.com/office/drawing/2014/chartex': 'c',
  'http://schemas.openxmlformats.org/drawingml/2006/diagram': 'dgm',
  'http://purl.oclc.org/ooxml/drawingml/diagram': 'dgm',
  'urn:schemas-microsoft-com:office:office': 'o',
}

const omitted = {
  'pic:pic': 'pictures',
  'v:imagedata': 'pictures',
  'c:chart': 'charts',
  'dgm:relIds': 'diagrams',
  'o:OLEObject': 'embedded',
  'w:altChunk': 'embedded',
} as const

const changes: Readonly<Record<string, string>> = {
  'w:ins': 'inserted',
  'w:del': 'deleted',
  'w:moveFrom': 'moved from here',
  'w:moveTo': 'moved to here',
}

/** Containers whose tags mammoth does not know, but whose content is text. */
const unwrapped =
  /^(?:mc:AlternateContent|mc:Choice|m:oMathPara|w:drawing|w:bdo|w:dir|w:fldSimple|w:ruby|w:rubyBase|v:.*)$/
/** Earlier formatting, and the second form of what is there already. */
const skipped =
  /^(?:mc:Fallback|w:pPrChange|w:rPrChange|w:tblPrChange|w:trPrChange|w:tcPrChange|w:sectPrChange|w:rt)$/

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
  list: string | undefined
  level: number
}

export interface PrepareOptions {
  numbering?: WordNumbering
  omissions: OmissionCounter
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

  constructor({ numbering, omissions, dropReferences }: PrepareOptions) {
    this.#numbering = numbering
    this.#omissions = omissions
    this.#dropReferences = dropReferences ?? false
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
    if (name === 'w:txbxContent') {
      // mammoth puts what it finds in `w:pict` after the paragraph
      element.inDrawing = false
      element.tag = written
      this.#output.push(`<${this.#tag('pict')}><${written}>`)
      return element
    }
    if (element.inDrawing) {
      if (name === 'wp:docPr') this.#writePictureText(attributes)
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
    if (unwrapped.test(name)) return element
    if (name === 'w:p')
      this.#paragraphs.push({ label: this.#takeRowLabel(), style: '', list: undefined, level: 0 })
    else if (name !== 'w:pPr' && parent?.name === 'w:p') this.#beginRuns()
    element.tag = name === 'w:delText' ? this.#tag('t') : written
    const start = this.#writeStart(element.tag, attributes)
    if (this.#open.length === 0) this.#rootTag = start
    return element
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
    const text = readAttribute(attributes, 'descr').trim()
    const content = this.#tag('t')
    if (text !== '')
      this.#output.push(`<${content} xml:space="preserve">${escapeXml(`[picture: ${text}]`)}</${content}>`)
  }

  /** Notes the style and the list of the current paragraph. */
  #readProperties(name: string, parent: OpenElement | undefined, attributes: XmlAttributes): void {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph) return
    const value = readAttribute(attributes, 'val')
    if (name === 'w:pStyle') paragraph.style = value
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
    if (!element || element.tag === '') return
    if (element.name === 'w:t' || element.name === 'w:delText') this.#texts += text.length
    this.#output.push(escapeXml(text))
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
    }
    if (element.tag !== '') this.#output.push(`</${element.tag}>`)
    if (element.name === 'w:trPr') this.#writeEmptyCells()
    if (element.name === 'w:txbxContent') this.#output.push(`</${this.#tag('pict')}>`)
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
