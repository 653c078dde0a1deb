import type { Nodes, Parents, PhrasingContent, Text } from 'mdast'
import { inlineTagNames, type InlineTagName } from '../../../../lib/text/inline-tag-names.ts'

/** What a tag becomes: a node of Markdown, an element, or its text between two other texts. */
type Meaning = { type: 'strong' | 'emphasis' | 'delete' } | { element: string } | { around: [string, string] }

const strong: Meaning = { type: 'strong' }
const emphasis: Meaning = { type: 'emphasis' }
const deleted: Meaning = { type: 'delete' }
const code: Meaning = { element: 'code' }

/** What each tag becomes. */
const meanings: Readonly<Record<InlineTagName, Meaning>> = {
  abbr: { around: ['', ''] },
  b: strong,
  cite: emphasis,
  code,
  del: deleted,
  dfn: emphasis,
  em: emphasis,
  i: emphasis,
  ins: { element: 'ins' },
  kbd: { element: 'kbd' },
  mark: { element: 'mark' },
  q: { around: ['“', '”'] },
  rp: { element: 'rp' },
  rt: { element: 'rt' },
  ruby: { element: 'ruby' },
  s: deleted,
  samp: code,
  small: { element: 'small' },
  strike: deleted,
  strong,
  sub: { element: 'sub' },
  sup: { element: 'sup' },
  tt: code,
  u: { element: 'u' },
  var: emphasis,
}

/** The names of the elements that tags may become, some more than once. */
export const inlineElements: readonly string[] = Object.values(meanings).flatMap((meaning) =>
  'element' in meaning ? meaning.element : [],
)

const tagPattern = /^<(\/?)([a-z]{1,6})>$/i
/** `<abbr title="…">`, whose title is shown after its text: touch screens and paper have no tooltips. */
const abbreviation = /^<abbr\s{1,9}title\s{0,9}=\s{0,9}(?:"([^"<>]{1,200})"|'([^'<>]{1,200})')\s{0,9}>$/i

/** A tag, or `==`, which may be both. */
interface Tag {
  name: string
  meaning: Meaning
  mayStart: boolean
  mayEnd: boolean
}

/** Data of a text node that is `==`. */
interface HighlightData {
  highlight?: Pick<Tag, 'mayStart' | 'mayEnd'>
}

const findMeaning = (name: string): Meaning | undefined =>
  inlineTagNames.some((known) => known === name) ? meanings[name as InlineTagName] : undefined

function readTag(node: Nodes): Tag | undefined {
  if (node.type === 'text') {
    const { highlight } = (node.data ?? {}) as HighlightData
    return highlight && { name: '==', meaning: { element: 'mark' }, ...highlight }
  }
  if (node.type !== 'html') return undefined
  const [, double, single] = abbreviation.exec(node.value) ?? []
  const title = double ?? single
  const [, slash = '', tagName = ''] =
    title === undefined ? (tagPattern.exec(node.value) ?? []) : ['', '', 'abbr']
  const name = tagName.toLowerCase()
  const meaning =
    title === undefined ? findMeaning(name) : { around: ['', ` (${title})`] as [string, string] }
  return meaning && { name, meaning, mayStart: slash === '', mayEnd: slash === '/' }
}

function toNodes(meaning: Meaning, children: PhrasingContent[]): PhrasingContent[] {
  if ('type' in meaning) return [{ type: meaning.type, children }]
  if ('element' in meaning) return [{ type: 'emphasis', data: { hName: meaning.element }, children }]
  const [before, after] = meaning.around.map((value): Text[] =>
    value === '' ? [] : [{ type: 'text', value }],
  )
  return [...(before ?? []), ...children, ...(after ?? [])]
}

/** How deep tags may be nested. Deeper ones stay text. */
const maxDepth = 16

/** Whether text follows a tag directly. Otherwise the tag is text, as in "<b> and </b> are tags". */
const isFollowedByText = (next: Nodes | undefined) =>
  next !== undefined && next.type !== 'break' && !(next.type === 'text' && /^\s/.test(next.value))

/**
 * Extension: tags that only mark text are applied, such as `<kbd>`, `<mark>`, `<sup>` and `<u>`, and so is `==marked==`. Any other HTML is shown
 * as text, also a tag without its counterpart, or with attributes other than the title of `<abbr>`. Changes the tree in place.
 * @param markdown the text that was parsed
 */
export function readInlineTags(parent: Parents, markdown: string): void {
  const nodes: Nodes[] = []
  const open: { name: string; index: number; meaning: Meaning }[] = []
  const children = (parent.children as Nodes[]).flatMap((node) => splitHighlights(node, markdown))
  children.forEach((node, index) => {
    if ('children' in node) readInlineTags(node, markdown)
    const tag = readTag(node)
    const start = tag?.mayEnd ? open.findLastIndex(({ name }) => name === tag.name) : -1
    const opened = open[start]
    if (opened && nodes.length > opened.index + 1) {
      open.length = start
      const [, ...inner] = nodes.splice(opened.index) as PhrasingContent[]
      nodes.push(...toNodes(opened.meaning, inner))
      return
    }
    if (tag?.mayStart && open.length < maxDepth && isFollowedByText(children[index + 1]))
      open.push({ name: tag.name, index: nodes.length, meaning: tag.meaning })
    nodes.push(node)
  })
  parent.children = nodes as typeof parent.children
}

const wordEnd = /[\p{L}\p{N}_=]$/u
const wordStart = /^[\p{L}\p{N}_=]/u
/** Scripts in which a highlight may begin or end inside a run of letters. */
const unspacedEnd = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u
const unspacedStart = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Whether `==` between two texts may begin a highlight. In "x == 1" and "x==1" it compares. */
export const beginsHighlight = (before: string, after: string): boolean =>
  /^[^\s=]/.test(after) && (!wordEnd.test(before) || unspacedEnd.test(before))
/** Whether `==` between two texts may end a highlight. */
export const endsHighlight = (before: string, after: string): boolean =>
  /[^\s=]$/.test(before) && (!wordStart.test(after) || unspacedStart.test(after))

/** Splits a text at each `==` that may begin or end a highlight. A text with an escaped `\=` is left whole. */
function splitHighlights(node: Nodes, markdown: string): Nodes[] {
  if (node.type !== 'text' || !node.value.includes('==')) return [node]
  const from = node.position?.start.offset
  const to = node.position?.end.offset
  if (from === undefined || to === undefined || markdown.slice(from, to).includes('\\=')) return [node]
  const parts = node.value.split(/(?<!=)==(?!=)/)
  return parts.flatMap((value, index): Text[] => {
    const text: Text[] = value === '' ? [] : [{ type: 'text', value }]
    if (index === 0) return text
    // at the ends of the text the source says what other nodes stand beside it, such as bold text
    const before = (parts[index - 1] ?? '').slice(-2) || markdown.slice(Math.max(0, from - 2), from)
    const after = value.slice(0, 2) || markdown.slice(to, to + 2)
    const highlight = { mayStart: beginsHighlight(before, after), mayEnd: endsHighlight(before, after) }
    return [{ type: 'text', value: '==', data: { highlight } as object }, ...text]
  })
}
