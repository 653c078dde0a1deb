import { findSpacedAddress } from './extensions/spaced-addresses.ts'
import { addressEnd, innerPipe, joiner } from './source-marks.ts'

/** A part of a text that the parser of Markdown does not see: a formula, or a source that it would read as something else. */
export interface MathFormula {
  /** empty for what is no formula */
  tex: string
  /** on a line of its own, as in KaTeX */
  displayMode: boolean
  /** as written, delimiters included */
  source: string
  /** what is shown in place of the source, outside of code */
  text?: string
}

/** A text without its formulas, in which `_` and `*` are TeX and not emphasis. */
export interface ExtractedMath {
  /** with a placeholder for each formula */
  markdown: string
  formulas: readonly MathFormula[]
  /** where a formula of several lines begins that has no end yet */
  openFrom?: number
}

/** Private-use code points around the index of a formula. */
const createPlaceholder = (index: number) => `\uE000${index}\uE001`
const placeholderPattern = /\uE000(\d+)\uE001/g

/** Longer TeX would block the page. */
const maxTexCharacters = 4_000

/** The environments of KaTeX, and two that are drawn by others, see `toKatexSource`. They need no delimiters. */
const environments = new Set(
  'align,aligned,alignat,alignedat,array,bmatrix,Bmatrix,cases,CD,darray,eqnarray,equation,gather,gathered,matrix,multline,pmatrix,rcases,smallmatrix,split,vmatrix,Vmatrix'.split(
    ',',
  ),
)

const openers =
  /\\\\|\\\$|[\uE000-\uE004]|\\[[(]|\\begin\{(?<environment>[A-Za-z]{2,12}\*?)\}|\\(?<reference>eqref|ref)\{(?<label>[^{}\n]{1,80})\}|\$\$?|\]\(/g

const texSigns = /[\\^_={}<>]/
const prose = /[A-Za-z]{3}[,;.]?\s+[A-Za-z]{2}/
const plainTex = /^[\w\s+\-*/|().,:;!'&%\p{Script=Greek}\p{Sm}\u2100-\u214f\u{1d400}-\u{1d7ff}°·…∞]{1,40}$/u

/** Whether a text is TeX. Prose is not: `\[see below\]` is an escaped bracket. */
function isTex(tex: string): boolean {
  const bare = tex.replace(/\\(?:text|mathrm|operatorname)\{[^}]*\}|\\[A-Za-z]+/g, ' ')
  return !prose.test(bare) && (texSigns.test(tex) || plainTex.test(tex))
}

/** "$5 or 10$": a word between two numbers. `x` is a sign. */
const wordBetweenNumbers = /[\d.,]\s+(?!x\s)[A-Za-z]{1,3}\s+\d/
const endsOpen = /[-+*/,:;=<&|(]$/

/**
 * Whether a text between single dollars is TeX, by Pandoc's rule: no blank beside the dollars, and no digit after the second one. So "$5
 * and $10" are prices. Text that begins with a number has no words, because "$5 or 10$" is a price, too.
 * @param next what follows the second dollar
 */
function isDollarTex(tex: string, next: string): boolean {
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

/** Where the content of a formula ends, and where the text goes on; undefined: no formula. */
type Found = { content: string; end: number } | 'open' | undefined

/** A line that ends every formula: the end of code. */
const endsCode = /^[ \t>]*~~~/
const isBlankLine = /^[ \t>]*$/

/**
 * Finds the end of a formula. Each kind ends at the next delimiter of its kind, so no text is scanned more than twice; at a backtick (code
 * is not a formula), and at a blank line unless its delimiters have lines of their own.
 */
function findEnd(
  source: string,
  from: number,
  closer: '$' | '$$' | '\\]' | '\\)',
  mayHaveGaps: boolean,
): Found {
  const limit = Math.min(source.length, from + maxTexCharacters)
  let depth = 0
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
      at += next === '\n' ? 0 : 1
    } else if (character === '$' && closer.startsWith('$')) {
      // a formula in the text of a formula: `\text{if $x > 0$}`
      if (closer === '$$' && depth > 0 && source[at + 1] !== '$') continue
      // half of the delimiter, which is still written
      if (closer === '$$' && at > from && at === source.length - 1) return 'open'
      if (!source.startsWith(closer, at) || at === from) return undefined
      return { content: source.slice(from, at), end: at + closer.length }
    } else if (character === '\n') {
      if (closer === '$') return undefined
      const lineEnd = source.indexOf('\n', at + 1)
      const line = source.slice(at + 1, Math.min(lineEnd < 0 ? limit : lineEnd, at + 200))
      if (endsCode.test(line)) return undefined
      // the last line may still be written
      if (!mayHaveGaps && lineEnd >= 0 && isBlankLine.test(line)) return undefined
    }
  }
  return limit === source.length && closer !== '$' ? 'open' : undefined
}

const hasGap = (text: string) => /\n[ \t>]*\n/.test(text)
/** A line of Markdown, or words, which no formula has between its lines. */
const looksLikeMarkdown = (text: string): boolean =>
  /[A-Za-z]{3}[,;]? [A-Za-z]{2,} [A-Za-z]{2}/.test(text) ||
  text.split('\n').some((line) => /^(?:#{1,6} |\|)/.test(line.trimStart()))

/** Removes the `>` of quoted lines, and blank lines. */
export const cleanTex = (tex: string) =>
  tex
    .replace(/\n[ \t]*>[ \t]?/g, '\n')
    .replace(/\n[ \t]*(?=\n)/g, '')
    .trim()

/** Only marks of lists and quotes before it. */
const isBare = (before: string) => before.length < 200 && /^[\s>*+\-\d.)]*$/.test(before)

/** Reads the formulas of a text in one pass. */
class MathScanner {
  readonly formulas: MathFormula[] = []
  openFrom: number | undefined
  private markdown = ''
  private copied = 0
  private lineStart = 0
  /** of the line that was looked at last */
  private lineEnd = -1
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
      formulas: this.formulas,
      ...(this.openFrom !== undefined && { openFrom: this.openFrom }),
    }
  }

  /** Each line end is looked for once, because there may be many formulas on a line. */
  private findLineEnd(from: number): number {
    if (this.lineEnd >= from && this.lineStart <= from) return this.lineEnd
    const end = this.source.indexOf('\n', from)
    this.lineEnd = end < 0 ? this.source.length : end
    return this.lineEnd
  }

  /** @returns where the scan goes on */
  private read(match: RegExpExecArray, after: number): number {
    const [opener] = match
    const start = match.index
    const { environment, reference, label } = match.groups ?? {}
    if (opener === '\\\\' || opener === '\\$') return after
    if (/^[\uE000-\uE004]$/.test(opener)) return this.hide(start, after, { tex: '', displayMode: false })
    if (opener === '](') {
      const end = findSpacedAddress(this.source, after)
      return end === undefined ? after : this.hide(after, end, { tex: '', displayMode: false })
    }
    if (reference !== undefined && label !== undefined) {
      const text = reference === 'eqref' ? `(${formatLabel(label)})` : formatLabel(label)
      return this.hide(start, after, { tex: '', displayMode: false, text })
    }
    if (environment !== undefined) return this.readEnvironment(start, after, environment)
    return this.readDelimited(start, after, opener as '$' | '$$' | '\\[' | '\\(')
  }

  private readDelimited(start: number, after: number, opener: '$' | '$$' | '\\[' | '\\('): number {
    const { source } = this
    if (opener === '$' && /[\w$]/.test(source[start - 1] ?? '')) return after
    const closer = opener === '\\[' ? '\\]' : opener === '\\(' ? '\\)' : opener
    const isBlock = opener === '$$' || opener === '\\['
    const standsAlone = isBlock && isBare(this.readBefore(start)) && this.readRest(after).trim() === ''
    const formulaEnd = findEnd(source, after, closer, standsAlone)
    if (formulaEnd === 'open') this.openFrom ??= start
    if (formulaEnd === undefined || formulaEnd === 'open') return after
    const { content, end } = formulaEnd
    const tex = cleanTex(content)
    if (tex === '') return after
    const isAlone = this.isAlone(start, end)
    if (!this.accepts(opener, content, tex, { isAlone, end })) return after
    const displayMode = opener === '\\[' || (opener === '$$' && (isAlone || content.includes('\n')))
    return this.hide(start, end, { tex, displayMode })
  }

  private accepts(
    opener: '$' | '$$' | '\\[' | '\\(',
    content: string,
    tex: string,
    { isAlone, end }: { isAlone: boolean; end: number },
  ): boolean {
    // what may also be a part of the text between two formulas has to look like one
    if (hasGap(content)) return texSigns.test(tex) && !looksLikeMarkdown(withoutWords(tex))
    switch (opener) {
      case '$':
        return isDollarTex(content, this.source.slice(end, end + 4))
      case '\\(':
        return isTex(tex)
      case '\\[':
        return isAlone ? !prose.test(tex) || texSigns.test(tex) : isTex(tex)
      case '$$':
        return isAlone || content.includes('\n') || !prose.test(tex) || texSigns.test(tex)
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
    const content = source.slice(after, at < 0 ? limit : Math.min(at, limit))
    if (content.includes('`') || /\n[ \t>]*~~~/.test(content)) return after
    if (at < 0 && limit >= source.length) this.openFrom ??= start
    if (at < 0 || at > limit) return after
    const end = at + closer.length
    return this.hide(start, end, {
      tex: cleanTex(source.slice(start, end)),
      displayMode: this.isAlone(start, end),
    })
  }

  private isAlone(start: number, end: number): boolean {
    return isBare(this.readBefore(start)) && /^[\s.,;]*$/.test(this.readRest(end))
  }

  /** The line before a formula; more than marks is no matter. */
  private readBefore(start: number): string {
    return this.source.slice(this.lineStart, Math.min(start, this.lineStart + 200))
  }

  /** The beginning of the line after a formula. */
  private readRest(end: number): string {
    const rest = this.source.slice(end, end + 200)
    const lineEnd = rest.indexOf('\n')
    return lineEnd < 0 ? rest : rest.slice(0, lineEnd)
  }

  private hide(start: number, end: number, span: Omit<MathFormula, 'source'>): number {
    this.markdown += this.source.slice(this.copied, start) + createPlaceholder(this.formulas.length)
    this.formulas.push({ ...span, source: this.source.slice(start, end) })
    this.copied = end
    return end
  }
}

const withoutWords = (tex: string) =>
  tex.replace(/\\(?:text|mathrm|textbf|textit|operatorname|intertext)\{[^{}]*\}/g, ' ')

/** What a reader sees of a label: `eq:energy` is "energy". */
export const formatLabel = (label: string): string => label.replace(/^(?:eq|eqn|equation):/, '')

/**
 * Extracts the formulas of a text: `$$…$$`, `\[…\]`, `\(…\)`, environments of LaTeX, and `$…$` unless it is money. References to formulas and
 * addresses with blanks are hidden from the parser, too.
 */
export function extractMath(source: string): ExtractedMath {
  if (!/[$\\\uE000-\uE004]|\]\(/.test(source)) return { markdown: source, formulas: [] }
  return new MathScanner(source).scan()
}

/** Splits a text with placeholders into strings and formulas. */
export function splitAtPlaceholders(
  text: string,
  formulas: readonly MathFormula[],
): (string | MathFormula)[] {
  const pieces: (string | MathFormula)[] = []
  let offset = 0
  for (const match of text.matchAll(placeholderPattern)) {
    if (match.index > offset) pieces.push(removeJoiners(text.slice(offset, match.index)))
    const formula = formulas[Number(match[1])]
    if (formula) pieces.push(formula.tex === '' ? (formula.text ?? formula.source) : formula)
    offset = match.index + match[0].length
  }
  if (offset < text.length) pieces.push(removeJoiners(text.slice(offset)))
  return pieces.filter((piece) => piece !== '')
}

const removeJoiners = (text: string): string =>
  text.replaceAll(addressEnd, '').replaceAll(joiner, '').replaceAll(innerPipe, '|')

/** Replaces placeholders by the source text, for code and URLs. */
export const restoreSource = (text: string, formulas: readonly MathFormula[]): string =>
  removeJoiners(text).replace(placeholderPattern, (_, index: string) => formulas[Number(index)]?.source ?? '')
