import type { Code, List, ListItem, RootContent, Table, TableRow } from 'mdast'
import { completeMarkdown } from './complete-markdown.ts'
import { setItemValues } from './extensions/item-numbers.ts'
import { countOpenBlocks, isMarkdownLanguage } from './extensions/model-fences.ts'
import { parseMarkdown, toMaxSteps, type ParsedBlock } from './parse-markdown.ts'
import { maxLinesAtOnce, maxParts } from './markdown-limits.ts'

/** A top-level block; the same object as long as nothing in it changes. */
export interface Block {
  /** offset of its first line: identifies the block while text is appended */
  offset: number
  /** undefined for plain text */
  node: RootContent | undefined
  /** its source; of a block with a `beginning` only the rest */
  source: string
}

/** The final beginning of a list, table or code block that may still grow: it is not parsed again. */
type BlockBeginning =
  | {
      kind: 'list'
      offset: number
      prefix: ''
      items: readonly ListItem[]
      isLoose: boolean
      firstNumber: List['start']
    }
  | { kind: 'table'; offset: number; prefix: string; items: readonly TableRow[] }
  | { kind: 'code'; offset: number; prefix: string; code: string }

/** Markdown that is parsed incrementally while text is appended. */
export interface IncrementalDocument {
  /** with normalised line ends */
  text: string
  blocks: readonly Block[]
  /** the number of leading blocks that are final */
  finishedCount: number
  /** the offset from which the text is parsed again */
  cut: number
  /** of the first block that is not final */
  beginning: BlockBeginning | undefined
  /** it has footnotes or link targets, or exceeds the markdown limits: only a parse of the whole text is correct */
  needsFullParse: boolean
  /** the offset of a formula of several lines that has no end yet; Infinity: there is none */
  openFrom: number
  /** the work of the last parse, and of those before it that belong to it, see `limitSteps` */
  steps: number
}

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

/** Two rows or items are not final: the last one is still written, and it decides where the one before ends. */
const openChildCount = 2
/** Lines of code are moved in batches: each move copies the code so far. */
const minMovedLines = 16

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
  // the parser disagrees with the cut: parse everything
  if (beginning && parsed[0]?.node.type !== beginning.kind)
    return updateDocument(markdown, emptyDocument, maxSteps - steps)
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

/** Long for a paragraph, but few lines even if each has a single character. */
const stepCharacters = 2_000

/**
 * Parses a text step by step, as if it streamed: the cost of a single parse grows with the square of the number of blocks.
 * @returns as `updateDocument`
 */
export function parseInSteps(markdown: string, earlier = emptyDocument): IncrementalDocument {
  let document = earlier
  let stepsLeft = toMaxSteps(markdown)
  const parseUpTo = (end: number | undefined) => {
    document = updateDocument(markdown.slice(0, end), document, stepsLeft)
    stepsLeft -= document.steps
  }
  for (;;) {
    const { text, cut } = document
    // what could not be cut is parsed again, so the next step is as long
    const lineEnd = markdown.indexOf('\n', text.length + Math.max(stepCharacters, text.length - cut))
    if (lineEnd < 0) break
    parseUpTo(lineEnd + 1)
  }
  parseUpTo(undefined)
  return document
}

/** Otherwise, footnotes and reference links of a text that `needsFullParse` stay as they are written. */
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
  // a sentence behind a closing fence, which would begin a block of code
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

/** Splits the final beginning off a list, table or code block. */
function splitBlock(
  tail: string,
  { node, start, childOffsets }: ParsedBlock,
  { end, openFrom }: { end: number; openFrom: number },
  block: Block,
  earlier: BlockBeginning | undefined,
): { cut: number; beginning: BlockBeginning } | undefined {
  const canCutAt = (offset: number | undefined): offset is number =>
    offset !== undefined && offset <= openFrom
  if (node.type === 'list' && block.node?.type === 'list') {
    const cut = childOffsets.at(-openChildCount)
    if (childOffsets.length <= openChildCount || !canCutAt(cut)) return undefined
    const count = node.children.length - openChildCount
    const isLoose = node.children
      .slice(0, count)
      .some((item, index) => item.spread === true || hasGap(item, node.children[index + 1]))
    const wasLoose = earlier?.kind === 'list' && earlier.isLoose
    const items = block.node.children.slice(0, -openChildCount)
    return {
      cut,
      beginning: {
        kind: 'list',
        offset: block.offset,
        prefix: '',
        items,
        isLoose: isLoose || wasLoose,
        firstNumber: block.node.start,
      },
    }
  }
  if (node.type === 'table' && block.node?.type === 'table') {
    const cut = childOffsets.at(-openChildCount)
    // each part of the table needs the header
    if (childOffsets.length <= openChildCount + 1 || !canCutAt(cut)) return undefined
    const prefix = tail.slice(start, childOffsets[1])
    return {
      cut,
      beginning: {
        kind: 'table',
        offset: block.offset,
        prefix,
        items: block.node.children.slice(0, -openChildCount),
      },
    }
  }
  if (node.type === 'code' && block.node?.type === 'code') {
    const prefix = /^ {0,3}(?:`{3}|~{3})[^\n]*\n/.exec(tail.slice(start, end))?.[0]
    if (prefix === undefined) return undefined
    const lines = node.value.split('\n')
    const count = countFinalLines(lines, prefix, node.lang ?? '')
    if (count < minMovedLines) return undefined
    let cut = start + prefix.length
    for (let line = 0; line < count; line += 1) cut = tail.indexOf('\n', cut) + 1
    if (!canCutAt(cut)) return undefined
    const code = [...(earlier?.kind === 'code' ? [earlier.code] : []), ...lines.slice(0, count)].join('\n')
    return { cut, beginning: { kind: 'code', offset: block.offset, prefix, code } }
  }
  return undefined
}

/** The lines of code after which the rest can be parsed by itself; not within a block of a document. */
function countFinalLines(lines: readonly string[], prefix: string, language: string): number {
  const count = lines.length - openChildCount
  const [fence = ''] = /`{3,}|~{3,}/.exec(prefix) ?? []
  return !isMarkdownLanguage(language) || countOpenBlocks(lines.slice(0, count), fence) === 0 ? count : 0
}

/** Whether a blank line separates two items. */
function hasGap(item: ListItem, next: ListItem | undefined): boolean {
  return (item.position?.end.line ?? 0) + 1 < (next?.position?.start.line ?? 0)
}

/** Joins the final beginning of a block with its parsed rest. */
function joinBlock(beginning: BlockBeginning, node: RootContent): RootContent {
  if (beginning.kind === 'list' && node.type === 'list')
    return setItemValues({
      ...node,
      start: beginning.firstNumber,
      spread: beginning.isLoose || node.spread,
      children: [...beginning.items, ...node.children],
    } as List)
  if (beginning.kind === 'table' && node.type === 'table')
    return { ...node, children: [...beginning.items, ...node.children.slice(1)] } as Table
  if (beginning.kind === 'code' && node.type === 'code')
    return { ...node, value: `${beginning.code}\n${node.value}` } as Code
  throw new Error(`the rest of a ${beginning.kind} was parsed as ${node.type}`)
}

/**
 * The blocks to show while streaming: partial syntax in the last one is completed or hidden. A formula with blank lines is several blocks
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
