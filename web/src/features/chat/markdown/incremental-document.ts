import type { Code, List, ListItem, RootContent, Table, TableRow } from 'mdast'
import { finishTail } from './complete-markdown.ts'
import { endsInsideMath } from './math-source.ts'
import { parseMarkdown, type ParsedBlock } from './parse-markdown.ts'
import { isTangled } from './markdown-limits.ts'

/** A top-level block; the same object as long as nothing in it changes. */
export interface Block {
  /** offset of its first line: names the block while the text only grows */
  at: number
  /** `undefined` for text that is shown as it was written */
  node: RootContent | undefined
  /** as it was written; of a list, a table or code that still grows, its end only */
  source: string
}

/** A list, table or code block whose beginning was parsed before and cannot change any more. */
type OpenBlock =
  | { kind: 'list'; at: number; prefix: ''; items: readonly ListItem[]; loose: boolean; start: List['start'] }
  | { kind: 'table'; at: number; prefix: string; items: readonly TableRow[] }
  | { kind: 'code'; at: number; prefix: string; code: string }

/** Markdown that grows at its end, parsed as far as it goes. */
export interface GrowingDocument {
  /** with one kind of line end */
  text: string
  blocks: readonly Block[]
  /** so many blocks at the beginning cannot change any more */
  settled: number
  /** offset from which on the text is parsed again when it grows */
  cut: number
  open: OpenBlock | undefined
  /** it holds what only a parse of the whole text can place: footnotes, targets of links, or marks upon marks */
  needsWhole: boolean
}

export const emptyDocument: GrowingDocument = {
  text: '',
  blocks: [],
  settled: 0,
  cut: 0,
  open: undefined,
  needsWhole: false,
}

/** Two rows or items stay open: the last is still being written, and the one before ends only where that begins. */
const openChildren = 2
/** Lines of code are handed over in lots: each costs a copy of the code so far. */
const codeLines = 16

const normalize = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll('\uFEFF', '')

/**
 * Parses a text that goes on where another ended. Blocks, items, rows and lines of code that can no longer change are taken from
 * before and never parsed again, so the cost depends on what was added, not on the length. Markdown is read line by line: once a
 * line has begun a new block, the blocks before are closed for good.
 * @returns the blocks that parsing the whole text at once gives, but for texts that `needsWhole`
 */
export function growDocument(written: string, before = emptyDocument): GrowingDocument {
  const text = normalize(written)
  const known = text.startsWith(before.text) ? before : emptyDocument
  const { cut, open } = known
  const done = known.blocks.slice(0, known.settled)
  const prefix = open?.prefix ?? ''
  const tail = prefix + text.slice(cut)
  const place = cut - prefix.length
  if (isTangled(tail)) {
    const at = open?.at ?? cut
    const plain: Block = { at, node: undefined, source: text.slice(at) }
    return { ...known, text, blocks: [...done, plain], needsWhole: true }
  }
  const { blocks: parsed, hasDefinitions } = parseMarkdown(tail)
  // a cut that the parser sees differently after all costs a parse of everything, and no reply
  if (open && parsed[0]?.node.type !== open.kind) return growDocument(written)
  const previous = new Map(known.blocks.slice(known.settled).map((block) => [block.at, block]))
  const fresh = parsed.map((block, index): Block => {
    const source = tail.slice(block.start, parsed[index + 1]?.start)
    if (index === 0 && open) return { at: open.at, node: joined(open, block.node), source }
    const at = place + block.start
    const same = previous.get(at)
    return same?.source === source ? same : { at, node: block.node, source }
  })
  const grown: GrowingDocument = {
    text,
    blocks: [...done, ...fresh],
    settled: done.length,
    cut,
    open,
    needsWhole: known.needsWhole || hasDefinitions,
  }
  return settle(grown, tail, parsed, prefix.length)
}

/** Moves the cut on, to the last place from which the rest can be parsed by itself. */
function settle(
  grown: GrowingDocument,
  tail: string,
  parsed: readonly ParsedBlock[],
  prefixLength: number,
): GrowingDocument {
  const place = grown.cut - prefixLength
  const last = parsed.findLastIndex(
    (block, index) =>
      index > 0 && isSettled(tail, block.start) && isIndependent(tail, block, parsed[index - 1]),
  )
  const first = parsed[Math.max(0, last)]
  if (!first) return grown
  const begun = last > 0
  const block = grown.blocks[grown.settled + Math.max(0, last)]
  if (!block) return grown
  const moved = begun
    ? { ...grown, settled: grown.settled + last, cut: place + first.start, open: undefined }
    : grown
  const opened = openAt(tail, first, parsed[Math.max(0, last) + 1]?.start ?? tail.length, block, moved.open)
  return opened ? { ...moved, cut: place + opened.cut, open: opened.open } : moved
}

/** Whether the line after a block's first is complete as well: the two that decide what it is, a table included. */
function isSettled(text: string, start: number): boolean {
  const end = text.indexOf('\n', start)
  return end >= 0 && text.includes('\n', end + 1)
}

/** Whether a block is parsed alike when nothing stands before it: little reaches over a blank line, and some begin anywhere. */
function isIndependent(
  text: string,
  { node, kind, start }: ParsedBlock,
  previous: ParsedBlock | undefined,
): boolean {
  // indented code and HTML go on until something else begins, and an empty item does not begin there
  if (kind === 'indented code' || previous?.kind === 'html' || previous?.kind === 'indented code')
    return false
  const lineBefore = text.slice(text.lastIndexOf('\n', start - 2) + 1, start - 1)
  if (lineBefore.trim() === '') return true
  const begins =
    node.type === 'list' ||
    node.type === 'blockquote' ||
    /^ {0,3}(?:#{1,6}[ \t]|`{3}|~{3}|\|)/.test(text.slice(start, start + 16))
  return begins && !endsInsideMath(text.slice(0, start))
}

/** Splits what cannot change any more off the beginning of a list, table or code block. */
function openAt(
  tail: string,
  { node, start, children }: ParsedBlock,
  end: number,
  block: Block,
  before: OpenBlock | undefined,
): { cut: number; open: OpenBlock } | undefined {
  const cutAt = (offset: number | undefined): offset is number =>
    offset !== undefined && !endsInsideMath(tail.slice(start, offset))
  if (node.type === 'list' && block.node?.type === 'list') {
    const cut = children.at(-openChildren)
    if (children.length <= openChildren || !cutAt(cut)) return undefined
    const count = node.children.length - openChildren
    const loose = node.children
      .slice(0, count)
      .some((item, index) => item.spread === true || hasGap(item, node.children[index + 1]))
    const wasLoose = before?.kind === 'list' && before.loose
    const items = block.node.children.slice(0, -openChildren)
    const { start: number } = block.node
    return {
      cut,
      open: { kind: 'list', at: block.at, prefix: '', items, loose: loose || wasLoose, start: number },
    }
  }
  if (node.type === 'table' && block.node?.type === 'table') {
    const cut = children.at(-openChildren)
    // the head belongs to each part of the table
    if (children.length <= openChildren + 1 || !cutAt(cut)) return undefined
    const prefix = tail.slice(start, children[1])
    return {
      cut,
      open: { kind: 'table', at: block.at, prefix, items: block.node.children.slice(0, -openChildren) },
    }
  }
  if (node.type === 'code' && block.node?.type === 'code') {
    const prefix = /^ {0,3}(?:`{3,}|~{3,})[^\n]*\n/.exec(tail.slice(start, end))?.[0]
    if (prefix === undefined) return undefined
    const lines = node.value.split('\n')
    const count = lines.length - openChildren
    if (count < codeLines) return undefined
    let cut = start + prefix.length
    for (let line = 0; line < count; line += 1) cut = tail.indexOf('\n', cut) + 1
    if (!cutAt(cut)) return undefined
    const code = [...(before?.kind === 'code' ? [before.code] : []), ...lines.slice(0, count)].join('\n')
    return { cut, open: { kind: 'code', at: block.at, prefix, code } }
  }
  return undefined
}

/** Whether a blank line stands between two items. */
function hasGap(item: ListItem, next: ListItem | undefined): boolean {
  return (item.position?.end.line ?? 0) + 1 < (next?.position?.start.line ?? 0)
}

/** The whole of an open block, given what its end was parsed to. */
function joined(open: OpenBlock, node: RootContent): RootContent {
  if (open.kind === 'list' && node.type === 'list')
    return {
      ...node,
      start: open.start,
      spread: open.loose || node.spread,
      children: [...open.items, ...node.children],
    } as List
  if (open.kind === 'table' && node.type === 'table')
    return { ...node, children: [...open.items, ...node.children.slice(1)] } as Table
  if (open.kind === 'code' && node.type === 'code')
    return { ...node, value: `${open.code}\n${node.value}` } as Code
  throw new Error(`the rest of a ${open.kind} was read as ${node.type}`)
}

/** The blocks to show while the text is being written: in the last one, what is unfinished is completed or held back. */
export function unfinishedBlocks({ blocks, open, settled }: GrowingDocument): readonly Block[] {
  const last = blocks.at(-1)
  if (last?.node === undefined) return blocks
  const finished = finishTail(last.source)
  if (finished === last.source) return blocks
  const isOpen = open !== undefined && blocks.length === settled + 1
  const shown = parseMarkdown(finished).blocks.map(({ node, start }, index): Block => {
    const whole = isOpen && index === 0 && node.type === open.kind ? joined(open, node) : node
    return { at: last.at + start, node: whole, source: finished.slice(start) }
  })
  return [...blocks.slice(0, -1), ...shown]
}
