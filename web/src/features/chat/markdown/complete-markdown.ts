/**
 * Completes the last block of a streaming text, so that partial syntax does not flicker: open markers are closed, or hidden until they
 * are unambiguous. Never changes finished text.
 */
export function completeMarkdown(markdown: string): string {
  if (/^ {0,3}(```|~~~)/.test(markdown)) return markdown
  const withoutTable = hidePartialTable(markdown)
  const lastLineStart = withoutTable.lastIndexOf('\n') + 1
  return (
    withoutTable.slice(0, lastLineStart) +
    closeBold(hidePartialLink(closeInlineCode(withoutTable.slice(lastLineStart))))
  )
}

/** Hides a table until the delimiter row has as many cells as the header. */
function hidePartialTable(markdown: string): string {
  const lines = markdown.split('\n')
  const index = lines.findIndex((line) => /^\s*\|/.test(line))
  const head = lines[index]
  if (head === undefined) return markdown
  const below = lines[index + 1] ?? ''
  const unfinished =
    lines.length <= index + 2 && /^[\s|:-]*$/.test(below) && countCells(below) < countCells(head)
  return unfinished ? lines.slice(0, index).join('\n') : markdown
}

const countCells = (row: string) => row.split('|').filter((cell) => cell.trim() !== '').length

const partialAddress = /!?\[([^\][\n]*)\]\([^()\s]*$/
/** "[0, 1) is …" begins no link. */
const partialLinkText = /!?\[(?![^()\][\n]*\))([^\][\n]*)$/

/** Shows only the text of a partial `[text](addr`. */
function hidePartialLink(line: string): string {
  return [partialAddress, partialLinkText].reduce((shown, pattern) => {
    const match = pattern.exec(blankCode(shown))
    if (!match) return shown
    const textStart = shown.indexOf('[', match.index) + 1
    return shown.slice(0, match.index) + shown.slice(textStart, textStart + (match[1] ?? '').length)
  }, line)
}

/** Replaces inline code by spaces, because nothing in it is syntax. Positions stay the same. */
const blankCode = (line: string) => line.replaceAll(/(`+)[^`]*\1/g, (code) => ' '.repeat(code.length))

function closeInlineCode(markdown: string): string {
  const ticks = markdown.match(/`+/g) ?? []
  if (ticks.length % 2 === 0) return markdown
  const lastTicks = ticks.at(-1) ?? ''
  return markdown.endsWith('`') ? markdown.slice(0, -lastTicks.length) : markdown + lastTicks
}

/** Shows bold text as bold from its first letter. */
function closeBold(line: string): string {
  const withoutCode = blankCode(line)
  const marks = [...withoutCode.matchAll(/(?<!\\)\*\*/g)]
  const opener = marks.at(-1)
  if (!opener || marks.length % 2 === 0) return line.replace(/(?<=^|\s)\*$/, '')
  const afterOpener = withoutCode.slice(opener.index + 2)
  if (afterOpener === '') return line.slice(0, opener.index)
  // "2 ** 3" opens nothing
  return /^\s/.test(afterOpener) ? line : `${line.replace(/\*$/, '').trimEnd()}**`
}
