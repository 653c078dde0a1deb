import type { Code, Nodes } from 'mdast'
import type { Block } from './block-beginning.ts'
import { formulaTag } from './insert-formulas.ts'
import { maxHighlightedCharacters, maxMacroExpansions } from './markdown-limits.ts'
import { getPreviewKind } from './preview-kind.ts'

/**
 * What a text may cost to draw. The unit is an element with its text: some 0.2 ms of the main thread with its layout, measured in Chromium
 * on a slow machine. An ordinary reply of 10,000 characters costs 300.
 */
const maxCost = 9_000
/** Colours and diagrams may use so much of it; code after that stands as it was written. */
const maxCostOfExtras = 8_000

/** The costs of what is more, or less, than one element. */
const costs: Readonly<Partial<Record<Nodes['type'], number>>> = {
  text: 0,
  link: 4,
  linkReference: 4,
  footnoteReference: 4,
  footnoteDefinition: 8,
  list: 2,
  listItem: 2,
  // with buttons
  table: 25,
  code: 25,
}
const costPerCharacter = { formula: 0.4, colours: 0.25 }
const costOfFormula = { inline: 9, block: 15 }
/** A frame with a library of its own. */
const diagramCost = 700

const definitionOfMacro = /\\(?:[gex]?def|(?:re)?newcommand|providecommand|let|futurelet)(?![a-z])/gi

/** A macro repeats what it stands for. One that uses others may repeat it as often as KaTeX allows. */
function findRepetitions(tex: string): number {
  const definitions = tex.match(definitionOfMacro)?.length ?? 0
  if (definitions === 0) return 1
  return definitions === 1 ? Math.min(tex.split('\\').length, maxMacroExpansions) : maxMacroExpansions
}

/** What the colours, the diagram or the chart of a block of code cost. */
function findCostOfExtras({ lang, value }: Code): number {
  const kind = getPreviewKind(lang ?? '', value)
  if (kind === 'mermaid' || kind === 'vega-lite') return diagramCost
  return lang && value.length <= maxHighlightedCharacters ? costPerCharacter.colours * value.length : 0
}

/** Nodes that do not change are not counted again. */
const knownCosts = new WeakMap<Nodes, number>()

/** What it costs to draw a node of a syntax tree, without the extras of a block of code. */
function findCost(node: Nodes): number {
  const known = knownCosts.get(node)
  if (known !== undefined) return known
  const { hName, hProperties } = (node.data ?? {}) as {
    hName?: string
    hProperties?: { tex?: string; display?: 'block' | 'inline' }
  }
  const { tex = '', display = 'inline' } = hProperties ?? {}
  let cost =
    hName === formulaTag
      ? costOfFormula[display] + costPerCharacter.formula * tex.length * findRepetitions(tex)
      : (costs[node.type] ?? 1)
  if ('children' in node)
    for (const child of node.children)
      cost += findCost(child) + (child.type === 'code' ? findCostOfExtras(child) : 0)
  knownCosts.set(node, cost)
  return cost
}

/** The same block each time, so that it is not rendered again. */
const plainCode = new WeakMap<Block, Block>()

function toPlainCode(block: Block): Block {
  const plain = plainCode.get(block) ?? { ...block, isPlainCode: true }
  plainCode.set(block, plain)
  return plain
}

/** The blocks of a text as far as it may be drawn; what follows is one block of plain text. */
export function limitDrawing(blocks: readonly Block[], text: string): readonly Block[] {
  const drawn: Block[] = []
  let cost = 0
  for (const block of blocks) {
    const { node, offset } = block
    if (node) cost += findCost(node)
    if (cost > maxCost) return [...drawn, { offset, node: undefined, source: text.slice(offset) }]
    const extras = node?.type === 'code' ? findCostOfExtras(node) : 0
    const hasExtras = cost + extras <= maxCostOfExtras
    if (hasExtras) cost += extras
    drawn.push(hasExtras || extras === 0 ? block : toPlainCode(block))
  }
  return drawn
}
