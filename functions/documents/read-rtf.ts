import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import { addText } from './read-text.ts'
import { characters, charsets, shown, skipped, symbolCharset, toDecoder } from './rtf-words.ts'
import { Flow, type State } from './rtf-flow.ts'
import { LetterLedger } from './letter-ledger.ts'

// Rich Text Format, by the specification of its version 1.9.1. Control words that neither `rtf-words.ts` nor this module names change how a text looks.

const maxDepth = 5_000

class RtfReader {
  readonly #content: string
  /** What stands behind a document is none of it, but some programs close a group too much. */
  readonly #lastParagraph: number
  readonly omissions = new OmissionCounter()
  readonly #ledger = new LetterLedger()
  #at = 0
  #state: State = {
    isSkipped: false,
    destination: '',
    fallback: 1,
    page: 1252,
    isSymbol: false,
    isHidden: false,
    isDeleted: false,
    isStruck: false,
    position: '',
  }
  readonly #stack: State[] = []
  readonly #flows: Flow[] = [new Flow()]
  readonly #fonts = new Map<number, number>()
  readonly #headings = new Map<number, number>()
  readonly #pageParts = new Map<string, Set<string>>()
  #defaultPage = 1252
  #defaultFont = 0
  #font = 0
  #style = 0
  #styleName = ''
  #notes = 0
  #skip = 0
  #bytes: number[] = []
  #isInTable = false
  #instruction = ''
  #author = ''
  #isIgnorable = false
  #isGroupStart = false

  constructor(content: string) {
    this.#content = content
    this.#lastParagraph = content.lastIndexOf('\\par')
  }

  get #flow(): Flow {
    return this.#flows.at(-1) ?? new Flow()
  }

  read(): string {
    const content = this.#content
    while (this.#at < content.length) {
      const character = content[this.#at]
      if (character === '{') this.#open()
      else if (character === '}') {
        this.#close()
        if (this.#stack.length === 0 && this.#at > this.#lastParagraph) break
      } else if (character === '\\') this.#readControl()
      else this.#readText()
    }
    while (this.#stack.length > 0) this.#close()
    this.#flush()
    const list = (kind: string) => [...(this.#pageParts.get(kind) ?? [])]
    const [headers, footers] = [list('header'), list('footer')]
    const given = [...headers, this.#flow.take(), ...footers]
    const settled = this.#ledger.settle(given, this.omissions)
    const title = (text: string, at: number) => {
      if (settled !== given) return text
      if (at < headers.length) return `Page header: ${text}`
      return at > headers.length ? `Page footer: ${text}` : text
    }
    return settled
      .map(title)
      .filter((text) => text !== '')
      .join('\n\n')
  }

  #open(): void {
    this.#flush()
    if (this.#stack.length > maxDepth) throw new DocumentError('unreadable', 'nested too deeply')
    this.#stack.push(this.#state)
    const { end: _, ...state } = this.#state
    this.#state = state
    this.#skip = 0
    this.#isIgnorable = false
    this.#isGroupStart = true
    this.#at += 1
  }

  #close(): void {
    this.#flush()
    const { end } = this.#state
    this.#isGroupStart = false
    this.#at += 1
    const outer = this.#stack.pop()
    end?.()
    if (outer) this.#state = outer
    this.#skip = 0
  }

  #readText(): void {
    const start = this.#at
    const content = this.#content
    let end = start
    while (end < content.length) {
      const code = content.charCodeAt(end)
      if (code === 0x7b || code === 0x7d || code === 0x5c) break
      end += 1
    }
    this.#at = end
    let text = content.slice(start, end).replaceAll(/[\r\n]/g, '')
    // lines end anywhere
    if (text === '') return
    this.#isIgnorable = false
    this.#isGroupStart = false
    const { isSkipped, destination } = this.#state
    if (isSkipped && destination !== 'fldinst' && destination !== 'stylesheet') return
    const skip = Math.min(this.#skip, text.length)
    this.#skip -= skip
    text = text.slice(skip)
    if (text === '') return
    if (destination === 'fldinst') this.#instruction += text
    else if (destination === 'stylesheet') this.#nameStyle(text)
    else if (this.#bytes.length === 0 && /^[ -~]*$/.test(text) && !this.#state.isSymbol) this.#add(text)
    else for (let at = 0; at < text.length; at += 1) this.#bytes.push(text.charCodeAt(at) & 0xff)
  }

  /** The names of headings are the same in all languages; others are a user's. */
  #nameStyle(text: string): void {
    this.#styleName += text
    if (!text.includes(';')) return
    const level = /^\s{0,5}heading (\d)/i.exec(this.#styleName)?.[1]
    if (level !== undefined) this.#headings.set(this.#style, Number(level))
    this.#styleName = ''
  }

  #flush(): void {
    if (this.#bytes.length === 0) return
    const bytes = Uint8Array.from(this.#bytes)
    this.#bytes = []
    if (this.#state.isSymbol) for (const byte of bytes) this.#addSymbol(byte)
    else {
      const text = this.#decode(bytes)
      if (!this.#state.isSkipped) this.omissions.add('damagedCharacters', text.split('\ufffd').length - 1)
      this.#add(text)
    }
  }

  /** Programs name a font of another script for bytes of the document's own code page. */
  #decode(bytes: Uint8Array): string {
    const text = toDecoder(this.#state.page).decode(bytes)
    if (!text.includes('\ufffd')) return text
    const other = toDecoder(this.#defaultPage).decode(bytes)
    return other.includes('\ufffd') ? text : other
  }

  #add(text: string): void {
    const { isSkipped, destination } = this.#state
    if (destination === 'fldinst') this.#instruction += text
    if (isSkipped) return
    this.#ledger.receive(text)
    if (this.#state.isHidden) this.#ledger.write('hidden')
    if (this.#state.isDeleted) this.#ledger.write('deleted')
    this.#flow.add(text, this.#state)
  }

  #addSymbol(byte: number): void {
    if (byte === 0x20) this.#add(' ')
    else if (byte === 0xb7) this.#add('•')
    else if (!this.#state.isSkipped) this.omissions.add('unknown')
  }

  #readControl(): void {
    const content = this.#content
    const next = content[this.#at + 1] ?? ''
    const isGroupStart = this.#isGroupStart
    this.#isGroupStart = false
    if (next === "'") {
      const code = Number.parseInt(content.slice(this.#at + 2, this.#at + 4), 16)
      this.#at += 4
      if (this.#skip > 0) this.#skip -= 1
      else if (!Number.isNaN(code) && !this.#state.isSkipped) this.#bytes.push(code)
      else if (this.#state.destination === 'fldinst') this.#instruction += String.fromCharCode(code)
      return
    }
    if (!/[a-z]/i.test(next)) {
      this.#at += 2
      // elsewhere than at its beginning, it says nothing of the group
      if (next !== '*') this.#readSymbol(next)
      else if (isGroupStart) this.#isIgnorable = true
      return
    }
    let end = this.#at + 1
    while (end < content.length && end - this.#at < 40 && isLetter(content.charCodeAt(end))) end += 1
    const word = content.slice(this.#at + 1, end)
    const number = /^-?\d{1,10}/.exec(content.slice(end, end + 11))?.[0] ?? ''
    end += number.length
    if (content[end] === ' ') end += 1
    this.#at = end
    const value = number === '' ? undefined : Number(number)
    if (word === 'bin') {
      this.#at += Math.max(0, value ?? 0)
      return
    }
    if (word === 'u') return this.#addUnicode(value ?? 0)
    if (this.#skip > 0) {
      this.#skip -= 1
      return
    }
    this.#flush()
    this.#apply(word, value)
    this.#isIgnorable = false
  }

  #readSymbol(symbol: string): void {
    if (this.#skip > 0) {
      this.#skip -= 1
      return
    }
    if (symbol === '\n' || symbol === '\r') {
      this.#apply('par', undefined)
      return
    }
    this.#flush()
    if ('{}\\'.includes(symbol)) this.#add(symbol)
    else if (characters[symbol] !== undefined) this.#add(characters[symbol])
  }

  #addUnicode(value: number): void {
    const code = value < 0 ? value + 65_536 : value
    this.#skip = this.#state.fallback
    if (this.#bytes.length > 0) this.#flush()
    if (code >= 0xe0_00 && code < 0xf9_00) this.#addSymbol(code & 0xff)
    // the specification has 16 bits; some programs write the whole number
    else if (code > 0xff_ff) this.#add(code > 0x10_ff_ff ? '\ufffd' : String.fromCodePoint(code))
    else this.#add(String.fromCharCode(code))
  }

  #divert(write: (text: string) => void): void {
    const flow = new Flow()
    this.#flows.push(flow)
    const wasInTable = this.#isInTable
    this.#isInTable = false
    Object.assign(this.#state, { isHidden: false, position: '' })
    this.#state.end = () => {
      if (this.#flows.at(-1) === flow) this.#flows.pop()
      this.#isInTable = wasInTable
      const text = flow.take().trim()
      if (text !== '') write(text)
    }
  }

  #apply(word: string, value: number | undefined): void {
    const state = this.#state
    if (word === 'ud' && state.destination === 'upr') {
      Object.assign(state, { isSkipped: false, destination: '' })
      return
    }
    if (this.#isIgnorable && !shown.has(word)) {
      Object.assign(state, { isSkipped: true, destination: skipped.has(word) ? word : '' })
      return
    }
    if (Object.hasOwn(characters, word)) this.#add(characters[word] ?? '')
    else if (skipped.has(word)) this.#startSkipped(word)
    else if (Object.hasOwn(this.#words, word)) this.#words[word]?.(value)
    else if (!state.isSkipped && Object.hasOwn(this.#destinations, word)) this.#destinations[word]?.()
  }

  /** What a word does whose text is not left out, or that is about a style or a font. */
  readonly #words: Readonly<Record<string, (value: number | undefined) => void>> = {
    ansicpg: (page = 1252) => (this.#defaultPage = this.#state.page = page),
    pc: () => (this.#defaultPage = this.#state.page = 437),
    pca: () => (this.#defaultPage = this.#state.page = 850),
    mac: () => (this.#defaultPage = this.#state.page = 10000),
    deff: (font = 0) => (this.#defaultFont = font),
    f: (font = 0) => this.#selectFont(font),
    fcharset: (charset = 0) => this.#nameFont(charset),
    cpg: (page = 0) => this.#nameFont(-page),
    uc: (count = 1) => (this.#state.fallback = Math.max(0, count)),
    v: (value) => (this.#state.isHidden = value !== 0),
    deleted: (value) => (this.#state.isDeleted = value !== 0),
    strike: (value) => (this.#state.isStruck = value !== 0),
    striked: (value) => (this.#state.isStruck = value !== 0),
    super: (value) => (this.#state.position = value === 0 ? '' : '^'),
    sub: (value) => (this.#state.position = value === 0 ? '' : '_'),
    up: (value) => (this.#state.position = value === 0 ? '' : '^'),
    dn: (value) => (this.#state.position = value === 0 ? '' : '_'),
    nosupersub: () => (this.#state.position = ''),
    plain: () => {
      Object.assign(this.#state, { isHidden: false, isDeleted: false, isStruck: false, position: '' })
      this.#selectFont(this.#defaultFont)
    },
    pard: () => {
      this.#isInTable = false
      this.#flow.heading = 0
    },
    intbl: () => (this.#isInTable = true),
    outlinelevel: (level = 9) => {
      if (this.#state.destination === 'stylesheet') this.#headings.set(this.#style, level + 1)
      else this.#flow.heading = level < 6 ? level + 1 : 0
    },
    s: (style) => {
      if (this.#state.destination === 'stylesheet') this.#style = style ?? 0
      else this.#flow.heading = Math.min(6, this.#headings.get(style ?? -1) ?? 0)
    },
    par: () => this.#endLine(() => this.#flow.endParagraph(this.#isInTable)),
    cell: () => this.#endLine(() => this.#flow.endCell()),
    row: () => this.#endLine(() => this.#flow.endRow()),
    nestcell: () => this.#add(' | '),
    nestrow: () => this.#add('\n'),
  }

  #endLine(end: () => void): void {
    if (!this.#state.isSkipped) end()
    this.#ledger.endLine()
  }

  #nameFont(charset: number): void {
    if (this.#state.destination === 'fonttbl') this.#fonts.set(this.#font, charset)
  }

  #startSkipped(word: string): void {
    Object.assign(this.#state, { isSkipped: true, destination: word })
    if (word === 'fldinst') this.#instruction = ''
    if (word === 'stylesheet') this.#styleName = ''
  }

  readonly #destinations: Readonly<Record<string, () => void>> = {
    pict: () => {
      this.omissions.add('pictures')
      this.#state.isSkipped = true
    },
    object: () => this.omissions.add('embedded'),
    objattph: () => this.omissions.add('attachments'),
    ...Object.fromEntries(
      ['header', 'footer'].flatMap((kind) =>
        ['', 'l', 'r', 'f'].map((pages) => [`${kind}${pages}`, () => this.#divertPagePart(kind)]),
      ),
    ),
    footnote: () => {
      this.#notes += 1
      this.#divertInto((text) => this.#label(`footnote ${this.#notes}`, text))
    },
    annotation: () =>
      this.#divertInto((text) =>
        this.#label(`comment${this.#author === '' ? '' : ` by ${this.#author}`}`, text),
      ),
    atnauthor: () =>
      this.#divert((text) => {
        this.#author = text
        this.#ledger.drop(text)
      }),
    shptxt: () => this.#divertInto((text) => `\n${text}\n`),
    fldrslt: () => {
      // the instruction of a field stands before its result
      const [, address = ''] =
        /HYPERLINK\s{1,10}(?:\\l\s{1,10})?"?([^"\s]{1,2000})/i.exec(this.#instruction) ?? []
      this.#instruction = ''
      if (!/^[a-z][a-z\d+.-]{1,30}:/i.test(address)) return
      this.#ledger.write(address)
      this.#divertInto((text) =>
        text.includes(address) || address === `mailto:${text}` ? text : `${text} (${address})`,
      )
    },
    // the same text twice; the second is in Unicode
    upr: () => Object.assign(this.#state, { isSkipped: true, destination: 'upr' }),
  }

  /** The first page, and pages on the left, often have the same. */
  #divertPagePart(kind: string): void {
    this.#divert((text) => {
      const known = this.#pageParts.get(kind) ?? new Set()
      if (known.has(text)) this.#ledger.drop(text)
      this.#pageParts.set(kind, known.add(text))
    })
  }

  #label(label: string, text: string): string {
    this.#ledger.write(label)
    return ` [${label}: ${text.replaceAll('\n', ' ')}]`
  }

  #divertInto(write: (text: string) => string): void {
    const outer = { ...this.#state }
    const flow = this.#flow
    this.#divert((text) => flow.add(write(text), { ...outer, position: '' }))
  }

  #selectFont(font: number): void {
    const { destination } = this.#state
    if (destination === 'fonttbl') {
      this.#font = font
      return
    }
    const charset = this.#fonts.get(font) ?? 0
    this.#state.isSymbol = charset === symbolCharset
    this.#state.page = charset < 0 ? -charset : Number(charsets.get(String(charset)) ?? this.#defaultPage)
  }
}

const isLetter = (code: number) => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)

export function readRtf(bytes: Uint8Array): ExtractedText {
  const reader = new RtfReader(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
  )
  const text = new TextCollector()
  addText(text, reader.read())
  return { ...text.end(), ...reader.omissions.list() }
}
