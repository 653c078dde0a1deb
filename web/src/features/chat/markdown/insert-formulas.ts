import type { Nodes, Parents, PhrasingContent } from 'mdast'
import { putBack, splitAtMath, type Formula } from './math-source.ts'

/** The element that stands for a formula until the page draws it; markdown itself cannot write one. */
export const formulaTag = 'formula'

/** Gives formulas their place in what was read as markdown; in code and in addresses they are text as it was written. */
export function placeFormulas(parent: Parents, formulas: readonly Formula[]): void {
  if (formulas.length === 0) return
  const children = parent.children as Nodes[]
  for (let index = 0; index < children.length; index += 1) {
    const node = children[index]
    if (!node) continue
    if (node.type === 'text') {
      const pieces = splitAtMath(node.value, formulas).map(asNode)
      children.splice(index, 1, ...pieces)
      index += pieces.length - 1
      continue
    }
    const texts = node as { value?: string; url?: string; title?: string | null; alt?: string | null }
    for (const field of ['value', 'url', 'title', 'alt'] as const) {
      const text = texts[field]
      // an address is encoded by then
      if (typeof text === 'string') texts[field] = putBack(text, formulas)
    }
    if ('children' in node) placeFormulas(node, formulas)
  }
}

function asNode(piece: string | Formula): PhrasingContent {
  if (typeof piece === 'string') return { type: 'text', value: piece }
  const { tex, display } = piece
  return {
    type: 'text',
    value: '',
    data: { hName: formulaTag, hProperties: { tex, display: display ? 'block' : 'inline' }, hChildren: [] },
  } as PhrasingContent
}
