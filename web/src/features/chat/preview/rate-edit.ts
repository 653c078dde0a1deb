import type { PreviewKind } from '../preview-context.ts'
import type { BlockContent } from './describe-block-content.ts'

/** What is compared of a code block. */
export interface RatedBlock {
  kind: PreviewKind
  filename?: string
  content: string
  described: BlockContent
  /** false while it is being written */
  isComplete: boolean
  /** the user's message before its reply */
  request: string
}

/** Whether the name of a file says what it is. General names such as `index.html` do not. */
const isDistinctiveName = (filename: string | undefined): filename is string =>
  filename !== undefined &&
  !/^(?:index|main|page|app|script|styles?|data|output|diagram|image|readme|untitled|example)\./i.test(
    filename,
  )

function countShared<Item>(first: ReadonlySet<Item>, second: ReadonlySet<Item>): number {
  let count = 0
  for (const item of first) if (second.has(item)) count += 1
  return count
}

/** How many items two sets share, and which part of the smaller set that is. */
function measureShared(first: ReadonlySet<string>, second: ReadonlySet<string>) {
  const count = countShared(first, second)
  return { count, share: count / Math.max(1, Math.min(first.size, second.size)) }
}

/** The part of a structure, from 0 to 1, that another one has as often. @param isPartial whether the later one is not complete yet */
function compareStructure(earlier: readonly string[], later: readonly string[], isPartial: boolean): number {
  const left = new Map<string, number>()
  for (const item of earlier) left.set(item, (left.get(item) ?? 0) + 1)
  let count = 0
  for (const item of later) {
    const rest = left.get(item) ?? 0
    if (rest === 0) continue
    left.set(item, rest - 1)
    count += 1
  }
  return count / Math.max(1, isPartial ? later.length : Math.max(earlier.length, later.length))
}

/** The words of a request, without code that the user has pasted into it. */
function readRequest(text: string): ReadonlySet<string> {
  let fence = ''
  const lines = text.split('\n').filter((line) => {
    const mark = /^\s{0,9}(`{3}|~{3})/.exec(line)?.[1]
    if (fence === '') fence = mark ?? ''
    else if (mark === fence) fence = ''
    return fence === '' && mark === undefined
  })
  return new Set(
    lines
      .join('\n')
      .toLowerCase()
      .match(/[\p{L}\p{M}]{3,}/gu),
  )
}

/** Whether the user asked for something that the new block has and the old one has not. */
function asksForNew({ request, described }: RatedBlock, before: BlockContent): boolean {
  for (const word of readRequest(request))
    if (described.words.has(word) && !before.words.has(word)) return true
  return false
}

/**
 * Rates how much a block looks like an edit of an earlier one, from 0 to 1. What all pages have, such as style sheets, does not count. A
 * translation has no words of its original, but its structure. The thresholds were chosen by the examples in the tests.
 */
export function rateEdit(earlier: RatedBlock, later: RatedBlock): number {
  if (isDistinctiveName(earlier.filename) && isDistinctiveName(later.filename))
    return earlier.filename.toLowerCase() === later.filename.toLowerCase() ? 1 : 0
  if (earlier.content === later.content) return 1
  const [before, now] = [earlier.described, later.described]
  const words = measureShared(before.words, now.words)
  const parts = measureShared(before.parts, now.parts)
  const structure = compareStructure(before.structure, now.structure, !later.isComplete)
  const hasSameTitle = before.title !== '' && before.title.toLowerCase() === now.title.toLowerCase()
  const best = Math.max(words.share, parts.share, structure)
  if (hasSameTitle && Math.max(words.share, parts.share) >= 0.3) return best
  // many pictures share one or two parts, such as a background
  if (parts.share >= 0.5 && (parts.count >= 3 || (parts.count > 0 && words.share >= 0.5))) return best
  // fewer words in common may be the frequent words of a language
  if (words.share >= 0.6 && words.count >= 6) return best
  if (structure < 0.9 || now.structure.length === 0) return 0
  const isDistinct = now.structure.length >= 8 || (parts.count > 0 && parts.share >= 0.9)
  // texts and tables have similar structures, whatever they are about
  const isText = later.kind === 'markdown' || later.kind === 'csv'
  return isDistinct || (!isText && !asksForNew(later, before)) ? structure : 0
}
