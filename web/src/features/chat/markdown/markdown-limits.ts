/** Quotations in lists in quotations: this many at the beginning of one line. */
const containers = /^[ \t]*(?:(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+)[ \t]*){16}/m
/** What may open emphasis or a link. */
const openers = /\*+|_+|~+|\[/g
const maxOpeners = 1_500
/** Rows of a table are read one by one. */
const maxInRow = 300

const fences = /^ {0,3}(`{3,}|~{3,})[^]*?(?:\n {0,3}\1[^\n]*|$(?![^]))/gm
const indentedCode = /^(?: {4}|\t).*$/gm

const countOf = (text: string) => text.match(openers)?.length ?? 0

/**
 * Whether a text is marks upon marks, as nobody means them but a model that has lost its way. What reads markdown would take minutes
 * for it, or all of the stack; it is shown as it was written.
 */
export function isTangled(markdown: string): boolean {
  if (containers.test(markdown)) return true
  if (countOf(markdown) <= maxInRow) return false
  const prose = markdown.replace(fences, '\n\n').replace(indentedCode, '')
  return prose
    .split(/\n\s*\n/)
    .some((paragraph) =>
      paragraph.includes('|')
        ? paragraph.split('\n').some((row) => countOf(row) > maxInRow)
        : countOf(paragraph) > maxOpeners,
    )
}
