import { findSpacedUrl } from './extensions/spaced-urls.ts'
import { createPlaceholder, type HiddenPart } from './math-placeholders.ts'
import { markCharacters } from './source-marks.ts'

/** A text whose formulas, in which `_` and `*` are no emphasis, and some other parts are hidden from the parser of Markdown. */
export interface ExtractedMath {
  /** the text with a placeholder for each of them */
  markdown: string
  hiddenParts: readonly HiddenPart[]
  /** offset of a formula of several lines that has no end yet, if there is one */
  openFrom?: number
}

/** Longer TeX would take too long to draw, and stays text. */
const maxTexCharacters = 4_000

/** The environments of KaTeX, and two that `toKatexSource` replaces. They need no delimiters. */
const environments = new Set(
  'align,aligned,alignat,alignedat,array,bmatrix,Bmatrix,cases,CD,darray,eqnarray,equation,gather,gathered,matrix,multline,pmatrix,rcases,smallmatrix,split,vmatrix,Vmatrix'.split(
    ',',
  ),
)

/** What may begin a formula, or is hidden from the parser for another reason. */
const openers = new RegExp(
  String.raw`\\\\|\\\$|[${markCharacters}]|\\[[(]|\\begin\{(?<environment>[A-Za-z]{2,12}\*?)\}|\\(?<reference>eqref|ref)\{(?<label>[^{}\n]{1,80})\}|\$\$?|\]\(`,
  'g',
)
const markCharacter = new RegExp(`^[${markCharacters}]$`)
const mayHaveOpener = new RegExp(String.raw`[$\\${markCharacters}]|\]\(`)

type Opener = '$' | '$$' | '\\[' | '\\('
/** The delimiters that end a formula, by those that begin it. */
const closers = { $: '$', $$: '$$', '\\[': '\\]', '\\(': '\\)' } as const

/** A formula that was looked for: its content, and the offset after it; `open` if it may still be being written; undefined if it is none. */
type FormulaEnd = { content: string; end: number } | 'open' | undefined

/** How much of a line beside a formula decides about it. All of a long line would be read again for each of its formulas. */
const maxContextCharacters = 200

/** A line with a fence of code, at which every formula ends. */
const endsCode = /\n[ \t]*~~~/
const isBlankLine = /^\n[ \t]*$/

/** Removes the `>` of quotes from all lines of a text but its first; further `>` are relations. @param depth the number of quotes */
const removeQuoteMarks = (text: string, depth: number) =>
  depth === 0
    ? text
    : text.replace(/\n[ \t]*>[ \t>]*/g, (marks) => {
        const parts = marks.split('>')
        const rest = parts.slice(Math.min(depth, parts.length - 1)).join('>')
        return `\n${rest.replace(/^[ \t]/, '')}`
      })

/** Counts the quotes around what follows on a line. @param before the text before it */
export const countQuotes = (before: string) =>
  before.slice(0, before.search(/[^\s>*+\-\d.)]|$/)).replaceAll(/[^>]/g, '').length

/** How many `$` a formula in one line may have in its braces. A limit, so that the time grows with the text alone. */
const maxInnerDollars = 8

/**
 * Finds the end of a formula: at the next delimiter of its kind, or of one that ends like it. So no text is scanned more often than a few times:
 * for backslashes, for `$$` and for `$`. A `$` in the braces of a command is a part of the formula, unless it then has no end: `\text{if $x$}`.
 * A formula also ends at a backtick (code is not a formula), and at a blank line unless its delimiters
 * have lines of their own.
 */
function findEnd(
  source: string,
  from: number,
  closer: (typeof closers)[Opener],
  options: { mayHaveGaps: boolean; quotes: number },
): FormulaEnd {
  const end = scanForEnd(source, from, closer, { ...options, innerDollars: maxInnerDollars })
  return end === undefined && closer === '$'
    ? scanForEnd(source, from, closer, { ...options, innerDollars: 0 })
    : end
}

function scanForEnd(
  source: string,
  from: number,
  closer: (typeof closers)[Opener],
  {
    mayHaveGaps,
    quotes,
    innerDollars,
  }: {
    mayHaveGaps: boolean
    quotes: number
    /** how many `$` in the braces of commands belong to a formula between single ones */
    innerDollars: number
  },
): FormulaEnd {
  const limit = Math.min(source.length, from + maxTexCharacters)
  let depth = 0
  let innerCount = 0
  let hasCommand = false
  for (let at = from; at < limit; at += 1) {
    const character = source[at]
    if (character === '`') return undefined
    if (character === '{') depth += 1
    if (character === '}') depth -= 1
    if (character === '\\') {
      const next = source[at + 1] ?? ''
      const pair = character + next
      if (next === '`') return undefined
      if (pair === closer) return { content: source.slice(from, at), end: at + 2 }
      if (closer.startsWith('\\') && '[]()'.includes(next) && next !== '') return undefined
      hasCommand = true
      at += next === '\n' ? 0 : 1
    } else if (character === '$' && closer.startsWith('$')) {
      // a formula in the text of a formula: `\text{if $x > 0$}`
      if (closer === '$$' && depth > 0 && source[at + 1] !== '$') continue
      if (closer === '$' && depth > 0 && hasCommand && innerCount < innerDollars) {
        innerCount += 1
        continue
      }
      // the first half of `$$`, of which the second is not written yet
      if (closer === '$$' && at > from && at === source.length - 1) return 'open'
      if (!source.startsWith(closer, at) || at === from) return undefined
      return { content: source.slice(from, at), end: at + closer.length }
    } else if (character === '\n') {
      if (closer === '$') return undefined
      const lineEnd = source.indexOf('\n', at + 1)
      const line = removeQuoteMarks(
        source.slice(at, Math.min(lineEnd < 0 ? limit : lineEnd, at + maxContextCharacters)),
        quotes,
      )
      if (endsCode.test(line)) return undefined
      // the last line may still be written
      if (!mayHaveGaps && lineEnd >= 0 && isBlankLine.test(line)) return undefined
    }
  }
  return limit === source.length && closer !== '$' ? 'open' : undefined
}

const hasGap = (text: string) => /\n[ \t]*\n/.test(text)
/** Whether a text has a heading, a table or a phrase, which no formula has between its lines. */
const looksLikeMarkdown = (text: string): boolean =>
  /[A-Za-z]{3}[,;]? [A-Za-z]{2,} [A-Za-z]{2}/.test(text) ||
  text.split('\n').some((line) => /^(?:#{1,6} |\|)/.test(line.trimStart()))

/** Removes the `>` of quotes, and blank lines. @param quotes how many quotes are around the formula */
export const cleanTex = (tex: string, quotes: number) =>
  removeQuoteMarks(tex, quotes)
    .replace(/\n[ \t]*(?=\n)/g, '')
    .trim()

/** Whether a text before a formula has nothing but marks of lists and quotes. */
const isBare = (before: string) => before.length < maxContextCharacters && /^[\s>*+\-\d.)]*$/.test(before)

/** Finds the formulas of a text, and what else is hidden, in one pass, and replaces them by placeholders. */
class MathScanner {
  readonly hiddenParts: HiddenPart[] = []
  openFrom: number | undefined
  private markdown = ''
  private copied = 0
  private lineStart = 0
  /** the end of the line that was looked at last */
  private lineEnd = -1
  /** offset of the next `\end` of each environment; -1 if there is none */
  private readonly nextEnd = new Map<string, number>()
  private readonly source: string

  constructor(source: string) {
    this.source = source
  }

  scan(): ExtractedMath {
    const { source } = this
    openers.lastIndex = 0
    for (let match = openers.exec(source); match; match = openers.exec(source)) {
      for (
        let end = this.findLineEnd(this.lineStart);
        end < match.index;
        end = this.findLineEnd(this.lineStart)
      )
        this.lineStart = end + 1
      openers.lastIndex = this.read(match, match.index + match[0].length)
    }
    const markdown = this.markdown + source.slice(this.copied)
    return {
      markdown,
      hiddenParts: this.hiddenParts,
      ...(this.openFrom !== undefined && { openFrom: this.openFrom }),
    }
  }

  /** Finds the end of a line. The result is kept, because a line may have many formulas. */
  private findLineEnd(from: number): number {
    if (this.lineEnd >= from && this.lineStart <= from) return this.lineEnd
    const end = this.source.indexOf('\n', from)
    this.lineEnd = end < 0 ? this.source.length : end
    return this.lineEnd
  }

  /** Reads what a match of `openers` may begin. @returns the offset at which the scan goes on */
  private read(match: RegExpExecArray, after: number): number {
    const [opener] = match
    const start = match.index
    const { environment, reference, label } = match.groups ?? {}
    if (opener === '\\\\' || opener === '\\$') return after
    if (markCharacter.test(opener)) return this.hide(start, after, { tex: '', displayMode: false })
    if (opener === '](') {
      const end = findSpacedUrl(this.source, after)
      return end === undefined ? after : this.hide(after, end, { tex: '', displayMode: false })
    }
    if (reference !== undefined && label !== undefined) {
      const text = reference === 'eqref' ? `(${formatLabel(label)})` : formatLabel(label)
      return this.hide(start, after, { tex: '', displayMode: false, text })
    }
    if (environment !== undefined) return this.readEnvironment(start, after, environment)
    return this.readDelimited(start, after, opener as Opener)
  }

  private readDelimited(start: number, after: number, opener: Opener): number {
    const { source } = this
    if (opener === '$' && /[\w$]/.test(source[start - 1] ?? '')) return after
    const closer = closers[opener]
    const isBlock = opener === '$$' || opener === '\\['
    const before = this.readBefore(start)
    const quotes = countQuotes(before)
    const mayHaveGaps = isBlock && isBare(before) && this.readRest(after).trim() === ''
    const formulaEnd = findEnd(source, after, closer, { mayHaveGaps, quotes })
    if (formulaEnd === 'open') this.openFrom ??= start
    if (formulaEnd === undefined || formulaEnd === 'open') return after
    const { end } = formulaEnd
    const content = removeQuoteMarks(formulaEnd.content, quotes)
    const tex = cleanTex(content, 0)
    if (tex === '') return after
    const isAlone = this.isAlone(start, end)
    if (!this.accepts(opener, content, tex, { isAlone, end })) return after
    const displayMode = opener === '\\[' || (opener === '$$' && (isAlone || content.includes('\n')))
    return this.hide(start, end, { tex, displayMode })
  }

  /** Whether a text between delimiters is a formula. @param content with its blank lines @param tex the same without them */
  private accepts(
    opener: Opener,
    content: string,
    tex: string,
    { isAlone, end }: { isAlone: boolean; end: number },
  ): boolean {
    // with blank lines in it, it may be the text between two formulas
    if (hasGap(content)) return texSigns.test(tex) && !looksLikeMarkdown(removeWords(tex))
    switch (opener) {
      case '$':
        return isDollarTex(content, this.source.slice(end, end + 4))
      case '\\(':
        return isTex(tex)
      case '\\[':
        return isAlone ? !prosePattern.test(tex) || texSigns.test(tex) : isTex(tex)
      case '$$':
        return isAlone || content.includes('\n') || !prosePattern.test(tex) || texSigns.test(tex)
    }
  }

  private readEnvironment(start: number, after: number, name: string): number {
    const { source } = this
    if (!environments.has(name.replace('*', ''))) return after
    const closer = `\\end{${name}}`
    let at = this.nextEnd.get(name) ?? 0
    if (at >= 0 && at < after) at = source.indexOf(closer, after)
    this.nextEnd.set(name, at)
    const limit = after + maxTexCharacters
    const quotes = countQuotes(this.readBefore(start))
    const content = removeQuoteMarks(source.slice(after, at < 0 ? limit : Math.min(at, limit)), quotes)
    if (content.includes('`') || endsCode.test(content)) return after
    if (at < 0 && limit >= source.length) this.openFrom ??= start
    if (at < 0 || at > limit) return after
    const end = at + closer.length
    return this.hide(start, end, {
      tex: cleanTex(source.slice(start, end), quotes),
      displayMode: this.isAlone(start, end),
    })
  }

  private isAlone(start: number, end: number): boolean {
    return isBare(this.readBefore(start)) && /^[\s.,;]*$/.test(this.readRest(end))
  }

  /** The text on the line before a formula; of a long one the beginning, which decides. */
  private readBefore(start: number): string {
    return this.source.slice(this.lineStart, Math.min(start, this.lineStart + maxContextCharacters))
  }

  /** The text on the line after a formula; of a long one the beginning. */
  private readRest(end: number): string {
    const rest = this.source.slice(end, end + maxContextCharacters)
    const lineEnd = rest.indexOf('\n')
    return lineEnd < 0 ? rest : rest.slice(0, lineEnd)
  }

  /** Replaces a range by a placeholder. @returns its end */
  private hide(start: number, end: number, span: Omit<HiddenPart, 'source'>): number {
    this.markdown += this.source.slice(this.copied, start) + createPlaceholder(this.hiddenParts.length)
    this.hiddenParts.push({ ...span, source: this.source.slice(start, end) })
    this.copied = end
    return end
  }
}

/** Removes the text from TeX, which may be prose. */
const removeWords = (tex: string) =>
  tex.replace(/\\(?:text|mathrm|textbf|textit|operatorname|intertext)\{[^{}]*\}/g, ' ')

/** Writes a label as a reader sees it: `eq:energy` as "energy". */
export const formatLabel = (label: string): string => label.replace(/^(?:eq|eqn|equation):/, '')

/**
 * Extracts the formulas of a text: `$$…$$`, `\[…\]`, `\(…\)`, environments of LaTeX, and `$…$` unless it is money. References to formulas and
 * addresses with blanks are hidden from the parser, too.
 */
export function extractMath(source: string): ExtractedMath {
  if (!mayHaveOpener.test(source)) return { markdown: source, hiddenParts: [] }
  return new MathScanner(source).scan()
}

/** Characters that TeX has and prose has not. */
const texSigns = /[\\^_={}<>]/
/** Two words in a row. */
const prosePattern = /[A-Za-z]{3}[,;.]?\s+[A-Za-z]{2}/
/** A short text of characters that a formula without commands may have. */
const plainTex = /^[\w\s+\-*/|().,:;!'&%\p{Script=Greek}\p{Sm}\u2100-\u214f\u{1d400}-\u{1d7ff}°·…∞]{1,40}$/u

/** Whether a text is TeX. Prose is not: `\[see below\]` is an escaped bracket. */
function isTex(tex: string): boolean {
  const bare = tex.replace(/\\(?:text|mathrm|operatorname)\{[^}]*\}|\\[A-Za-z]+/g, ' ')
  return !prosePattern.test(bare) && (texSigns.test(tex) || plainTex.test(tex))
}

/** A word between two numbers, as in "$5 or 10$"; `x` stands for "times". */
const wordBetweenNumbers = /[\d.,]\s+(?!x\s)[A-Za-z]{1,3}\s+\d/
/** A text that ends with an operator or an opening bracket. */
const endsOpen = /[-+*/,:;=<&|(]$/

/**
 * Whether a text between single dollars is TeX, by Pandoc's rule: no blank beside the dollars, and no digit after the second one. So "$5
 * and $10" are prices. Text that begins with a number has no words, because "$5 or 10$" is a price, too.
 * @param next what follows the second dollar
 */
function isDollarTex(tex: string, next: string): boolean {
  // a letter behind it belongs to a price, unless it is an ordinal or a plural: `$n$th`
  if (/^[\d{$]/.test(next) || (/^\w/.test(next) && !/^(?:th|st|nd|rd|s)\b/.test(next))) return false
  // beyond Pandoc: blanks on both sides of a command, which no price has
  if (/^\s|\s$/.test(tex)) return /^ \S.*\S $/.test(tex) && /\\[A-Za-z]/.test(tex) && isTex(tex)
  if (!isTex(tex)) return false
  if (/^[\d.,]/.test(tex))
    return (
      !endsOpen.test(tex) &&
      (texSigns.test(tex) || !(/[A-Za-z]{3}/.test(tex) || wordBetweenNumbers.test(tex)))
    )
  return texSigns.test(tex) || /[+\-*/|(\p{Sm}]/u.test(tex) || !/[A-Za-z]{3}|^[A-Za-z]{1,2}\s/.test(tex)
}
