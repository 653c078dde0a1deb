import { inlineTagNames } from '../../../lib/text/inline-tag-names.ts'
import { beginsHighlight, endsHighlight } from './extensions/inline-tags.ts'
import { isUnclosedUrl } from './extensions/spaced-urls.ts'
import { countRowCells } from './extensions/table-pipes.ts'
import { cleanTex, countQuotes, extractMath } from './math-source.ts'

// The repetitions in the patterns are bounded, so that the time of each frame grows with the text alone.

/**
 * Completes the last block of a streaming text, so that partial syntax does not flicker: open markers are closed, or hidden until they
 * are unambiguous. Never changes finished text.
 */
export function completeMarkdown(markdown: string): string {
  if (/^ {0,3}(```|~~~)/.test(markdown)) return markdown
  const completed = hidePartialTable(closeFormula(markdown))
  const lastLineStart = completed.lastIndexOf('\n') + 1
  const lastLine = hidePartialMark(completed.slice(lastLineStart).replace(partialUnderline, '$1'))
  const closed = closeTags(hidePartialLink(closeInlineCode(lastLine)))
  return completed.slice(0, lastLineStart) + closeHighlight(closeMarks('~~', closeMarks('**', closed)))
}

/** A formula after a single dollar that is not closed yet. A price has no character of TeX behind it. */
const partialDollars = /(?<![\w$\\])\$(?=[^\s$\d`])(?=[^$\n`]{0,400}[\\^_{])[^$\n`]{1,400}$/

/** An incomplete `\begin{align}` at the end of the text. */
const partialEnvironment = /(?<=^|\s)\\(?:b|be|beg|begi|begin(?:\{[A-Za-z]{0,20}\*?)?)$/

/** Shows a formula that is not finished as code. A finished one looks the same until it is drawn. */
function closeFormula(whole: string): string {
  // without the first half of a delimiter
  const markdown = /[$\\]$/.test(whole) && !/\$\$$|\\\\$/.test(whole) ? whole.slice(0, -1) : whole
  const { openFrom = partialDollars.exec(markdown)?.index } = extractMath(markdown)
  if (openFrom === undefined) return whole.replace(partialEnvironment, '')
  const content = markdown.slice(openFrom).replace(/^(?:\$\$?|\\[[(])/, '')
  const before = markdown.slice(markdown.lastIndexOf('\n', openFrom) + 1, openFrom)
  const tex = cleanTex(content, countQuotes(before)).replaceAll(/\s+/g, ' ')
  return markdown.slice(0, openFrom) + (tex === '' ? '' : `\`${tex}\``)
}

/** One or two `-` or `=` at the beginning of a line, which would make the line above a heading. */
const partialUnderline = /^([ \t>]{0,20})[-=]{1,2}$/
/** An incomplete marker of an alert, number of a footnote, or HTML tag, at the end of a line. */
const partialMark = /(?:^ {0,3}> ?\[!?[a-z]{0,9}\]?|\[\^[^\]\s]{0,20}|<\/?[a-z]{0,7})$/i

/** The tags that have a meaning; others are text. */
const knownTags = ['br', 'details', 'summary', ...inlineTagNames]

/** Removes an incomplete mark from the end of a line, until it can be told from text. */
function hidePartialMark(line: string): string {
  const [mark] = partialMark.exec(blankCode(line)) ?? []
  if (mark === undefined) return line
  if (
    mark.startsWith('<') &&
    !knownTags.some((tag) => tag.startsWith(mark.replace(/<\/?/, '').toLowerCase()))
  )
    return line
  return line.slice(0, -mark.length) + (mark.includes('>') ? '> ' : '')
}

/** Hides a table until the delimiter row has as many cells as the header. */
function hidePartialTable(markdown: string): string {
  const lines = markdown.split('\n')
  const index = lines.findIndex((line) => /^\s*\|/.test(line))
  const head = lines[index]
  if (head === undefined) return markdown
  const below = lines[index + 1] ?? ''
  const isUnfinished =
    lines.length <= index + 2 && /^[\s|:-]*$/.test(below) && countCells(below) < countRowCells(head)
  return isUnfinished ? lines.slice(0, index).join('\n') : markdown
}

const countCells = (row: string) => row.split('|').filter((cell) => cell.trim() !== '').length

/** A link whose destination is not closed yet. */
const partialDestination = /!?\[([^\][\n]*)\]\((?=([^\n]*)$)/
/** The text of a link that is not closed yet. An interval such as "[0, 1) is …" begins no link. */
const partialLinkText = /!?\[(?![^()\][\n]*\))([^\][\n]*)$/

/** Shows only the text of an incomplete `[text](https://exam`. */
const hidePartialLink = (line: string) => openLinkText(hideDestination(line))

/** Shows only the text of the last link, or of an image, if its destination is incomplete. */
function hideDestination(line: string): string {
  const destinationStart = line.lastIndexOf('](')
  const textStart = destinationStart < 0 ? -1 : line.lastIndexOf('[', destinationStart)
  if (textStart < 0) return line
  const from = line[textStart - 1] === '!' ? textStart - 1 : textStart
  // blanks in place of what stands before the link, so that offsets stay the same
  const match = partialDestination.exec(' '.repeat(from) + blankCode(line).slice(from))
  return match && isUnclosedUrl(match[2] ?? '') ? showLinkText(line, match) : line
}

/** Shows the text of a link that is not closed yet without its bracket. */
function openLinkText(line: string): string {
  const match = partialLinkText.exec(blankCode(line))
  return match ? showLinkText(line, match) : line
}

/** Replaces an incomplete link by its text, and ends the line there. @param match of the link, with its text as the first group */
function showLinkText(line: string, { index, 1: text = '' }: RegExpExecArray): string {
  const textStart = line.indexOf('[', index) + 1
  return line.slice(0, index) + line.slice(textStart, textStart + text.length)
}

/** Backticks beside each other. */
interface Ticks {
  index: number
  length: number
}

/**
 * Finds inline code, which ends at as many backticks as it began with.
 * @returns the codes, and the backticks behind the last one that may begin another
 */
function findInlineCode(text: string): { codes: { from: number; to: number }[]; open: Ticks[] } {
  const all = Array.from(text.matchAll(/`+/g), ({ 0: { length }, index }): Ticks => ({ length, index }))
  // filled from the end, so that the time grows with the text
  const nextByLength = new Map<number, number>()
  const ends = new Map<Ticks, number>()
  for (const ticks of all.toReversed()) {
    const next = nextByLength.get(ticks.length)
    if (next !== undefined) ends.set(ticks, next + ticks.length)
    nextByLength.set(ticks.length, ticks.index)
  }
  const codes: { from: number; to: number }[] = []
  for (const ticks of all) {
    const to = ends.get(ticks)
    if (to !== undefined && ticks.index >= (codes.at(-1)?.to ?? 0)) codes.push({ from: ticks.index, to })
  }
  const lastEnd = codes.at(-1)?.to ?? 0
  return { codes, open: all.filter(({ index }) => index >= lastEnd) }
}

/** Replaces inline code by spaces, because nothing in it is syntax. Offsets stay the same. */
function blankCode(line: string): string {
  let blanked = ''
  for (const { from, to } of findInlineCode(line).codes)
    blanked += line.slice(blanked.length, from) + ' '.repeat(to - from)
  return blanked + line.slice(blanked.length)
}

const inlineTag = new RegExp(
  String.raw`<(?<slash>/?)(?<name>${inlineTagNames.join('|')})(?: title="[^"<>]{0,200}")?>`,
  'gi',
)

/** Closes inline tags such as `<kbd>`, so that their text is marked from its first letter. */
function closeTags(line: string): string {
  if (!line.includes('<')) return line
  let closedLine = line
  const open: string[] = []
  for (const { 0: tag, index, groups } of blankCode(line).matchAll(inlineTag)) {
    const name = groups?.['name']?.toLowerCase() ?? ''
    const rest = line.slice(index + tag.length)
    if (groups?.['slash'] === '/') {
      const start = open.lastIndexOf(name)
      if (start >= 0) open.length = start
    } else if (/^\S/.test(rest)) open.push(name)
    else if (rest === '') closedLine = line.slice(0, index)
  }
  return (
    closedLine +
    open
      .toReversed()
      .map((name) => `</${name}>`)
      .join('')
  )
}

/** Closes a highlight (`==marked`), so that its text is marked from its first letter. */
function closeHighlight(line: string): string {
  if (!line.includes('==')) return line
  const withoutCode = blankCode(line)
  let start = -1
  for (const { index } of withoutCode.matchAll(/(?<![=\\])==(?!=)/g)) {
    const before = withoutCode.slice(Math.max(0, index - 2), index)
    const after = withoutCode.slice(index + 2, index + 4)
    if (start >= 0 && endsHighlight(before, after)) start = -1
    else if (start < 0 && (after === '' ? !/\w$/.test(before) : beginsHighlight(before, after))) start = index
  }
  if (start < 0) return line
  return start === line.length - 2 ? line.slice(0, start) : `${line.replace(/=$/, '').trimEnd()}==`
}

/** Closes inline code, and hides backticks at the end, which may begin or end some. */
function closeInlineCode(markdown: string): string {
  const { open } = findInlineCode(markdown)
  const [opener] = open
  const last = open.at(-1)
  if (!opener || !last) return markdown
  const shown = last.index + last.length === markdown.length ? markdown.slice(0, last.index) : markdown
  return last === opener && shown !== markdown ? shown : shown + '`'.repeat(opener.length)
}

/** Closes bold or deleted text, so that it is marked from its first letter. */
function closeMarks(mark: '**' | '~~', line: string): string {
  const [sign = ''] = mark
  const withoutCode = blankCode(line)
  const marks = [...withoutCode.matchAll(mark === '**' ? /(?<!\\)\*\*/g : /(?<!\\)~~/g)]
  const opener = marks.at(-1)
  const endsWithSign = line.endsWith(sign)
  if (!opener || marks.length % 2 === 0)
    return endsWithSign && (line.length === 1 || /\s/.test(line.at(-2) ?? '')) ? line.slice(0, -1) : line
  const afterOpener = withoutCode.slice(opener.index + 2)
  if (afterOpener === '') return line.slice(0, opener.index)
  // "2 ** 3" opens nothing
  return /^\s/.test(afterOpener) ? line : `${(endsWithSign ? line.slice(0, -1) : line).trimEnd()}${mark}`
}
