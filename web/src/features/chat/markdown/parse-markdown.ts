import type { Nodes, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { newlineToBreak } from 'mdast-util-newline-to-break'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough'
import { gfm } from 'micromark-extension-gfm'
import { limitSteps, stepCounter } from './count-steps.ts'
import { neutralizeMarkdown } from './markdown-safety.ts'
import { restoreSource, extractMath } from './math-source.ts'
import { insertFormulas } from './insert-formulas.ts'

/** A top-level block, and its position in the parsed text. */
export interface ParsedBlock {
  node: RootContent
  /** its type before HTML was converted to text */
  sourceKind: RootContent['type'] | 'indented code'
  /** offset of the beginning of its first line */
  start: number
  /** offsets of the beginnings of the lines on which its children (items, rows) begin */
  childOffsets: readonly number[]
}

export interface ParsedMarkdown {
  blocks: readonly ParsedBlock[]
  /** it defines footnotes or the targets of links, which may be used anywhere in the text */
  hasDefinitions: boolean
  /** the work of its parser, see `limitSteps` */
  steps: number
}

/**
 * The work that a text may be for its parser, which grows with its length alone, up to some half a second. A reply takes some 10 steps per
 * character, a list 30.
 */
export const toMaxSteps = (text: string): number => 200_000 + 80 * Math.min(text.length, 40_000)

const strikethrough = { singleTilde: false }

/** Chinese and Japanese have no spaces beside emphasis, so there CommonMark's rule of punctuation would leave the asterisks. */
const syntax = {
  extensions: [
    gfm(strikethrough),
    cjkFriendlyExtension(),
    gfmStrikethroughCjkFriendly(strikethrough),
    stepCounter,
  ],
  mdastExtensions: [gfmFromMarkdown()],
}

/**
 * Parses GitHub's markdown with formulas. HTML becomes text, an image a link, and each line end a line break.
 * @returns undefined for degenerate markdown, as models sometimes produce it: it would take minutes, or overflow the stack
 * @param maxSteps see `limitSteps`
 */
export function parseMarkdown(text: string, maxSteps = toMaxSteps(text)): ParsedMarkdown | undefined {
  const { markdown, formulas } = extractMath(text)
  const limited = limitSteps(maxSteps, () => fromMarkdown(markdown, syntax))
  if (!limited) return undefined
  const { result: tree, steps } = limited
  const findLineStart = (node: Nodes) => {
    const offset = node.position?.start.offset ?? 0
    const lineStart = markdown.lastIndexOf('\n', offset - 1) + 1
    return offset === 0 ? 0 : restoreSource(markdown.slice(0, lineStart), formulas).length
  }
  const positions = tree.children.map((node) => ({
    start: findLineStart(node),
    sourceKind: getSourceKind(node, markdown),
    childOffsets: node.type === 'list' || node.type === 'table' ? node.children.map(findLineStart) : [],
  }))
  const hasDefinitions = neutralizeMarkdown(tree)
  newlineToBreak(tree)
  insertFormulas(tree, formulas)
  return {
    blocks: positions.map((position, index) => ({
      node: (tree as Root).children[index] as RootContent,
      ...position,
    })),
    hasDefinitions,
    steps,
  }
}

function getSourceKind(node: RootContent, markdown: string): ParsedBlock['sourceKind'] {
  const isIndented = node.type === 'code' && !/[`~]/.test(markdown[node.position?.start.offset ?? 0] ?? '')
  return isIndented ? 'indented code' : node.type
}
