import type { Definition, FootnoteDefinition, Nodes, Root } from 'mdast'

/** Reads the text of a node and of the nodes in it. */
export function readText(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? (node.children as Nodes[]).map(readText).join('') : ''
}

/** Reads the text of nodes that decides about their direction: that of their code does not, as in the page. */
export const readProse = (nodes: readonly Nodes[]): string =>
  nodes
    .map((node) => {
      if (node.type === 'inlineCode') return ' '
      return 'children' in node ? readProse(node.children) : readText(node)
    })
    .join('')

/** A formula in TeX. */
export interface Formula {
  tex: string
  display: 'block' | 'inline'
}
/** Reads a node as a formula. @returns undefined if it is none */
export const readFormula = (node: Nodes): Formula | undefined => {
  const data = node.data as { hName?: string; hProperties?: Formula } | undefined
  return data?.hName === 'formula' ? data.hProperties : undefined
}

/** Collects the targets of links and the texts of footnotes of a text, by identifier. Of several with one identifier the first counts. */
export function collectDefinitions(root: Root) {
  const definitions = new Map<string, Definition>()
  const noteTexts = new Map<string, FootnoteDefinition>()
  const pending: Nodes[] = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === 'definition' && !definitions.has(node.identifier))
      definitions.set(node.identifier, node)
    if (node.type === 'footnoteDefinition' && !noteTexts.has(node.identifier))
      noteTexts.set(node.identifier, node)
    if ('children' in node) for (const child of node.children.toReversed()) pending.push(child)
  }
  return { definitions, noteTexts }
}
