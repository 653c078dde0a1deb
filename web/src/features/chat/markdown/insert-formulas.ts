import type { Nodes, Parents, PhrasingContent } from 'mdast'
import { restoreSource, splitAtPlaceholders, type HiddenPart } from './math-placeholders.ts'

/** The name of the element of a formula in the syntax tree. Markdown itself cannot have such an element. */
export const formulaTag = 'formula'

/** Replaces the placeholders in a parsed tree by formulas, in place; in code and URLs by their source text. */
export function insertFormulas(parent: Parents, hiddenParts: readonly HiddenPart[]): void {
  const children = parent.children as Nodes[]
  for (let index = 0; index < children.length; index += 1) {
    const node = children[index]
    if (!node) continue
    if (node.type === 'text') {
      const pieces = splitAtPlaceholders(node.value, hiddenParts).map(toNode)
      children.splice(index, 1, ...pieces)
      index += pieces.length - 1
      continue
    }
    // also in URLs, which are checked later, when the tree is sanitised
    const fields = node as { value?: string; url?: string; title?: string | null; alt?: string | null }
    for (const field of ['value', 'url', 'title', 'alt'] as const) {
      const text = fields[field]
      if (typeof text === 'string') fields[field] = restoreSource(text, hiddenParts)
    }
    if ('children' in node) insertFormulas(node, hiddenParts)
  }
}

function toNode(piece: string | HiddenPart): PhrasingContent {
  if (typeof piece === 'string') return { type: 'text', value: piece }
  const { tex, displayMode } = piece
  return {
    type: 'text',
    value: '',
    data: {
      hName: formulaTag,
      hProperties: { tex, display: displayMode ? 'block' : 'inline' },
      hChildren: [],
    },
  } as PhrasingContent
}
