import type { Emphasis, Nodes, Parents, PhrasingContent } from 'mdast'

const tag = /^<(\/?)(su[bp])>$/i

/**
 * Extension: `<sup>` and `<sub>` raise and lower text, because 10<sup>3</sup> without them is another number. Other tags, those with
 * attributes and those without their other half stay HTML.
 */
export function raiseText(parent: Parents): void {
  const kept: Nodes[] = []
  const open: { name: string; at: number }[] = []
  for (const node of parent.children as Nodes[]) {
    if ('children' in node) raiseText(node)
    const [, slash, name = ''] = (node.type === 'html' && tag.exec(node.value)) || []
    const last = open.at(-1)
    if (slash === '/' && last?.name === name.toLowerCase()) {
      open.pop()
      const [, ...children] = kept.splice(last.at) as PhrasingContent[]
      kept.push({ type: 'emphasis', data: { hName: last.name }, children } satisfies Emphasis)
      continue
    }
    if (slash === '') open.push({ name: name.toLowerCase(), at: kept.length })
    kept.push(node)
  }
  parent.children = kept as typeof parent.children
}
