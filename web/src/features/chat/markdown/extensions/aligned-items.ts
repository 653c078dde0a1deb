import type { Code, ListItem, Nodes, RootContent } from 'mdast'

/** Whether a node is code by its indent, and not between fences. */
export const isIndentedCode = (node: Nodes, markdown: string): node is Code =>
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
export function straightenItems(
  parent: Nodes,
  markdown: string,
  parse: (inner: string) => RootContent[],
): void {
  if (!('children' in parent)) return
  if (parent.type === 'listItem') straighten(parent, markdown, parse)
  for (const child of parent.children) straightenItems(child, markdown, parse)
}
