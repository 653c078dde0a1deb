import { joinBlock, splitBlock, type Block, type BlockBeginning } from './block-beginning.ts'
import { completeMarkdown } from './complete-markdown.ts'
import { parseMarkdown, toMaxSteps, type ParsedBlock } from './parse-markdown.ts'
import { maxLinesAtOnce, maxParts } from './markdown-limits.ts'

/** A text that is parsed incrementally while it grows. */
export interface IncrementalDocument {
  /** with line ends as LF */
  text: string
  blocks: readonly Block[]
  /** the number of leading blocks that are final */
  finishedCount: number
  /** the offset from which the text is parsed again when it has grown */
  cut: number
  /** the final part of the first block that is not final, if it has one */
  beginning: BlockBeginning | undefined
  /** only a parse of the whole text is correct: it has footnotes or link targets, or exceeds a limit */
  needsFullParse: boolean
  /** the offset of a formula of several lines that has no end yet; Infinity if there is none */
  openFrom: number
  /** the work of the last update, see `limitSteps`; if the text was not parsed, all that it could take */
  steps: number
}

/** The document before the first text. */
export const emptyDocument: IncrementalDocument = {
  text: '',
  blocks: [],
  finishedCount: 0,
  cut: 0,
  beginning: undefined,
  needsFullParse: false,
  openFrom: Infinity,
  steps: 0,
}

/** Line ends as LF, without byte order marks. */
const normalize = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll('\uFEFF', '')

/**
 * Parses a text that extends an earlier one. Final blocks, items, rows and lines of code are reused and never parsed again, so the cost
 * depends on what was appended, not on the length. Markdown is line-based: once a line starts a new block, the blocks before are
 * closed.
 * @param maxSteps what the parser may do for what is not final; more is shown as plain text
 * @returns the same blocks as a parse of the whole text, except where `needsFullParse`
 */
export function updateDocument(
  markdown: string,
  earlier = emptyDocument,
  maxSteps = toMaxSteps(markdown),
): IncrementalDocument {
  const text = normalize(markdown)
  const base = text.startsWith(earlier.text) ? earlier : emptyDocument
  const { cut, beginning } = base
  const finishedBlocks = base.blocks.slice(0, base.finishedCount)
  const prefix = beginning?.prefix ?? ''
  const tail = prefix + text.slice(cut)
  // the offset of the tail in the text; the prefix is not part of it
  const tailOffset = cut - prefix.length
  const parsedTail = countParts(base) > maxParts ? undefined : parseMarkdown(tail, maxSteps)
  if (!parsedTail) {
    const offset = beginning?.offset ?? cut
    const plainBlock: Block = { offset, node: undefined, source: text.slice(offset) }
    return { ...base, text, blocks: [...finishedBlocks, plainBlock], needsFullParse: true, steps: maxSteps }
  }
  const { blocks: parsed, hasDefinitions, steps, openFrom } = parsedTail
  // the rest is parsed as another kind of block, so the cut was wrong: parse everything
  if (beginning && parsed[0]?.node.type !== beginning.kind) {
    const whole = updateDocument(text, emptyDocument, maxSteps - steps)
    return { ...whole, steps: steps + whole.steps }
  }
  const previous = new Map(base.blocks.slice(base.finishedCount).map((block) => [block.offset, block]))
  const newBlocks = parsed.map((block, index): Block => {
    const source = tail.slice(block.start, parsed[index + 1]?.start)
    if (index === 0 && beginning)
      return { offset: beginning.offset, node: joinBlock(beginning, block.node), source }
    const offset = tailOffset + block.start
    const earlierBlock = previous.get(offset)
    return earlierBlock?.source === source ? earlierBlock : { offset, node: block.node, source }
  })
  const updated: IncrementalDocument = {
    text,
    blocks: [...finishedBlocks, ...newBlocks],
    finishedCount: finishedBlocks.length,
    cut,
    beginning,
    needsFullParse: base.needsFullParse || hasDefinitions,
    openFrom: tailOffset + openFrom,
    steps,
  }
  return moveCut(updated, tail, parsed, { prefixLength: prefix.length, openFrom })
}

/** Final blocks, and the items or rows of the block that still grows. */
const countParts = ({ finishedCount, beginning }: IncrementalDocument) =>
  finishedCount + (beginning && 'items' in beginning ? beginning.items.length : 0)

/** A step is longer than most paragraphs, and quick even if each of its lines is a block. */
const stepCharacters = 2_000

/**
 * Parses a text step by step, as if it streamed: the cost of a single parse grows with the square of the number of blocks.
 * @param isEnough whether the rest need not be parsed, given the first blocks
 * @returns as `updateDocument`; only the first blocks if they are enough
 */
export function parseInSteps(
  markdown: string,
  earlier = emptyDocument,
  isEnough: (blocks: readonly Block[]) => boolean = () => false,
): IncrementalDocument {
  // normalised here, so that the offsets of the text are those of the document
  const whole = normalize(markdown)
  let document = earlier
  let stepsLeft = toMaxSteps(whole)
  const parseUpTo = (end: number | undefined) => {
    document = updateDocument(whole.slice(0, end), document, stepsLeft)
    stepsLeft -= document.steps
  }
  for (;;) {
    const { text, cut, blocks } = document
    if (whole.startsWith(text) && isEnough(blocks)) return { ...document, text: whole }
    // what could not be cut off is parsed again, so the next step has to be at least as long
    const lineEnd = whole.indexOf('\n', text.length + Math.max(stepCharacters, text.length - cut))
    if (lineEnd < 0) break
    parseUpTo(lineEnd + 1)
  }
  parseUpTo(undefined)
  return document
}

/** Whether a text that `needsFullParse` is short enough for it. In a longer one, footnotes and reference links are shown as written. */
export const isParsedAtOnce = (text: string): boolean =>
  text.split('\n', maxLinesAtOnce + 1).length <= maxLinesAtOnce

/** Moves the cut to the last offset from which the rest can be parsed independently. */
function moveCut(
  document: IncrementalDocument,
  tail: string,
  parsed: readonly ParsedBlock[],
  { prefixLength, openFrom }: { prefixLength: number; openFrom: number },
): IncrementalDocument {
  const tailOffset = document.cut - prefixLength
  // 0: the cut stays before the first parsed block
  const cutIndex = Math.max(
    0,
    parsed.findLastIndex(
      (block, index) =>
        index > 0 &&
        block.start <= openFrom &&
        hasCompleteStart(tail, block.start) &&
        isIndependent(tail, block, parsed[index - 1]),
    ),
  )
  const cutBlock = parsed[cutIndex]
  const block = document.blocks[document.finishedCount + cutIndex]
  if (!cutBlock || !block) return document
  const moved =
    cutIndex > 0
      ? {
          ...document,
          finishedCount: document.finishedCount + cutIndex,
          cut: tailOffset + cutBlock.start,
          beginning: undefined,
        }
      : document
  const end = parsed[cutIndex + 1]?.start ?? tail.length
  const split = splitBlock(tail, cutBlock, { end, openFrom }, block, moved.beginning)
  return split ? { ...moved, cut: tailOffset + split.cut, beginning: split.beginning } : moved
}

/** Whether the first two lines of a block are complete: they decide its type. */
function hasCompleteStart(text: string, start: number): boolean {
  const end = text.indexOf('\n', start)
  return end >= 0 && text.includes('\n', end + 1)
}

/** Whether a block is parsed the same without the text before it. */
function isIndependent(
  text: string,
  { node, sourceKind, start }: ParsedBlock,
  previous: ParsedBlock | undefined,
): boolean {
  // indented code and HTML continue until another block starts
  if (
    sourceKind === 'indented code' ||
    previous?.sourceKind === 'html' ||
    previous?.sourceKind === 'indented code'
  )
    return false
  // a paragraph after a closing fence (see `modelFences`) would begin a block of code when it is parsed alone
  if (node.type === 'paragraph' && /^ {0,3}(?:`{3}|~{3})/.test(text.slice(start, start + 6))) return false
  const lineBefore = text.slice(text.lastIndexOf('\n', start - 2) + 1, start - 1)
  if (lineBefore.trim() === '') return true
  return (
    // a heading and a line end with their own last line
    previous?.node.type === 'heading' ||
    previous?.node.type === 'thematicBreak' ||
    node.type === 'list' ||
    node.type === 'blockquote' ||
    /^ {0,3}(?:#{1,6}[ \t]|`{3}|~{3}|\|)/.test(text.slice(start, start + 16))
  )
}

/**
 * The blocks to show while a text streams: partial syntax in the last one is completed or hidden. A formula with blank lines is several blocks
 * until it ends.
 */
export function getStreamingBlocks({
  blocks,
  beginning,
  finishedCount,
  openFrom,
}: IncrementalDocument): readonly Block[] {
  const opened = blocks.findLastIndex(({ offset }) => offset <= openFrom)
  const from = Math.max(finishedCount, opened)
  const open = blocks[from]
  if (open?.node === undefined) return blocks
  const source = blocks
    .slice(from)
    .map((block) => block.source)
    .join('')
  const completed = completeMarkdown(source)
  if (completed === source) return blocks
  const hasBeginning = beginning !== undefined && from === finishedCount
  const parsed = parseMarkdown(completed)
  if (!parsed) return blocks
  const completedBlocks = parsed.blocks.map(({ node, start }, index): Block => {
    const whole =
      hasBeginning && index === 0 && node.type === beginning.kind ? joinBlock(beginning, node) : node
    return { offset: open.offset + start, node: whole, source: completed.slice(start) }
  })
  return [...blocks.slice(0, from), ...completedBlocks]
}
