/*
 * A text in Markdown may end within a block that only its own mark ends: a fence, a comment, a formula. Alone it does no harm, but what is
 * joined to it would become a part of that block.
 */

interface OpenBlock {
  /** whether a line ends it; what is before it on the line is removed */
  isEnd: (line: string) => boolean
  mark: string
  /** the column at which the content of its list item begins; such a block ends with the item */
  column: number
}

/** The kinds of HTML blocks that CommonMark does not end at a blank line. */
const htmlBlocks: readonly (readonly [
  start: RegExp,
  end: RegExp,
  mark: (start: RegExpExecArray) => string,
])[] = [
  [
    /^ {0,3}<(script|pre|style|textarea)(?=[\s>]|$)/i,
    /<\/(?:script|pre|style|textarea)>/i,
    ([, tag]) => `</${tag}>`,
  ],
  [/^ {0,3}<!--/, /-->/, () => '-->'],
  [/^ {0,3}<\?/, /\?>/, () => '?>'],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/, () => ']]>'],
  [/^ {0,3}<![A-Za-z]/, />/, () => '>'],
]

/** Tags that begin a block of HTML, which ends at a blank line. */
const blockTags = new Set(
  'address,article,aside,base,basefont,blockquote,body,caption,center,col,colgroup,dd,details,dialog,dir,div,dl,dt,fieldset,figcaption,figure,footer,form,frame,frameset,h1,h2,h3,h4,h5,h6,head,header,hr,html,iframe,legend,li,link,main,menu,menuitem,nav,noframes,ol,optgroup,option,p,param,search,section,summary,table,tbody,td,tfoot,th,thead,title,tr,track,ul'.split(
    ',',
  ),
)
const blockTag = /^ {0,3}<\/?([a-z][a-z\d]*)(?=[ >]|\/>|$)/i
/** Any other tag does so if it is alone on its line, and no line of a paragraph. */
const lonelyTag = /^ {0,3}<(?:\/[a-z][a-z\d-]* {0,9}|[a-z][a-z\d-]*(?: [^<>`]*)?)>$/i

const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const listItem = /^( {0,3}(?:[-+*]|\d{1,9}[.)]))( {1,4}(?! )(?=\S)| {1,}(?=\S)|$)/
/** An item that ends a paragraph above it has text, and the number 1. */
const interruptingItem = /^ {0,3}(?:[-+*]|1[.)]) {1,}\S/
const thematicBreak = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/
const startsBlock = /^ {0,3}(?:#{1,6}(?: |$)|>|<)/

const expandTabs = (line: string): string => {
  let expanded = ''
  for (const character of line.slice(0, 400))
    expanded += character === '\t' ? ' '.repeat(4 - (expanded.length % 4)) : character
  return expanded + line.slice(400)
}

const countIndent = (line: string): number => line.length - line.trimStart().length

function findHtmlBlock(line: string, column: number): OpenBlock | undefined {
  for (const [start, end, mark] of htmlBlocks) {
    const match = start.exec(line)
    if (!match) continue
    const rest = line.slice(match[0].length)
    // "<!-->" is a whole comment, and "<?>" a whole instruction
    const isWhole = /^<!---?>|^<\?>/.test(line.trimStart())
    return isWhole || end.test(rest)
      ? undefined
      : { isEnd: (next) => end.test(next), mark: mark(match), column }
  }
  return undefined
}

function findFence(line: string, column: number): OpenBlock | undefined {
  const mark = fence.exec(line)?.[1]
  if (mark === undefined) return undefined
  const [sign = ''] = mark
  return {
    isEnd: (next) => {
      const text = next.trim()
      return countIndent(next) < 4 && text.length >= mark.length && text === sign.repeat(text.length)
    },
    mark,
    column,
  }
}

/** Reads the lines of a text, and knows what is open behind the last one. */
class OpenBlocks {
  block: OpenBlock | undefined
  inFormula = false
  hiddenTexts = 0
  /** columns at which the content of the list items around the line begins */
  private columns: number[] = []
  private inParagraph = false
  private inHtml = false

  read(written: string): void {
    const line = expandTabs(written)
    const isBlank = line.trim() === ''
    const indent = countIndent(line)
    if (this.block) {
      if (isBlank || indent >= this.block.column) {
        if (this.block.isEnd(line.slice(this.block.column))) this.block = undefined
        return
      }
      this.block = undefined
    }
    if (isBlank) {
      this.inParagraph = false
      this.inHtml = false
      return
    }
    if (this.inHtml && indent >= (this.columns.at(-1) ?? 0)) {
      if (this.columns.length === 0) this.readTags(line)
      return
    }
    this.inHtml = false
    this.readText(line, indent)
  }

  private readText(line: string, indent: number): void {
    const enclosing = this.columns.filter((column) => column <= indent)
    const base = enclosing.at(-1) ?? 0
    let rest = line.slice(base)
    let column = base
    if (base === 0 && rest.trim() === '$$') {
      this.inFormula = !this.inFormula
      this.inParagraph = false
      return
    }
    const continues = this.inParagraph && enclosing.length === this.columns.length
    // the line below a heading
    if (continues && /^ {0,3}(?:-+|=+) *$/.test(rest)) {
      this.inParagraph = false
      return
    }
    const isBlockStart =
      startsBlock.test(rest) ||
      fence.test(rest) ||
      thematicBreak.test(rest) ||
      (continues ? interruptingItem : listItem).test(rest)
    // the text of a paragraph goes on, whatever its indent
    if (this.inParagraph && !isBlockStart) return
    this.columns = enclosing
    if (!this.inParagraph && countIndent(rest) >= 4) return
    for (
      let item = listItem.exec(rest);
      item && !thematicBreak.test(rest) && this.columns.length < 50;
      item = listItem.exec(rest)
    ) {
      const [prefix = '', marker = '', blanks = ''] = item
      // more than four blanks begin indented code in the item
      const width = blanks.length > 4 || prefix.length === rest.length ? marker.length + 1 : prefix.length
      column += width
      this.columns.push(column)
      rest = rest.slice(width)
    }
    const wasInParagraph = this.inParagraph && column === base
    this.inParagraph = false
    if (rest.trim() === '' || countIndent(rest) >= 4) return
    this.block = findFence(rest, column) ?? findHtmlBlock(rest, column)
    if (this.block) return
    if (column === 0) this.readTags(rest)
    const tag = blockTag.exec(rest)?.[1]?.toLowerCase()
    this.inHtml =
      (tag !== undefined && blockTags.has(tag)) || (!wasInParagraph && lonelyTag.test(rest.trimEnd()))
    if (this.inHtml) return
    this.inParagraph = !/^ {0,3}#{1,6}(?: |$)/.test(rest) && !thematicBreak.test(rest)
  }

  /** Browsers hide all that follows `<details>`, though for CommonMark it ends with its line. */
  private readTags(text: string): void {
    for (const [tag] of text.matchAll(/<\/?details\b/gi))
      this.hiddenTexts = Math.max(0, this.hiddenTexts + (tag.startsWith('</') ? -1 : 1))
  }
}

/** Ends what a text leaves open: fences, comments and other HTML, formulas, and `<details>`. A complete text stays as it is. */
export function closeMarkdown(text: string): string {
  if (!/```|~~~|<|\$\$/.test(text)) return text
  const open = new OpenBlocks()
  for (const line of text.split(/\r\n?|\n/)) open.read(line)
  const marks = [
    // a block in a list ends with it
    ...(open.block && open.block.column === 0 ? [open.block.mark] : []),
    ...(open.inFormula ? ['$$'] : []),
  ]
  const end = marks.map((mark) => `\n${mark}`).join('') + '\n\n</details>'.repeat(open.hiddenTexts)
  return end === '' ? text : text.replace(/\n$/, '') + end
}
