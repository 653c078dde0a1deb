/** A formula in a text, as TeX. */
export interface Formula {
  /** empty where a letter of the marks stands for itself */
  tex: string
  /** on a line of its own */
  display: boolean
  /** as it was written, marks included */
  written: string
}

/** A text whose formulas were taken out before markdown is read: `_` and `*` are TeX there, and no emphasis. */
export interface MathSource {
  /** with a mark in the place of each formula */
  markdown: string
  formulas: readonly Formula[]
}

/** Letters of nobody (private use) around a formula's number. */
const mark = (index: number) => `\uE000${index}\uE001`
const marks = /\uE000(\d+)\uE001/g
const markLetters = /[\uE000\uE001]/g

/** TeX that would hold the page up, or none: nobody writes it. */
const maxTexCharacters = 4_000

// a backtick ends every kind: code is no formula. What may stand inside ends at the next mark of the same kind, so that no text,
// however it is made, is read more than twice.
// A blank line ends every kind, as it ends a paragraph, and so does the end of code.
const noEnd = String.raw`(?!\n[ \t>]*\n|\n[ \t>]*~~~)`
const inBrackets = String.raw`(?:${noEnd}(?:[^\\${'`'}]|\\[^[\](){}${'`'}]|\\[{}]))+?`
const inDollars = String.raw`(?:${noEnd}(?:[^\\$${'`'}]|\\[^${'`'}]))+?`
const candidates = new RegExp(
  [
    // escaped: neither begins a formula
    String.raw`\\\\|\\\$`,
    // the letters of the marks themselves
    String.raw`(?<letter>[\uE000\uE001])`,
    String.raw`\\\[(?<bracket>${inBrackets})\\\]`,
    String.raw`\\\((?<paren>${inBrackets})\\\)`,
    String.raw`\$\$(?<double>${inDollars})\$\$`,
    String.raw`(?<![\w$])\$(?<single>(?:[^\\$\n${'`'}]|\\[^\n${'`'}])+?)\$(?![\w{$])`,
  ].join('|'),
  'g',
)

const signs = /[\\^_={}<>]/
const prose = /[A-Za-z]{3,}[,;.]?\s+[A-Za-z]{2,}/

/** Words are no formula, whatever stands around them: `\[see below\]` is an escaped bracket. */
function isTex(tex: string): boolean {
  const bare = tex.replace(/\\(?:text|mathrm|operatorname)\{[^}]*\}|\\[A-Za-z]+/g, ' ')
  return !prose.test(bare) && (signs.test(tex) || /^[\w\s+\-*/|().,:;!'&]{1,40}$/.test(tex))
}

/** One dollar is money first: "$5 and $10" holds no formula, "$x^2$" and "$n$" do. */
function isBetweenDollars(tex: string): boolean {
  if (/^\s|\s$/.test(tex)) return false
  if (/^[\d.,]/.test(tex)) return signs.test(tex) && isTex(tex)
  return isTex(tex) && (signs.test(tex) || /[+\-*/|(]/.test(tex) || /^[A-Za-z]{1,2}'?$/.test(tex))
}

/** Takes the formulas out of a text: `$$…$$`, `\[…\]`, `\(…\)`, and `$…$` where it is no money. */
export function takeMath(written: string): MathSource {
  const none = { markdown: written, formulas: [] }
  if (!/[$\\\uE000\uE001]/.test(written)) return none
  const formulas: Formula[] = []
  const asText = (text: string) =>
    text.replaceAll(markLetters, (letter) => {
      formulas.push({ tex: '', display: false, written: letter })
      return mark(formulas.length - 1)
    })
  const markdown = written.replace(candidates, (whole: string, ...rest: unknown[]) => {
    const { letter, bracket, paren, double, single } = rest.at(-1) as Record<string, string | undefined>
    if (letter !== undefined) return asText(letter)
    const at = rest.at(-3) as number
    const tex = withoutQuoteMarks(bracket ?? paren ?? double ?? single ?? '').trim()
    if (tex === '' || tex.length > maxTexCharacters) return asText(whole)
    const alone = standsAlone(written, at, whole.length)
    if (bracket !== undefined && !alone && !isTex(tex)) return asText(whole)
    if (bracket !== undefined && alone && prose.test(tex) && !signs.test(tex)) return asText(whole)
    if (paren !== undefined && !isTex(tex)) return asText(whole)
    if (single !== undefined && !isBetweenDollars(single)) return asText(whole)
    const display = bracket !== undefined || (double !== undefined && (alone || double.includes('\n')))
    formulas.push({ tex, display, written: whole })
    return mark(formulas.length - 1)
  })
  return { markdown, formulas }
}

/** Whether nothing else is on the lines of a formula. */
function standsAlone(text: string, at: number, length: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  const end = text.indexOf('\n', at + length)
  const after = text.slice(at + length, end < 0 ? undefined : end)
  return /^[\s>*+\-\d.]*$/.test(before) && /^[\s.,;]*$/.test(after)
}

/** In a quotation each line begins with its mark. */
const withoutQuoteMarks = (tex: string) => tex.replace(/\n[ \t]*>[ \t]?/g, '\n')

/** The pieces of a text with marks: words, and formulas. */
export function splitAtMath(text: string, formulas: readonly Formula[]): (string | Formula)[] {
  const pieces: (string | Formula)[] = []
  let at = 0
  for (const match of text.matchAll(marks)) {
    if (match.index > at) pieces.push(text.slice(at, match.index))
    const formula = formulas[Number(match[1])]
    if (formula) pieces.push(formula.tex === '' ? formula.written : formula)
    at = match.index + match[0].length
  }
  if (at < text.length) pieces.push(text.slice(at))
  return pieces
}

/** The text as it was written: what is quoted as code, and addresses. */
export const putBack = (text: string, formulas: readonly Formula[]): string =>
  text.replace(marks, (_, index: string) => formulas[Number(index)]?.written ?? '')

/** Whether a formula of several lines may have begun in a text and not have ended, so that what follows may belong to it. */
export function endsInsideMath(text: string): boolean {
  const end = text.replace(/\n$/, '')
  const blank = /^[^]*\n[ \t>]*\n/.exec(end)?.[0].length ?? 0
  const rest = end.slice(Math.max(blank, end.lastIndexOf('`') + 1))
  return /\$\$|\\[[(]/.test(takeMath(rest).markdown)
}
