/** Nested quotes and lists: 16 markers at the start of one line. */
const nestedContainers = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){16}/m
/** Characters that may open emphasis or a link. */
const openers = /\*+|_+|~+|\[/g
const maxOpeners = 1_500
/** Blocks, or items and rows, that are formatted; more make a page slow. */
export const maxParts = 3_000
/** A text with footnotes or reference links is parsed as a whole, whose cost grows with the square of its blocks. */
export const maxLinesAtOnce = 2_000

/** Each row of a table is parsed separately. */
const maxOpenersPerRow = 300

/** The text without fenced and indented code, which is not parsed. */
function blankCodeLines(markdown: string): string {
  let fence: string | undefined
  const lines = markdown.split('\n').map((line) => {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (marker?.startsWith(fence)) fence = undefined
      return ''
    }
    fence = marker
    return marker !== undefined || /^(?: {4}|\t)/.test(line) ? '' : line
  })
  return lines.join('\n')
}

const countOpeners = (text: string) => text.match(openers)?.length ?? 0

/**
 * Whether a text is degenerate markdown, as models sometimes produce it. Parsing it would take minutes or overflow the stack, so it is
 * shown as plain text.
 */
export function exceedsMarkdownLimits(markdown: string): boolean {
  if (nestedContainers.test(markdown)) return true
  if (countOpeners(markdown) <= maxOpenersPerRow) return false
  return blankCodeLines(markdown)
    .split(/\n\s*\n/)
    .some((paragraph) =>
      paragraph.includes('|')
        ? paragraph.split('\n').some((row) => countOpeners(row) > maxOpenersPerRow)
        : countOpeners(paragraph) > maxOpeners,
    )
}
