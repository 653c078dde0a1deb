import { isLanguageName, isMarkdownLanguage, isSentence, readFence, type Fence } from './fences.ts'

/** Characters after which the kind of a line is known. */
const maxBehind = 12

/** The fences without a language that open a block in a document. */
export interface InnerFences {
  /** numbers of lines, from 1 */
  lines: ReadonlySet<number>
  /** offset of a document with a fence of which only text that has not come yet tells what it is; Infinity if there is none */
  openFrom: number
}

export const noInnerFences: InnerFences = { lines: new Set(), openFrom: Infinity }

const documentOpener = /^ {0,3}(?:`{3,}|~{3,})[ \t]*(?:markdown|md|mdx)[ \t]*$/im
/** How far the end of an inner block, and then of its document, is looked for: longer ones are rare, and each is parsed again until its end. */
const maxInnerLines = 150
const maxDocumentLines = 400

interface OpenBlock {
  /** its fence */
  mark: string
  /** whether it is a Markdown document */
  isDocument: boolean
  /** of its first line */
  offset: number
  /** how many blocks are open inside it */
  nested: number
}

/** @returns undefined for inline code, which is a fence of backticks with another backtick behind it */
function openBlock({ mark, rest }: Fence, offset: number): OpenBlock | undefined {
  if (mark.startsWith('`') && rest.includes('`')) return undefined
  const [language = ''] = rest.split(/[ \t]/)
  return { mark, isDocument: isMarkdownLanguage(language), offset, nested: 0 }
}

/**
 * Finds the fences without a language that models write inside a document whose own fence is not longer. CommonMark ends the document at
 * the first. Text that follows such a fence in the next line is code, where the next fence is bare, too, and looks like an end: before a
 * blank line, a heading or another fence. The document needs a fence of its own behind them.
 */
export function findInnerFences(markdown: string): InnerFences {
  if (!documentOpener.test(markdown)) return noInnerFences
  const lines = markdown.split('\n')
  const inner = new Set<number>()
  let openFrom = Infinity
  let offset = 0
  /** the block that is open */
  let block: OpenBlock | undefined
  for (const [index, line] of lines.entries()) {
    const fence = readFence(line)
    if (fence && !block) block = openBlock(fence, offset)
    else if (fence && block && isFenceLike(fence.mark, block.mark)) {
      const role = findRole(fence, block, { lines, index })
      if (role === 'bareInnerStart') inner.add(index + 1)
      if (role === 'bareInnerStart' || role === 'innerStart') block.nested += 1
      if (role === 'innerEnd') block.nested -= 1
      if (role === 'unknown') openFrom = Math.min(openFrom, block.offset)
      if (role === 'end' || role === 'unknown') block = undefined
    }
    offset += line.length + 1
  }
  return inner.size === 0 && openFrom === Infinity ? noInnerFences : { lines: inner, openFrom }
}

/** What a fence inside a block is. `unknown`: only text that has not come yet tells. */
type FenceRole = 'end' | 'innerStart' | 'bareInnerStart' | 'innerEnd' | 'text' | 'unknown'

/** @param position where the fence stands: the lines of the text, and the index of its own */
function findRole(
  { mark, rest }: Fence,
  block: OpenBlock,
  { lines, index }: { lines: readonly string[]; index: number },
): FenceRole {
  if (rest !== '') {
    if (mark.length === block.mark.length && isSentence(rest)) return 'end'
    return block.isDocument && isLanguageName(rest) ? 'innerStart' : 'text'
  }
  if (block.nested > 0) return 'innerEnd'
  const opens = block.isDocument && opensBlock(lines, index, block.mark)
  if (opens === 'unknown') return 'unknown'
  return opens ? 'bareInnerStart' : 'end'
}

/** Whether a fence can end a block, or be one inside it. */
const isFenceLike = (mark: string, outer: string) => mark[0] === outer[0] && mark.length >= outer.length

/** Whether a fence without a language opens a block. @returns `unknown` if the text ends before that can be told */
function opensBlock(lines: readonly string[], index: number, outer: string): boolean | 'unknown' {
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
  if (isLast(end + 1) && behind.length < maxBehind) return 'unknown'
  if (behind.trim() !== '' && !isFence(behind) && !/^ {0,3}#{2,6}[ \t]/.test(behind)) return false
  const last = findFence(end + 1, maxDocumentLines)
  return typeof last === 'number' || (last ?? false)
}
