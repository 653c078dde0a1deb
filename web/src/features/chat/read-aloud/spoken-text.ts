import { fullWidthPunctuation } from '../../../lib/text/characters.ts'
import { numberItems } from '../markdown/serialize-dom.ts'
import { toSuperscript } from '../markdown/superscript.ts'

/** Elements that are not read: buttons and labels, code, pictures. */
const unread = '[data-not-copied], pre, button, svg, img, iframe, input, rp, rt, .sr-only, .select-none'

const blockTags = new Set(
  'BLOCKQUOTE,DETAILS,DIV,H1,H2,H3,H4,H5,H6,HR,LI,OL,P,PRE,SECTION,SUMMARY,TABLE,TBODY,TD,TH,THEAD,TR,UL'.split(
    ',',
  ),
)

/** The number of a source, or of a footnote. */
const citation = /^\s*[[(]?\d{1,3}[\])]?\s*$/

/** Reads the blocks of a rendered reply as they are spoken: paragraphs, list items with their numbers, table cells. */
export function readRenderedReply(reply: Element): string[] {
  const blocks: string[] = []
  let inline = ''
  let number = ''
  const endBlock = () => {
    const text = clean(inline)
    inline = ''
    if (!isSpoken(text)) return
    blocks.push(number + text)
    number = ''
  }
  const readChildren = (parent: Element) => {
    const items = [...parent.children].filter((child) => child instanceof HTMLLIElement)
    const numbers = parent instanceof HTMLOListElement ? numberItems(parent, items) : []
    let item = 0
    for (const child of parent.childNodes) {
      if (child.nodeName === 'LI') number = parent.nodeName === 'OL' ? `${numbers[item++]}. ` : ''
      readNode(child)
    }
  }
  function readNode(node: Node): void {
    if (node.nodeType === Node.TEXT_NODE) inline += node.nodeValue ?? ''
    if (!(node instanceof Element)) return
    const math = node.matches('.katex') ? node.querySelector('math') : undefined
    if (math) inline += ` ${readFormula(math)} `
    else if (node.matches('sup:not(:has(a))') && toSuperscript(node.textContent) !== undefined)
      inline += toSuperscript(node.textContent)
    else if (node.nodeName === 'BR') inline += '\n'
    else if (node.matches(unread)) {
      if (blockTags.has(node.nodeName)) endBlock()
    } else if (node.nodeName === 'A' && citation.test(node.textContent)) return
    else if (blockTags.has(node.nodeName)) {
      endBlock()
      readChildren(node)
      endBlock()
    } else readChildren(node)
  }
  readNode(reply)
  endBlock()
  return blocks
}

/** A link or an image, of which only the text is spoken. */
const markdownLink = /!?\[([^\][\n]{0,500})\]\([^()\s]{0,2000}\)/g

/** Reads the blocks of a reply that is still shown as plain text, without code and most marks of Markdown. */
export const readPlainText = (text: string): string[] =>
  text
    .split(/^[ \t]{0,3}(?:```|~~~).*$/m)
    .filter((_, index) => index % 2 === 0)
    .flatMap((part) => part.split(/\n\s*\n|\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])/))
    .map((block) =>
      clean(
        block
          .replaceAll(/^[ \t]*[-*+>|#]+[ \t]+/gm, '')
          .replaceAll(markdownLink, '$1')
          .replaceAll(/[*_`|~]/g, ''),
      ),
    )
    .filter(isSpoken)

/** Whether a text has something that a voice can say. */
export const isSpoken = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** A URL, of which only the host is spoken. Punctuation at its end belongs to the sentence and stays. */
const urlPattern = new RegExp(
  String.raw`\bhttps?:\/\/(?:www\.)?([^\s/?#<>"»)\]${fullWidthPunctuation}]{1,253})([^\s<>"»${fullWidthPunctuation}]{0,2000})`,
  'gi',
)
const sentenceEnd = /[.,;:!?…)\]]{1,10}$/

/** Emoji and their modifiers (but not © ® ™), box-drawing characters, and characters of private fonts. */
const pictographs =
  // oxlint-disable-next-line no-misleading-character-class -- parts of pictographs are meant
  /(?![©®™])\p{Extended_Pictographic}|[\p{Emoji_Modifier}\p{Regional_Indicator}\p{Co}\u200d\ufe0e\ufe0f\u20e3\u2500-\u25ff•]/gu
const drawnLines = /[-=_*~#·]{3,}/g
const arrows = /\s{0,10}(?:[→⇒⟶➔➜]|[-=]>)\s*/g
/** A line end within a sentence. */
const softLineEnd = /(?<=[^\p{P}\s])[ \t]*\n\s*(?=\p{Ll})/gu

const clean = (text: string): string =>
  text
    .replaceAll(urlPattern, (whole: string, host: string, rest: string) => {
      const end = sentenceEnd.exec(rest || whole)?.[0] ?? ''
      return host.replace(sentenceEnd, '') + end
    })
    .replaceAll(arrows, ', ')
    .replaceAll(pictographs, ' ')
    .replaceAll(drawnLines, ' ')
    .replaceAll('\\', ' ')
    .replaceAll(softLineEnd, ' ')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ (?=[.,;:!?…])/g, '')
    .trim()

/** Operators of MathML that have no sign, such as the one between factors. */
const invisible = /[\u2061-\u2064]/g

const isSimple = (text: string) => /^[\p{L}\p{N}.,]*$/u.test(text)
const wrap = (text: string) => (isSimple(text) ? text : `(${text})`)

function raise(base: string, exponent: string): string {
  if (/^[′″‴*∗†]+$/u.test(exponent)) return base + exponent
  const signs = toSuperscript(exponent)
  return signs === undefined ? `${base} ^ ${wrap(exponent)}` : base + signs
}

/**
 * Writes a formula in one line, with signs that voices read in their own language: `a ÷ b`, `x²`, `√(x + 1)`.
 * @param node an element of MathML, as KaTeX writes it
 */
function readFormula(node: Element): string {
  const parts = [...node.childNodes].map((child) =>
    child instanceof Element ? readFormula(child) : (child.nodeValue ?? ''),
  )
  const [first = '', second = '', third = ''] = parts
  switch (node.localName) {
    // without the source, a frame, or an accent
    case 'semantics':
    case 'menclose':
    case 'mover':
      return first
    case 'munder':
      return second.trim() === '' ? first : `${first} ${second}`
    case 'annotation':
    case 'mphantom':
    case 'mspace':
      return ' '
    case 'mi':
    case 'mn':
    case 'mtext':
      return node.textContent.replaceAll(invisible, '')
    case 'mo': {
      const sign = node.textContent.replaceAll(invisible, '')
      return /^[()[\]{}|,.!'′]?$/.test(sign) ? sign : ` ${sign} `
    }
    case 'mfrac': {
      const isNumber = /^\d+$/.test(first) && /^\d+$/.test(second)
      return isNumber ? `${first}/${second}` : `${wrap(first)} ÷ ${wrap(second)}`
    }
    case 'msup':
      return raise(wrap(first), second.trim())
    case 'msub':
      return `${first} ${second}`
    case 'msubsup':
    case 'munderover':
      return `${raise(`${first} ${second}`, third.trim())} `
    case 'msqrt':
      return `√${wrap(parts.join('').trim())}`
    case 'mroot':
      return `${raise('', second.trim()).trim()}√${wrap(first)}`
    case 'mtable':
      return parts.join(', ')
    case 'mtr':
      return parts.join(' ')
    default:
      return parts.join('')
  }
}
