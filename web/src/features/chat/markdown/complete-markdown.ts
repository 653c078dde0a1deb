import { inlineTagNames } from '../../../lib/inline-tag-names.ts'
import { beginsHighlight, endsHighlight } from './extensions/inline-tags.ts'
import { isOpenAddress } from './extensions/spaced-addresses.ts'
import { countRowCells } from './extensions/table-pipes.ts'
import { cleanTex, extractMath } from './math-source.ts'

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

/** A price has no sign of TeX. */
const partialDollars = /(?<![\w$\\])\$(?=[^\s$\d`])(?=[^$\n`]{0,400}[\\^_{])[^$\n`]{1,400}$/

/** The beginning of `\begin{align}`. */
const partialEnvironment = /(?<=^|\s)\\(?:b|be|beg|begi|begin(?:\{[A-Za-z]{0,20}\*?)?)$/

/** Shows a formula that is still written as code, as it is shown until it can be drawn. */
function closeFormula(whole: string): string {
  // half of a delimiter
  const markdown = /[$\\]$/.test(whole) && !/\$\$$|\\\\$/.test(whole) ? whole.slice(0, -1) : whole
  const { openFrom = partialDollars.exec(markdown)?.index } = extractMath(markdown)
  if (openFrom === undefined) return whole.replace(partialEnvironment, '')
  const tex = cleanTex(markdown.slice(openFrom).replace(/^(?:\$\$?|\\[[(])/, '')).replaceAll(/\s+/g, ' ')
  return markdown.slice(0, openFrom) + (tex === '' ? '' : `\`${tex}\``)
}

/** The beginning of an item, a highlight or a line, which would make the line above a heading. */
const partialUnderline = /^([ \t>]{0,20})[-=]{1,2}$/
/** The beginning of an alert's marker, of a footnote's number, or of a tag that is not shown. */
const partialMark = /(?:^ {0,3}> ?\[!?[a-z]{0,9}\]?|\[\^[^\]\s]{0,20}|<\/?[a-z]{0,7})$/i

/** What hides text while its tag is written. */
const hiddenTags = ['br', 'details', 'summary', ...inlineTagNames]

function hidePartialMark(line: string): string {
  const [mark] = partialMark.exec(blankCode(line)) ?? []
  if (mark === undefined) return line
  if (
    mark.startsWith('<') &&
    !hiddenTags.some((tag) => tag.startsWith(mark.replace(/<\/?/, '').toLowerCase()))
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
  const unfinished =
    lines.length <= index + 2 && /^[\s|:-]*$/.test(below) && countCells(below) < countRowCells(head)
  return unfinished ? lines.slice(0, index).join('\n') : markdown
}

const countCells = (row: string) => row.split('|').filter((cell) => cell.trim() !== '').length

const partialAddress = /!?\[([^\][\n]*)\]\((?=([^\n]*)$)/
/** "[0, 1) is …" begins no link. */
const partialLinkText = /!?\[(?![^()\][\n]*\))([^\][\n]*)$/

/** Shows only the text of a partial `[text](addr`. */
function hidePartialLink(line: string): string {
  return [partialAddress, partialLinkText].reduce((shown, pattern) => {
    const lastAddress = pattern === partialAddress ? shown.lastIndexOf('](') : -1
    const from = lastAddress < 0 ? 0 : shown.lastIndexOf('[', lastAddress)
    const match = from < 0 ? null : pattern.exec(' '.repeat(from) + blankCode(shown).slice(from))
    if (!match || (match[2] !== undefined && !isOpenAddress(match[2]))) return shown
    const textStart = shown.indexOf('[', match.index) + 1
    return shown.slice(0, match.index) + shown.slice(textStart, textStart + (match[1] ?? '').length)
  }, line)
}

/** Replaces inline code by spaces, because nothing in it is syntax. Positions stay the same. */
const blankCode = (line: string) => line.replaceAll(/(`+)[^`]*\1/g, (code) => ' '.repeat(code.length))

const inlineTag = new RegExp(
  String.raw`<(?<slash>/?)(?<name>${inlineTagNames.join('|')})(?: title="[^"<>]{0,200}")?>`,
  'gi',
)

/** Shows what a tag marks as such from its first letter. */
function closeTags(line: string): string {
  if (!line.includes('<')) return line
  let closedLine = line
  const open: string[] = []
  for (const { 0: tag, index, groups } of blankCode(line).matchAll(inlineTag)) {
    const name = groups?.['name'] ?? ''
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

/** Shows `==marked` text as such. */
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

function closeInlineCode(markdown: string): string {
  const ticks = markdown.match(/`+/g) ?? []
  if (ticks.length % 2 === 0) return markdown
  const lastTicks = ticks.at(-1) ?? ''
  return markdown.endsWith('`') ? markdown.slice(0, -lastTicks.length) : markdown + lastTicks
}

/** Shows bold and deleted text as such from its first letter. */
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
