import { t } from '@lingui/core/macro'
import type { Blockquote, Nodes, Paragraph, Parents } from 'mdast'

/** The titles of alerts, by their names in Markdown. */
const titles: Readonly<Record<string, () => string>> = {
  note: () => t`Note`,
  tip: () => t`Tip`,
  important: () => t`Important`,
  warning: () => t`Warning`,
  caution: () => t`Caution`,
}
/** The first line of an alert. */
const marker = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$|(?=\S))/i

/**
 * Extension: a quote that begins with `[!NOTE]` is one of GitHub's alerts: the marker becomes its title. Everywhere else the marker stays text.
 * @param quote is changed
 */
function markAlert(quote: Blockquote): void {
  const [first] = quote.children
  if (first?.type !== 'paragraph') return
  const [text, next] = first.children
  if (text?.type !== 'text') return
  const match = marker.exec(text.value)
  const kind = match?.[1]?.toLowerCase()
  if (!match || kind === undefined) return
  text.value = text.value.slice(match[0].length)
  if (text.value === '') first.children.splice(0, next?.type === 'break' ? 2 : 1)
  const title: Paragraph = {
    type: 'paragraph',
    children: [{ type: 'strong', children: [{ type: 'text', value: titles[kind]?.() ?? kind }] }],
  }
  quote.children.splice(0, first.children.length === 0 ? 1 : 0, title)
  quote.data = { hProperties: { dataAlert: kind } }
}

/** Turns the alerts in a tree into quotes with a title and `data-alert`, in place. */
export function markAlerts(parent: Parents): void {
  for (const node of parent.children as Nodes[]) {
    if (node.type === 'blockquote') markAlert(node)
    if ('children' in node) markAlerts(node)
  }
}
