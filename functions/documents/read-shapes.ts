import { truncate } from '#shared/truncate.ts'
import { decodeSymbols } from './symbol-fonts.ts'
import type { OmissionCounter } from './extracted-text.ts'
import { addLink, formatRuns, type TextRun } from './format-runs.ts'
import { formatChart, readChart } from './read-chart.ts'
import { readDiagram } from './read-diagram.ts'
import { EquationReader } from './read-equation.ts'
import {
  isOn,
  parseXml,
  readAttribute,
  readRelationshipId,
  type Relationship,
  type XmlAttributes,
} from './read-package.ts'
import { LetterLedger } from './letter-ledger.ts'
import { formatTable } from './write-table.ts'
import { sortShapes, type Box } from './shape-order.ts'

const omitted = { oleObj: 'embedded', videoFile: 'media', audioFile: 'media' } as const

interface Table {
  rows: string[][]
  isCovered: boolean
}

type LevelStyles = Map<number, Pick<TextRun, 'isStruck' | 'position'>>

export interface Placeholder {
  box: Box | undefined
  levels: LevelStyles
}
/** By `idx` and by type of the placeholder. */
export type Placeholders = ReadonlyMap<string, Placeholder>

interface Connector {
  from: string
  to: string
  isBackward: boolean
  isForward: boolean
}

interface Shape {
  id: string
  connector: Connector | undefined
  box: Box | undefined
  isTitle: boolean
  isHidden: boolean
  isSkipped: boolean
  href: string | undefined
  description: string
  isPicture: boolean
  blocks: string[]
  shapes: Shape[]
  placeholder: Placeholder | undefined
  levels: LevelStyles
}

/** A shape whose text is not content: the number of the slide, the picture of the slide in its notes. */
const isDecoration = (type: string) => /^(sldNum|sldImg)$/.test(type)
const isFileName = (text: string) => /^\S{1,200}\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)$/i.test(text)

export function describeShape(description: string, isPicture: boolean): string {
  const text = description.replaceAll(/\s+/g, ' ').trim()
  return text === '' || isFileName(text) ? '' : `[${isPicture ? 'picture' : 'alternative text'}: ${text}]`
}

const hasArrow = (attributes: XmlAttributes) => !/^(?:none)?$/.test(readAttribute(attributes, 'type'))

const readStyle = (attributes: XmlAttributes): Pick<TextRun, 'isStruck' | 'position'> => {
  const baseline = readAttribute(attributes, 'baseline')
  const strike = readAttribute(attributes, 'strike')
  const shift = Number.parseFloat(baseline)
  return {
    ...(strike !== '' && { isStruck: strike !== 'noStrike' }),
    ...(baseline !== '' && { position: shift > 0 ? '^' : shift < 0 ? '_' : undefined }),
  }
}

function listBlocks(shapes: readonly Shape[], isRightToLeft: boolean, omissions: OmissionCounter): string[] {
  const findBox = (shape: Shape) => shape.box ?? shape.placeholder?.box
  return sortShapes(shapes, findBox, isRightToLeft).flatMap((shape) => {
    if (shape.isSkipped) return []
    const blocks = [...shape.blocks, ...listBlocks(shape.shapes, isRightToLeft, omissions)]
    const description = describeShape(shape.description, shape.isPicture)
    // charts have their title there, and some programs their text
    if (description !== '' && !blocks.some((block) => block.includes(shape.description.trim())))
      blocks.push(description)
    if (shape.href) {
      const last = blocks.pop()
      blocks.push(last === undefined ? `[link: ${shape.href}]` : addLink(last, shape.href))
    }
    if (!shape.isHidden || blocks.length === 0) return blocks
    omissions.note('hidden')
    return [`[hidden: ${blocks.join('\n')}]`]
  })
}

export interface ShapeOptions {
  onlyBody?: boolean
  related?: readonly Relationship[]
  tryRead?: <Result>(path: string, read: (part: Uint8Array) => Result) => Result | undefined
  placeholders?: Placeholders
  isRightToLeft?: boolean
}

/** @returns a block for each shape, table, chart or diagram, from the top to the bottom */
export function readShapes(
  part: Uint8Array,
  omissions: OmissionCounter,
  options: ShapeOptions = {},
): string[] {
  const reader = new ShapeReader(omissions, options)
  const shapes = reader.read(part)
  const names = nameShapes(shapes)
  const connections = reader.connectors.flatMap(({ from, to, isBackward, isForward }) => {
    const [first, last] = [names.get(from), names.get(to)]
    if (!first || !last) return []
    if (isBackward && isForward) return [`${first} ↔ ${last}`]
    return [isBackward ? `${last} → ${first}` : `${first} → ${last}`]
  })
  const blocks = listBlocks(shapes, options.isRightToLeft ?? false, omissions)
  const given = reader.ledger.settle(blocks, omissions)
  return [...given, ...(connections.length > 0 ? [connections.join('\n')] : [])]
}

const maxNameCharacters = 80

function nameShapes(shapes: readonly Shape[], names = new Map<string, string>()): Map<string, string> {
  for (const { id, blocks, shapes: inner, isSkipped, isHidden } of shapes) {
    nameShapes(inner, names)
    const [text = ''] = [...blocks, ...inner.flatMap((one) => one.blocks)]
    const [line = ''] = text.trim().split('\n', 1)
    if (!isSkipped && !isHidden) names.set(id, truncate(line, maxNameCharacters))
  }
  return names
}

export function readPlaceholders(
  part: Uint8Array,
  omissions: OmissionCounter,
  placeholders: Placeholders,
): Map<string, Placeholder> {
  const reader = new ShapeReader(omissions, { placeholders })
  reader.read(part)
  return reader.found
}

class ShapeReader {
  readonly found = new Map<string, Placeholder>()
  readonly connectors: Connector[] = []
  readonly ledger = new LetterLedger()
  readonly #omissions: OmissionCounter
  readonly #options: ShapeOptions
  readonly #root: Shape[] = []
  readonly #shapes: Shape[] = []
  readonly #tables: Table[] = []
  #paragraphs: string[] = []
  #runs: TextRun[] = []
  #prefix = ''
  #run: TextRun = { text: '' }
  #font = ''
  #symbolFont = ''
  #inText = false
  #inRunProperties = false
  #embedDepth = 0
  #skipDepth = 0
  #equation: { reader: EquationReader; depth: number } | undefined
  #numbers: number[] = []
  #level = 0
  #styleLevel: number | undefined

  constructor(omissions: OmissionCounter, options: ShapeOptions) {
    this.#omissions = omissions
    this.#options = options
  }

  read(part: Uint8Array): Shape[] {
    parseXml(part, {
      open: (name, attributes) => this.#open(name, attributes),
      text: (text) => this.#text(text),
      close: (name) => this.#close(name),
    })
    return this.#root
  }

  get #shape(): Shape | undefined {
    return this.#shapes.at(-1)
  }

  #pushShape(isPicture = false, connector?: Connector): void {
    const shape: Shape = {
      id: '',
      connector,
      box: undefined,
      isTitle: false,
      isHidden: false,
      isSkipped: false,
      href: undefined,
      description: '',
      isPicture,
      blocks: [],
      shapes: [],
      placeholder: undefined,
      levels: new Map(),
    }
    // deeper groups than any program makes are read as one
    const parent = this.#shapes.length < maxGroups ? this.#shape : this.#shapes[maxGroups - 1]
    ;(parent?.shapes ?? this.#root).push(shape)
    this.#shapes.push(shape)
  }

  #addBlock(text: string): void {
    if (text.trim() === '') return
    const isOutside = this.#shapes.length === 0
    if (isOutside) this.#pushShape()
    this.#shapes.at(-1)?.blocks.push(text)
    if (isOutside) this.#shapes.pop()
  }

  #endBlock(): void {
    this.#addBlock(this.#paragraphs.join('\n'))
    this.#paragraphs = []
  }

  #findLink(attributes: XmlAttributes): string | undefined {
    const id = readRelationshipId(attributes)
    const link = this.#options.related?.find((one) => one.id === id)
    return link?.path === '' ? link.target : undefined
  }

  #readRelated(id: string, what: 'charts' | 'diagrams', read: (part: Uint8Array) => string): void {
    const { related = [], tryRead } = this.#options
    const path = related.find((one) => one.id === id)?.path ?? ''
    const text = path === '' ? '' : (tryRead?.(path, read) ?? '')
    if (text === '') this.#omissions.add(what)
    else this.#addBlock(text)
    this.ledger.write(text)
  }

  #open(name: string, attributes: XmlAttributes): void {
    // the same content again, for programs that do not know the first form
    if (this.#skipDepth > 0 || name === 'Fallback') {
      this.#skipDepth += 1
      return
    }
    if (this.#equation) {
      this.#equation.depth += 1
      this.#equation.reader.open(name, attributes)
      return
    }
    this.#inText = name === 't'
    if (Object.hasOwn(omitted, name)) this.#omissions.add(omitted[name as keyof typeof omitted])
    const level = /^lvl([1-9])pPr$/.exec(name)?.[1]
    if (level !== undefined) this.#styleLevel = Number(level) - 1
    if (Object.hasOwn(this.#elements, name)) this.#elements[name]?.(attributes)
  }

  readonly #elements: Readonly<Record<string, (attributes: XmlAttributes) => void>> = {
    pic: () => {
      // the picture of an object is its preview
      if (this.#embedDepth === 0) this.#omissions.add('pictures')
      this.#pushShape(true)
    },
    oleObj: () => (this.#embedDepth += 1),
    ...Object.fromEntries(['sp', 'grpSp', 'graphicFrame'].map((name) => [name, () => this.#pushShape()])),
    cxnSp: () => {
      const connector = { from: '', to: '', isBackward: false, isForward: false }
      this.#pushShape(false, connector)
      this.connectors.push(connector)
    },
    stCxn: (attributes) => this.#connect({ from: readAttribute(attributes, 'id') }),
    endCxn: (attributes) => this.#connect({ to: readAttribute(attributes, 'id') }),
    headEnd: (attributes) => this.#connect({ isBackward: hasArrow(attributes) }),
    tailEnd: (attributes) => this.#connect({ isForward: hasArrow(attributes) }),
    cNvPr: (attributes) => {
      const shape = this.#shape
      if (!shape || this.#embedDepth > 0) return
      shape.id ||= readAttribute(attributes, 'id')
      shape.description ||= readAttribute(attributes, 'descr')
      shape.isHidden = isOn(readAttribute(attributes, 'hidden'))
      this.ledger.write(`[hidden: [alternative text: [picture: ${shape.description}`)
    },
    ph: (attributes) => this.#readPlaceholder(attributes),
    off: (attributes) => {
      const [x, y] = ['x', 'y'].map((name) => Number(readAttribute(attributes, name)) || 0) as [
        number,
        number,
      ]
      if (this.#shape) this.#shape.box ??= { x, y, height: 0 }
    },
    ext: (attributes) => {
      if (this.#shape?.box?.height === 0)
        this.#shape.box.height = Number(readAttribute(attributes, 'cy')) || 0
    },
    chart: (attributes) =>
      this.#readRelated(readRelationshipId(attributes), 'charts', (part) =>
        formatChart(readChart(part, this.#omissions)),
      ),
    relIds: (attributes) =>
      this.#readRelated(readAttribute(attributes, 'dm'), 'diagrams', (part) => readDiagram(part).join('\n')),
    // within texts
    oMath: () => (this.#equation = { reader: new EquationReader(), depth: 1 }),
    txBody: () => (this.#numbers = []),
    p: () => {
      this.#runs = []
      this.#prefix = ''
      this.#level = 0
    },
    pPr: (attributes) => {
      this.#level = Math.min(8, Math.max(0, Number(readAttribute(attributes, 'lvl')) || 0))
      this.#prefix = '  '.repeat(this.#level)
    },
    buAutoNum: (attributes) => {
      if (this.#styleLevel !== undefined) return
      this.#numbers = this.#numbers.slice(0, this.#level + 1)
      const before = this.#numbers[this.#level] ?? (Number(readAttribute(attributes, 'startAt')) || 1) - 1
      this.#numbers[this.#level] = before + 1
      this.#prefix += `${before + 1}. `
      this.ledger.write(this.#prefix)
    },
    r: () => this.#beginRun(),
    fld: () => this.#beginRun(),
    defRPr: (attributes) => {
      if (this.#styleLevel !== undefined) this.#shape?.levels.set(this.#styleLevel, readStyle(attributes))
    },
    rPr: (attributes) => {
      this.#inRunProperties = true
      Object.assign(this.#run, readStyle(attributes))
    },
    latin: (attributes) => {
      if (this.#inRunProperties) this.#font = readAttribute(attributes, 'typeface')
    },
    sym: (attributes) => {
      if (this.#inRunProperties) this.#symbolFont = readAttribute(attributes, 'typeface')
    },
    hlinkClick: (attributes) => this.#addLink(attributes),
    hlinkMouseOver: (attributes) => this.#addLink(attributes),
    br: () => this.#runs.push({ text: '\n' }),
    tbl: () => {
      this.#endBlock()
      this.#tables.push({ rows: [], isCovered: false })
    },
    tr: () => this.#tables.at(-1)?.rows.push([]),
    tc: (attributes) => {
      const table = this.#tables.at(-1)
      if (table) table.isCovered = ['hMerge', 'vMerge'].some((name) => isOn(readAttribute(attributes, name)))
      this.#paragraphs = []
    },
  }

  #connect(end: Partial<Connector>): void {
    if (this.#shape?.connector) Object.assign(this.#shape.connector, end)
  }

  #beginRun(): void {
    const { levels, placeholder } = this.#shape ?? {}
    const style = levels?.get(this.#level) ?? placeholder?.levels.get(this.#level)
    this.#run = { text: '', ...style }
    this.#font = ''
    this.#symbolFont = ''
  }

  #addLink(attributes: XmlAttributes): void {
    const href = this.#findLink(attributes)
    if (href === undefined) return
    this.ledger.write(`[link: ${href}]`)
    if (this.#inRunProperties) this.#run.href ??= href
    else if (this.#shape) this.#shape.href ??= href
  }

  #readPlaceholder(attributes: XmlAttributes): void {
    const shape = this.#shape
    if (!shape) return
    const type = readAttribute(attributes, 'type')
    const index = readAttribute(attributes, 'idx')
    shape.isSkipped = this.#options.onlyBody ? type !== 'body' : isDecoration(type)
    shape.isTitle = /^(?:title|ctrTitle)$/.test(type)
    const names = [...(index === '' ? [] : [`idx ${index}`]), type === 'ctrTitle' ? 'title' : type || 'body']
    for (const name of names) shape.placeholder ??= this.#options.placeholders?.get(name)
    for (const name of names) if (!this.found.has(name)) this.found.set(name, shape)
  }

  #text(text: string): void {
    if (this.#skipDepth > 0) return
    if (this.#equation) this.#equation.reader.text(text)
    else if (this.#inText) this.#run.text += text
  }

  #close(name: string): void {
    if (this.#skipDepth > 0) {
      this.#skipDepth -= 1
      return
    }
    if (this.#equation) {
      this.#equation.depth -= 1
      this.#equation.reader.close()
      if (this.#equation.depth > 0) return
      const text = this.#equation.reader.end()
      this.ledger.write(text)
      this.#runs.push({ text })
      this.#equation = undefined
      return
    }
    this.#inText = false
    if (/^lvl[1-9]pPr$/.test(name)) this.#styleLevel = undefined
    if (Object.hasOwn(this.#ends, name)) this.#ends[name]?.()
  }

  readonly #ends: Readonly<Record<string, () => void>> = {
    rPr: () => (this.#inRunProperties = false),
    t: () => {
      const text = decodeSymbols(this.#run.text, this.#font, this.#symbolFont || this.#font)
      if (!this.#tables.at(-1)?.isCovered && !this.#shapes.some(({ isSkipped }) => isSkipped))
        this.ledger.receive(text)
      this.#runs.push({ ...this.#run, text })
      this.#run.text = ''
    },
    p: () => {
      const text = formatRuns(this.#runs)
      this.ledger.endLine()
      if (text.trim() !== '') this.#paragraphs.push(`${this.#prefix}${text}`.trimEnd())
      this.#runs = []
    },
    txBody: () => {
      if (this.#tables.length === 0) this.#endBlock()
    },
    tc: () => {
      const table = this.#tables.at(-1)
      table?.rows.at(-1)?.push(table.isCovered ? '' : this.#paragraphs.join('\n'))
      this.#paragraphs = []
    },
    tbl: () => {
      const table = this.#tables.pop()
      if (table?.rows.some((row) => row.some((cell) => cell !== '')))
        this.#addBlock(formatTable(table.rows).replace(/\n$/, ''))
    },
    oleObj: () => (this.#embedDepth -= 1),
    ...Object.fromEntries(
      ['sp', 'grpSp', 'cxnSp', 'graphicFrame', 'pic'].map((name) => [name, () => this.#endShape()]),
    ),
  }

  #endShape(): void {
    const shape = this.#shapes.pop()
    // what follows takes the place of its placeholder
    if (shape) shape.box ??= shape.placeholder?.box ?? shape.shapes.find(({ box }) => box)?.box
  }
}

const maxGroups = 50
