import { t } from '@lingui/core/macro'
import type { Code, ListItem, Nodes, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { newlineToBreak } from 'mdast-util-newline-to-break'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough'
import { gfm } from 'micromark-extension-gfm'
import { fullWidthPunctuation } from '../../../lib/text/characters.ts'
import { markAlerts } from './extensions/alerts.ts'
import { denseHeadings } from './extensions/dense-headings.ts'
import { nestDetails } from './extensions/details.ts'
import { readInlineTags } from './extensions/inline-tags.ts'
import { withInnerFences } from './extensions/inner-fences.ts'
import { innerLists } from './extensions/inner-lists.ts'
import { readItemNumbers } from './extensions/item-numbers.ts'
import { markLooseBold } from './extensions/loose-bold.ts'
import { modelFences } from './extensions/model-fences.ts'
import { shallowLists } from './extensions/shallow-lists.ts'
import { markTablePipes } from './extensions/table-pipes.ts'
import { insertFormulas } from './insert-formulas.ts'
import { neutraliseMarkdown } from './markdown-safety.ts'
import { type HiddenPart, restoreSource } from './math-placeholders.ts'
import { extractMath } from './math-source.ts'
import { urlEnd } from './source-marks.ts'
import { limitSteps, stepCounter } from './step-limit.ts'

/** Bare URLs that full-width punctuation follows. Those in angle brackets, and those of links with a text, have an end of their own. */
const bareUrls = new RegExp(
  String.raw`(?<![\w<]|\]\(|\]: ?)((?:https?:\/\/|www\.)[^\s<>${fullWidthPunctuation}]{1,2000})(?=[${fullWidthPunctuation}])`,
  'gi',
)
const emphasisAtEnd = /[*_~]{1,3}$/
/** Letters of scripts without blanks between words, and of Korean, whose particles stand at the word. */
const unspacedLetter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]`
/** Hosts in ASCII with such letters behind them. No top-level domain has both; `https://www.ab中.com` goes on. */
const hosts = new RegExp(
  String.raw`(?<![\w<]|\]\(|\]: ?)(?:https?:\/\/|www\.)[a-z\d.-]{1,253}\.[a-z]{2,24}(?::\d{1,5})?(?=${unspacedLetter})(?![\p{L}\p{N}-]{1,63}\.\p{L})`,
  'giu',
)

/**
 * Extension: a bare URL ends before full-width punctuation, and before marks of emphasis in front of it. GitHub's Markdown takes
 * `https://a.example，and` for one URL, because it has no space; so it does with `https://a.example英文`.
 * @returns the text with a mark after each such URL (`source-marks.ts`)
 */
const markUrlEnds = (markdown: string): string =>
  markdown
    .replaceAll(bareUrls, (url) => {
      const end = url.length - (emphasisAtEnd.exec(url)?.[0].length ?? 0)
      return url.slice(0, end) + urlEnd + url.slice(end)
    })
    .replaceAll(hosts, (host) => host + urlEnd)

/** Whether a node is code by its indent, and not between fences. */
const isIndentedCode = (node: Nodes, markdown: string): node is Code =>
  node.type === 'code' && !/[`~]/.test(markdown[node.position?.start.offset ?? 0] ?? '')

/** Removes the blanks that all lines begin with. */
function dedent(text: string): string {
  const lines = text.split('\n')
  const widths = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length)
  const width = widths.reduce((least, each) => Math.min(least, each), Infinity)
  return lines.map((line) => line.slice(width)).join('\n')
}

/** Replaces the code that an item begins with by what its text is as Markdown. */
function straighten(item: ListItem, markdown: string, parse: (inner: string) => RootContent[]): void {
  const [first, ...others] = item.children
  if (!first || !isIndentedCode(first, markdown)) return
  item.children = [...(parse(dedent(first.value)) as ListItem['children']), ...others]
}

/**
 * Extension: text that is aligned within its item (`-       text`) is text. CommonMark makes code of it, from five blanks on; a model that shows
 * code puts it between fences. Reported in langchain-ai/open-swe#2348.
 * @param parse parses Markdown within the item
 */
function straightenItems(parent: Nodes, markdown: string, parse: (inner: string) => RootContent[]): void {
  if (!('children' in parent)) return
  if (parent.type === 'listItem') straighten(parent, markdown, parse)
  for (const child of parent.children) straightenItems(child, markdown, parse)
}

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
