import type { Html, Nodes, Parents, RootContent } from 'mdast'

const opening = /^<details\b([^<>]*)>/i
const closing = /^\s*<\/details>(?<rest>[^]*)$/i
const tags = /<(\/?)details\b[^<>]*>/gi

/** What a block of HTML says about hidden text. */
interface DetailsMark {
  /** whether hidden text begins or ends here, or both */
  mark: 'open' | 'close' | 'whole'
  summary: string
  /** hidden Markdown in the same block of HTML */
  content: string
  /** Markdown in the same block after `</details>` */
  after: string
}

const removeTags = (html: string) =>
  html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Finds `</details>`. @returns its offset and that after it; undefined if it is not in this block of HTML */
function findEnd(html: string): [end: number, rest: number] | undefined {
  let depth = 0
  for (const match of html.matchAll(tags)) {
    depth += match[1] === '' ? 1 : -1
    if (depth < 0) return [match.index, match.index + match[0].length]
  }
  return undefined
}

/** Splits `<summary>` from what follows. One that is still being written has no end. */
function readSummary(html: string): { summary: string; rest: string } {
  const [whole = '', summary = ''] = /^<summary>([^]*?)(?:<\/summary>|$)/i.exec(html) ?? []
  return { summary, rest: html.slice(whole.length) }
}

/** Reads a block of HTML that begins or ends hidden text. @returns undefined for other HTML */
function readMark(html: string): DetailsMark | undefined {
  const end = closing.exec(html)?.groups
  if (end) return { mark: 'close', summary: '', content: '', after: (end['rest'] ?? '').trim() }
  const [tag, attributes = ''] = opening.exec(html) ?? []
  // GitHub's own attribute; with others it is HTML of another kind
  if (tag === undefined || !/^(?:open(?:="[^"]*")?)?$/i.test(attributes.trim())) return undefined
  const { summary, rest } = readSummary(html.slice(tag.length).trimStart())
  const [contentEnd, restStart] = findEnd(rest) ?? []
  return {
    mark: contentEnd === undefined ? 'open' : 'whole',
    summary: removeTags(summary),
    content: rest.slice(0, contentEnd).trim(),
    after: restStart === undefined ? '' : rest.slice(restStart).trim(),
  }
}

/** A node that marks where hidden text begins or ends. */
export interface DetailsNode extends Html {
  details: Pick<DetailsMark, 'mark' | 'summary'>
  content: readonly RootContent[]
  after: readonly RootContent[]
}

/** Whether a node marks where hidden text begins or ends. */
export const isDetails = (node: Nodes | undefined): node is DetailsNode =>
  node !== undefined && 'details' in node

/**
 * Converts a block of HTML with `<details>`.
 * @param parse parses the Markdown in the block
 * @returns undefined for other HTML
 */
export function toDetails(
  html: Html,
  parse: (markdown: string) => readonly RootContent[],
): DetailsNode | undefined {
  const details = readMark(html.value)
  if (!details) return undefined
  const { content, after } = details
  return {
    ...html,
    details,
    content: content === '' ? [] : parse(content),
    after: after === '' ? [] : parse(after),
  }
}

/** A part of a text: an item that is not hidden, or hidden items with their summary. */
export interface Section<Item> {
  /** undefined for what is not hidden; empty if the hidden text has no label */
  summary: string | undefined
  /** the item, or the one that begins the hidden text */
  start: Item
  /** nodes from the same block of HTML; they replace `start` if they are not hidden */
  parsed: readonly RootContent[]
  /** what is hidden */
  sections: readonly Section<Item>[]
}

/** How deep sections may be nested, more than replies need: each is rendered inside the other. Deeper ones become siblings. */
const maxDepth = 8

/**
 * Extension: `<details>` hides the Markdown between it and `</details>`, or to the end if it is not closed. Groups items accordingly.
 * @param getNode returns the node of an item; undefined for plain text
 */
export function groupDetails<Item>(
  items: readonly Item[],
  getNode: (item: Item) => Nodes | undefined,
): readonly Section<Item>[] {
  const root: Section<Item>[] = []
  const stack = [root]
  for (const item of items) {
    const node = getNode(item)
    const sections = stack.at(-1) ?? root
    if (!isDetails(node)) {
      sections.push({ summary: undefined, start: item, parsed: [], sections: [] })
      continue
    }
    const { mark, summary } = node.details
    if (mark === 'close') {
      if (stack.length > 1) stack.pop()
    } else {
      const inner: Section<Item>[] = []
      sections.push({ summary, start: item, parsed: node.content, sections: inner })
      // too deep: the same list is pushed again, so that each end still pops one
      if (mark === 'open') stack.push(stack.length < maxDepth ? inner : sections)
    }
    if (node.after.length > 0)
      (stack.at(-1) ?? root).push({ summary: undefined, start: item, parsed: node.after, sections: [] })
  }
  return root
}

/** Whether any of the blocks hides others. */
const hasDetails = (nodes: Iterable<Nodes | undefined>): boolean => {
  for (const node of nodes) if (isDetails(node)) return true
  return false
}

/** Converts sections to nodes, of which those that hide others become `<details>` in HTML. */
const toNodes = (sections: readonly Section<Nodes>[], formatSummary: (summary: string) => string): Nodes[] =>
  sections.flatMap(({ summary, start, parsed, sections: inner }) => {
    if (summary === undefined) return parsed.length > 0 ? [...parsed] : [start]
    const label = {
      type: 'paragraph',
      data: { hName: 'summary' },
      children: [{ type: 'text', value: formatSummary(summary) }],
    }
    return {
      type: 'paragraph',
      data: { hName: 'details' },
      children: [label, ...parsed, ...toNodes(inner, formatSummary)],
    } as Nodes
  })

/**
 * Groups what is hidden in a node and below it, in place. For trees that are rendered as a whole; `markdown.tsx` groups the blocks of a reply.
 * @param formatSummary returns the label for a summary, which may be empty
 */
export function nestDetails(parent: Parents, formatSummary: (summary: string) => string): void {
  const children = parent.children as Nodes[]
  if (hasDetails(children)) {
    const sections = groupDetails(children, (node) => node)
    parent.children = toNodes(sections, formatSummary) as typeof parent.children
  }
  for (const child of parent.children) if ('children' in child) nestDetails(child, formatSummary)
}
