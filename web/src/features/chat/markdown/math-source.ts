/** A formula in a text, as TeX. */
export interface MathFormula {
  /** empty for a literal placeholder character */
  tex: string
  /** on a line of its own, as in KaTeX */
  displayMode: boolean
  /** as written, delimiters included */
  source: string
}

/** A text without its formulas, in which `_` and `*` are TeX and not emphasis. */
export interface ExtractedMath {
  /** with a placeholder for each formula */
  markdown: string
  formulas: readonly MathFormula[]
}

/** Private-use code points around the index of a formula. */
const createPlaceholder = (index: number) => `\uE000${index}\uE001`
const placeholderPattern = /\uE000(\d+)\uE001/g
const placeholderCharacters = /[\uE000\uE001]/g

/** Longer TeX would block the page. */
const maxTexCharacters = 4_000

// Every kind of formula ends at a backtick (code is not a formula), at a blank line (the end of a paragraph) and at the end of code.
// Its content ends at the next delimiter of the same kind, so that no text is scanned more than twice.
const noEnd = String.raw`(?!\n[ \t>]*\n|\n[ \t>]*~~~)`
const inBrackets = String.raw`(?:${noEnd}(?:[^\\${'`'}]|\\[^[\](){}${'`'}]|\\[{}]))+?`
const inDollars = String.raw`(?:${noEnd}(?:[^\\$${'`'}]|\\[^${'`'}]))+?`
const candidates = new RegExp(
  [
    // escaped characters, which begin no formula
    String.raw`\\\\|\\\$`,
    // literal placeholder characters
    String.raw`(?<reserved>[\uE000\uE001])`,
    String.raw`\\\[(?<bracket>${inBrackets})\\\]`,
    String.raw`\\\((?<paren>${inBrackets})\\\)`,
    String.raw`\$\$(?<double>${inDollars})\$\$`,
    String.raw`(?<![\w$])\$(?<single>(?:[^\\$\n${'`'}]|\\[^\n${'`'}])+?)\$(?![\w{$])`,
  ].join('|'),
  'g',
)

const texSigns = /[\\^_={}<>]/
const prose = /[A-Za-z]{3}[,;.]?\s+[A-Za-z]{2}/

/** Whether a text is TeX. Prose is not: `\[see below\]` is an escaped bracket. */
function isTex(tex: string): boolean {
  const bare = tex.replace(/\\(?:text|mathrm|operatorname)\{[^}]*\}|\\[A-Za-z]+/g, ' ')
  return !prose.test(bare) && (texSigns.test(tex) || /^[\w\s+\-*/|().,:;!'&]{1,40}$/.test(tex))
}

/** Whether a text between single dollars is TeX. Usually they mean money: "$5 and $10" has no formula, "$x^2$" and "$n$" are formulas. */
function isDollarTex(tex: string): boolean {
  if (/^\s|\s$/.test(tex)) return false
  if (/^[\d.,]/.test(tex)) return texSigns.test(tex) && isTex(tex)
  return isTex(tex) && (texSigns.test(tex) || /[+\-*/|(]/.test(tex) || /^[A-Za-z]{1,2}'?$/.test(tex))
}

/** Extracts the formulas of a text: `$$…$$`, `\[…\]`, `\(…\)`, and `$…$` unless it is money. */
export function extractMath(source: string): ExtractedMath {
  const unchanged = { markdown: source, formulas: [] }
  if (!/[$\\\uE000\uE001]/.test(source)) return unchanged
  const formulas: MathFormula[] = []
  const escapePlaceholders = (text: string) =>
    text.replaceAll(placeholderCharacters, (character) => {
      formulas.push({ tex: '', displayMode: false, source: character })
      return createPlaceholder(formulas.length - 1)
    })
  const markdown = source.replace(candidates, (whole: string, ...rest: unknown[]) => {
    const { reserved, bracket, paren, double, single } = rest.at(-1) as Record<string, string | undefined>
    if (reserved !== undefined) return escapePlaceholders(reserved)
    const offset = rest.at(-3) as number
    const tex = removeQuoteMarks(bracket ?? paren ?? double ?? single ?? '').trim()
    if (tex === '' || tex.length > maxTexCharacters) return escapePlaceholders(whole)
    const alone = isAloneOnLine(source, offset, whole.length)
    if (bracket !== undefined && !alone && !isTex(tex)) return escapePlaceholders(whole)
    if (bracket !== undefined && alone && prose.test(tex) && !texSigns.test(tex))
      return escapePlaceholders(whole)
    if (paren !== undefined && !isTex(tex)) return escapePlaceholders(whole)
    if (single !== undefined && !isDollarTex(single)) return escapePlaceholders(whole)
    const displayMode = bracket !== undefined || (double !== undefined && (alone || double.includes('\n')))
    formulas.push({ tex, displayMode, source: whole })
    return createPlaceholder(formulas.length - 1)
  })
  return { markdown, formulas }
}

function isAloneOnLine(text: string, offset: number, length: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  const end = text.indexOf('\n', offset + length)
  const after = text.slice(offset + length, end < 0 ? undefined : end)
  return /^[\s>*+\-\d.]*$/.test(before) && /^[\s.,;]*$/.test(after)
}

/** Removes the `>` of quoted lines. */
const removeQuoteMarks = (tex: string) => tex.replace(/\n[ \t]*>[ \t]?/g, '\n')

/** Splits a text with placeholders into strings and formulas. */
export function splitAtPlaceholders(
  text: string,
  formulas: readonly MathFormula[],
): (string | MathFormula)[] {
  const pieces: (string | MathFormula)[] = []
  let offset = 0
  for (const match of text.matchAll(placeholderPattern)) {
    if (match.index > offset) pieces.push(text.slice(offset, match.index))
    const formula = formulas[Number(match[1])]
    if (formula) pieces.push(formula.tex === '' ? formula.source : formula)
    offset = match.index + match[0].length
  }
  if (offset < text.length) pieces.push(text.slice(offset))
  return pieces
}

/** Replaces placeholders by the source text, for code and URLs. */
export const restoreSource = (text: string, formulas: readonly MathFormula[]): string =>
  text.replace(placeholderPattern, (_, index: string) => formulas[Number(index)]?.source ?? '')

/** Whether a text may end inside an open multi-line formula. */
export function endsInsideMath(text: string): boolean {
  const trimmed = text.replace(/\n$/, '')
  const afterBlankLine = /^[^]*\n[ \t>]*\n/.exec(trimmed)?.[0].length ?? 0
  const rest = trimmed.slice(Math.max(afterBlankLine, trimmed.lastIndexOf('`') + 1))
  return /\$\$|\\[[(]/.test(extractMath(rest).markdown)
}
