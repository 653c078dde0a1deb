/**
 * The last block of a text that is still being written, so that what is unfinished does not flicker: marks are closed or held
 * back until it is known what they are. The finished text is never changed.
 */
export function finishTail(markdown: string): string {
  if (/^ {0,3}(```|~~~)/.test(markdown)) return markdown
  const held = holdTable(markdown)
  const lastLine = held.lastIndexOf('\n') + 1
  return held.slice(0, lastLine) + closeStrong(closeCode(holdLink(held.slice(lastLine))))
}

/** Lines that start like a table are none until the row below the head has as many cells as the head. */
function holdTable(markdown: string): string {
  const lines = markdown.split('\n')
  const at = lines.findIndex((line) => /^\s*\|/.test(line))
  const head = lines[at]
  if (head === undefined) return markdown
  const below = lines[at + 1] ?? ''
  const unfinished = lines.length <= at + 2 && /^[\s|:-]*$/.test(below) && cells(below) < cells(head)
  return unfinished ? lines.slice(0, at).join('\n') : markdown
}

const cells = (row: string) => row.split('|').filter((cell) => cell.trim() !== '').length

/** `[text](addr` shows its text only. */
function holdLink(markdown: string): string {
  return markdown.replace(/!?\[([^\][\n]*)\]\([^()\s]*$/, '$1').replace(/!?\[([^\][\n]*)$/, '$1')
}

function closeCode(markdown: string): string {
  const ticks = markdown.match(/`+/g) ?? []
  if (ticks.length % 2 === 0) return markdown
  return markdown.endsWith('`') ? markdown.replace(/`+$/, '') : markdown + (ticks.at(-1) ?? '')
}

/** Bold is bold from its first letter on. */
function closeStrong(line: string): string {
  const withoutCode = line.replaceAll(/(`+)[^`]*\1/g, (code) => ' '.repeat(code.length))
  const marks = [...withoutCode.matchAll(/(?<!\\)\*\*/g)]
  const opener = marks.at(-1)
  if (!opener || marks.length % 2 === 0) return line.replace(/(?<=^|\s)\*$/, '')
  const follows = withoutCode.slice(opener.index + 2)
  if (follows === '') return line.slice(0, opener.index)
  // "2 ** 3" opens nothing
  return /^\s/.test(follows) ? line : `${line.replace(/\s*\*?$/, '')}**`
}
