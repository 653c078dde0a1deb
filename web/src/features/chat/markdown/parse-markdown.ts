import { t } from '@lingui/core/macro'
import type { Nodes, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { newlineToBreak } from 'mdast-util-newline-to-break'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough'
import { gfm } from 'micromark-extension-gfm'
import { limitSteps, stepCounter } from './step-limit.ts'
import { markUrlEnds } from './extensions/url-ends.ts'
import { markAlerts } from './extensions/alerts.ts'
import { denseHeadings } from './extensions/dense-headings.ts'
import { markLooseBold } from './extensions/loose-bold.ts'
import { isIndentedCode, straightenItems } from './extensions/aligned-items.ts'
import { nestDetails } from './extensions/details.ts'
import { innerLists } from './extensions/inner-lists.ts'
import { withInnerFences } from './extensions/inner-fences.ts'
import { modelFences } from './extensions/model-fences.ts'
import { shallowLists } from './extensions/shallow-lists.ts'
import { markTablePipes } from './extensions/table-pipes.ts'
import { readInlineTags } from './extensions/inline-tags.ts'
import { readItemNumbers } from './extensions/item-numbers.ts'
import { neutraliseMarkdown } from './markdown-safety.ts'
import { restoreSource, type HiddenPart } from './math-placeholders.ts'
import { extractMath } from './math-source.ts'
import { insertFormulas } from './insert-formulas.ts'

/** A parsed top-level block, with its position in the text. */
export interface ParsedBlock {
  node: RootContent
  /** the type that it had before HTML was converted to text */
  sourceKind: RootContent['type'] | 'indented code'
  /** offset of the beginning of its first line */
  start: number
  /** offsets of the beginnings of the lines on which its children (items, rows) begin */
  childOffsets: readonly number[]
}

/** The result of a parse. */
export interface ParsedMarkdown {
  blocks: readonly ParsedBlock[]
  /** whether it defines footnotes or targets of links, which may be used anywhere in the text */
  hasDefinitions: boolean
  /** what the parse has cost, see `limitSteps` */
  steps: number
  /** offset of a formula of several lines that has no end yet, or of a document whose end is not known yet; Infinity if there is none */
  openFrom: number
}

/**
 * The steps that the parse of a text may take. They grow with its length, up to about half a second. An ordinary reply takes 10 steps per
 * character, a quote 40, and a list of short items inside each other 100.
 */
export const toMaxSteps = (text: string): number => 200_000 + 120 * Math.min(text.length, 40_000)

const strikethrough = { singleTilde: false }

/**
 * GitHub's Markdown as models write it. Each of our extensions says what CommonMark makes of the same text. The extensions for Chinese and
 * Japanese allow emphasis without spaces beside it.
 */
const syntax = {
  extensions: [
    gfm(strikethrough),
    cjkFriendlyExtension(),
    gfmStrikethroughCjkFriendly(strikethrough),
    denseHeadings,
    modelFences,
    shallowLists,
    // later extensions are tried first: this one before the lists
    innerLists,
    stepCounter,
  ],
  mdastExtensions: [gfmFromMarkdown()],
}

/**
 * Parses GitHub's Markdown with formulas. HTML becomes text, an image a link, and each line end a line break.
 * @param maxSteps see `limitSteps`
 * @returns undefined for degenerate Markdown, as models sometimes produce it, which would take minutes or overflow the stack
 */
export function parseMarkdown(text: string, maxSteps = toMaxSteps(text)): ParsedMarkdown | undefined {
  return parseNested(text, maxSteps, 0)
}

/** How deep `<details>` may stand in `<details>`; deeper ones are plain text. Each level is a parse of its own. */
const maxNesting = 3

function parseNested(text: string, maxSteps: number, nesting: number): ParsedMarkdown | undefined {
  const { markdown: withoutMath, hiddenParts, openFrom: openFormula = Infinity } = extractMath(text)
  const markdown = markTablePipes(markLooseBold(markUrlEnds(withoutMath)))
  const limited = limitSteps(maxSteps, () => withInnerFences(markdown, () => fromMarkdown(markdown, syntax)))
  if (!limited) return undefined
  const { result: tree, openFrom: openDocument } = limited.result
  let { steps } = limited
  /** Parses the Markdown in a block of HTML. It becomes one paragraph if it would take too many steps. */
  const parseInner = (source: string): RootContent[] => {
    const parsed = nesting < maxNesting ? parseNested(source, maxSteps - steps, nesting + 1) : undefined
    steps += parsed?.steps ?? 0
    return (
      parsed?.blocks.map(({ node }) => node) ?? [
        { type: 'paragraph', children: [{ type: 'text', value: source }] },
      ]
    )
  }
  const positions = listPositions(tree, markdown, hiddenParts)
  readInlineTags(tree, markdown)
  readItemNumbers(tree, markdown)
  const parseHidden = (source: string) => parseInner(restoreSource(source, hiddenParts))
  const hasDefinitions = neutraliseMarkdown(tree, { parse: parseHidden })
  straightenItems(tree, markdown, parseHidden)
  markAlerts(tree)
  newlineToBreak(tree)
  insertFormulas(tree, hiddenParts)
  for (const node of tree.children) if ('children' in node) nestDetails(node, formatSummary)
  return {
    blocks: positions.map((position, index) => ({
      node: (tree as Root).children[index] as RootContent,
      ...position,
    })),
    hasDefinitions,
    steps,
    openFrom:
      openDocument === Infinity
        ? openFormula
        : Math.min(openFormula, restoreSource(markdown.slice(0, openDocument), hiddenParts).length),
  }
}

/** Lists the positions of the blocks of a tree, in the text with its formulas. */
function listPositions(
  tree: Root,
  markdown: string,
  hiddenParts: readonly HiddenPart[],
): Omit<ParsedBlock, 'node'>[] {
  const findLineStart = (node: Nodes) => {
    const offset = node.position?.start.offset ?? 0
    const lineStart = markdown.lastIndexOf('\n', offset - 1) + 1
    return offset === 0 ? 0 : restoreSource(markdown.slice(0, lineStart), hiddenParts).length
  }
  return tree.children.map((node) => ({
    start: findLineStart(node),
    sourceKind: isIndentedCode(node, markdown) ? 'indented code' : node.type,
    childOffsets: node.type === 'list' || node.type === 'table' ? node.children.map(findLineStart) : [],
  }))
}

/** The label of hidden text; a general one if the text has none. */
export const formatSummary = (summary: string): string => summary || t`Details`
