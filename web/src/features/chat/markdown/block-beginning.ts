import type { Code, List, ListItem, RootContent, Table, TableRow } from 'mdast'
import { setItemValues } from './extensions/item-numbers.ts'
import { countOpenBlocks, isMarkdownLanguage } from './extensions/fences.ts'
import type { ParsedBlock } from './parse-markdown.ts'

/** A top-level block of a text. It stays the same object as long as nothing in it changes. */
export interface Block {
  /** offset of its first line, which identifies the block while text is appended */
  offset: number
  /** undefined if the text is shown as plain text */
  node: RootContent | undefined
  /** its source; of a block with a `BlockBeginning` only the rest */
  source: string
  /** a block of code without colours, diagram or chart */
  isPlainCode?: true
}

/**
 * The beginning of a list, table or code block that will not change any more, although the block may still grow. It is not parsed again; `prefix`
 * goes before the rest when that is parsed, such as the header of a table.
 */
export type BlockBeginning =
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

interface SplitBlock {
  /** offset in the parsed text from which the block has to be parsed again */
  cut: number
  beginning: BlockBeginning
}

/** The last two rows, items or lines are not final: the last one is still being written, and decides where the one before ends. */
const openChildCount = 2
/** Lines of code are added to the beginning in batches, because each addition copies the code so far. */
const minMovedLines = 16

/**
 * Splits the final beginning off a list, table or code block.
 * @param tail the text that was parsed, from the first block that is not final
 * @param parsed the block as it was parsed there
 * @param end of the block in `tail`
 * @param openFrom offset of a formula without an end; nothing after it is final
 * @param block the same block, with what was parsed before
 * @param earlier the beginning that the block had before, if any
 * @returns undefined if nothing is final yet
 */
export function splitBlock(
  tail: string,
  parsed: ParsedBlock,
  { end, openFrom }: { end: number; openFrom: number },
  block: Block,
  earlier: BlockBeginning | undefined,
): SplitBlock | undefined {
  const { node } = block
  const findSplit = () => {
    if (node?.type === 'list') return splitList(parsed, { ...block, node }, earlier)
    if (node?.type === 'table') return splitTable(tail, parsed, { ...block, node })
    if (node?.type === 'code') return splitCode(tail.slice(parsed.start, end), parsed, block, earlier)
    return undefined
  }
  const split = findSplit()
  return split && split.cut <= openFrom ? split : undefined
}

function splitList(
  { node, childOffsets }: ParsedBlock,
  { node: list, offset }: Block & { node: List },
  earlier: BlockBeginning | undefined,
): SplitBlock | undefined {
  const cut = childOffsets.at(-openChildCount)
  if (node.type !== 'list' || cut === undefined || childOffsets.length <= openChildCount) return undefined
  const isLoose = node.children
    .slice(0, -openChildCount)
    .some((item, index) => item.spread === true || hasGap(item, node.children[index + 1]))
  const wasLoose = earlier?.kind === 'list' && earlier.isLoose
  return {
    cut,
    beginning: {
      kind: 'list',
      offset,
      prefix: '',
      items: list.children.slice(0, -openChildCount),
      isLoose: isLoose || wasLoose,
      firstNumber: list.start,
    },
  }
}

function splitTable(
  tail: string,
  { node, start, childOffsets }: ParsedBlock,
  { node: table, offset }: Block & { node: Table },
): SplitBlock | undefined {
  const cut = childOffsets.at(-openChildCount)
  // each part of the table needs the header
  const minRows = openChildCount + 2
  if (node.type !== 'table' || cut === undefined || childOffsets.length < minRows) return undefined
  const prefix = tail.slice(start, childOffsets[1])
  const items = table.children.slice(0, -openChildCount)
  return { cut, beginning: { kind: 'table', offset, prefix, items } }
}

/** @param source the block in the text that was parsed */
function splitCode(
  source: string,
  { node, start }: ParsedBlock,
  { offset }: Block,
  earlier: BlockBeginning | undefined,
): SplitBlock | undefined {
  const prefix = /^ {0,3}(?:`{3}|~{3})[^\n]*\n/.exec(source)?.[0]
  if (node.type !== 'code' || prefix === undefined) return undefined
  const lines = node.value.split('\n')
  const count = countFinalLines(lines, prefix, node.lang ?? '')
  if (count < minMovedLines) return undefined
  let length = prefix.length
  for (let line = 0; line < count; line += 1) length = source.indexOf('\n', length) + 1
  const code = [...(earlier?.kind === 'code' ? [earlier.code] : []), ...lines.slice(0, count)].join('\n')
  return { cut: start + length, beginning: { kind: 'code', offset, prefix, code } }
}

/** How many lines of code are final. None if they end inside an inner block of a Markdown document, which the rest may close. */
function countFinalLines(lines: readonly string[], prefix: string, language: string): number {
  const count = lines.length - openChildCount
  const [fence = ''] = /`{3,}|~{3,}/.exec(prefix) ?? []
  return !isMarkdownLanguage(language) || countOpenBlocks(lines.slice(0, count), fence) === 0 ? count : 0
}

/** Whether a blank line separates two items. */
function hasGap(item: ListItem, next: ListItem | undefined): boolean {
  return (item.position?.end.line ?? 0) + 1 < (next?.position?.start.line ?? 0)
}

/** Joins the final beginning of a block with its parsed rest. @throws Error if the rest is of another kind */
export function joinBlock(beginning: BlockBeginning, node: RootContent): RootContent {
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
