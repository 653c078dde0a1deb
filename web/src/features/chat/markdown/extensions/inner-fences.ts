import { readFence } from './fences.ts'

/** How far the end of an inner block, and then of its document, is looked for: longer ones are rare, and each is parsed again until its end. */
const maxInnerLines = 150
const maxDocumentLines = 400

/** The text that is parsed: the parser gives its extensions nothing but characters. */
let source = ''
/** Its lines, once they are needed: few texts have a document. */
let lines: readonly string[] = []
/** The first line, from 0, of a document with a fence of which only text that has not come yet tells what it is. */
let openLine = Infinity

/**
 * Parses a text in which `opensInnerBlock` can look ahead.
 * @returns with `openFrom`, the offset of a document with a fence of which only text that has not come yet tells what it is; Infinity if there
 *   is none
 */
export function withInnerFences<Result>(
  markdown: string,
  parse: () => Result,
): { result: Result; openFrom: number } {
  source = markdown
  openLine = Infinity
  try {
    const result = parse()
    const openFrom =
      openLine === Infinity
        ? Infinity
        : lines.slice(0, openLine).reduce((sum, line) => sum + line.length + 1, 0)
    return { result, openFrom }
  } finally {
    source = ''
    lines = []
  }
}

/**
 * Whether a fence without a language opens a block in a document, as models write it where the document's own fence is not longer. CommonMark
 * ends the document at the first. Text that follows such a fence in the next line is code, where the next fence is bare, too, and looks like
 * an end: before a blank line, another fence or a heading, but not one of level 1, which is a comment where the fence begins code. The document
 * needs a fence of its own behind them. In a quote, or behind the mark of an item, no fence opens a block.
 * @param document the line of its opening fence, from 1
 * @param fence the line, from 1
 */
export function opensInnerBlock({ document, fence }: { document: number; fence: number }): boolean {
  if (lines.length === 0) lines = source.split('\n')
  const mark = readFence(lines[document - 1] ?? '')?.mark
  if (mark === undefined) return false
  const opens = opensBlock(fence - 1, mark)
  if (opens === 'unknown') openLine = Math.min(openLine, document - 1)
  return opens === true
}

/** Blanks, signs and the blank behind them: after these it is known whether a line is a heading. */
const headingStart = '   ###### '.length

/** Whether a fence can end a block, or be one inside it. */
const isFenceLike = (mark: string, outer: string) => mark[0] === outer[0] && mark.length >= outer.length

/** Whether a fence without a language opens a block. @returns `unknown` if the text ends before that can be told */
function opensBlock(index: number, outer: string): boolean | 'unknown' {
  const isLast = (at: number) => at >= lines.length - 1
  const isFence = (line: string) => isFenceLike(readFence(line)?.mark ?? '', outer)
  const next = lines[index + 1]
  if (next === undefined || (isLast(index + 1) && next.trim() === '')) return 'unknown'
  if (next.trim() === '' || isFence(next)) return false
  /** @returns the line; `unknown` if the text ends before */
  const findFence = (from: number, most: number) => {
    const at = lines.slice(from, from + most).findIndex(isFence)
    if (at >= 0) return from + at
    return from + most >= lines.length ? 'unknown' : undefined
  }
  const end = findFence(index + 2, maxInnerLines)
  if (typeof end !== 'number') return end ?? false
  // the last line may still grow
  if (isLast(end)) return 'unknown'
  if (readFence(lines[end] ?? '')?.rest !== '') return false
  const behind = lines[end + 1] ?? ''
  const isShort = behind.length < Math.max(headingStart, '   '.length + outer.length)
  if (isLast(end + 1) && (isShort || behind.trim() === '')) return 'unknown'
  if (behind.trim() !== '' && !isFence(behind) && !/^ {0,3}#{2,6}[ \t]/.test(behind)) return false
  const last = findFence(end + 1, maxDocumentLines)
  return typeof last === 'number' || (last ?? false)
}
