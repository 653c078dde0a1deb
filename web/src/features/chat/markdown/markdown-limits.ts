/** Nested quotes and lists: 16 markers at the start of one line. */
const nestedContainers = /^[ \t]*(?:(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+)[ \t]*){16}/m
/** Characters that may open emphasis or a link. */
const openers = /\*+|_+|~+|\[/g
const maxOpeners = 1_500
/** Each row of a table is parsed separately. */
const maxOpenersPerRow = 300

const fences = /^ {0,3}(`{3,}|~{3,})[^]*?(?:\n {0,3}\1[^\n]*|$(?![^]))/gm
const indentedCode = /^(?: {4}|\t).*$/gm

const countOpeners = (text: string) => text.match(openers)?.length ?? 0

/**
 * Whether a text is degenerate markdown, as models sometimes produce it. Parsing it would take minutes or overflow the stack, so it is
 * shown as plain text.
 */
export function exceedsMarkdownLimits(markdown: string): boolean {
  if (nestedContainers.test(markdown)) return true
  if (countOpeners(markdown) <= maxOpenersPerRow) return false
  const prose = markdown.replace(fences, '\n\n').replace(indentedCode, '')
  return prose
    .split(/\n\s*\n/)
    .some((paragraph) =>
      paragraph.includes('|')
        ? paragraph.split('\n').some((row) => countOpeners(row) > maxOpenersPerRow)
        : countOpeners(paragraph) > maxOpeners,
    )
}
