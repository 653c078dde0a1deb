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

/** A line that starts like a table's is no table until the row below its head is there. */
function holdTable(markdown: string): string {
  const lines = markdown.split('\n')
  const head = lines.findIndex((line) => /^\s*\|/.test(line))
  if (head < 0) return markdown
  const delimiter = lines[head + 1]
  const isTable = delimiter !== undefined && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(delimiter)
  const mayBecome = delimiter === undefined || (head + 2 === lines.length && /^[\s|:-]*$/.test(delimiter))
  return !isTable && mayBecome ? lines.slice(0, head).join('\n') : markdown
}

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
