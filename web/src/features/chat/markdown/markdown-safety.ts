import type { Nodes, Parents } from 'mdast'
import { defaultSchema, type Schema } from 'hast-util-sanitize'
import { formulaTag } from './insert-formulas.ts'

const lineBreak = /^<br\s*\/?>$/i
const paragraphless = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/**
 * Makes markdown from a model or a tool harmless before it becomes elements: HTML is text (a `<br>` a line break), pictures are
 * links, because loading one from elsewhere could carry the conversation's words away.
 * @returns whether it defines footnotes or the targets of links
 */
export function disarm(parent: Parents): boolean {
  let hasDefinitions = false
  const children = parent.children as Nodes[]
  children.forEach((node, index) => {
    const harmless = replacement(node, parent)
    children[index] = harmless
    if (node.type === 'definition' || node.type === 'footnoteDefinition') hasDefinitions = true
    if ('children' in harmless && disarm(harmless)) hasDefinitions = true
  })
  return hasDefinitions
}

function replacement(node: Nodes, parent: Parents): Nodes {
  switch (node.type) {
    case 'html': {
      if (lineBreak.test(node.value.trim())) return { type: 'break' }
      const text: Nodes = { type: 'text', value: node.value }
      return paragraphless.has(parent.type) ? { type: 'paragraph', children: [text] } : text
    }
    case 'image':
      return { type: 'link', url: node.url, children: [{ type: 'text', value: node.alt || node.url }] }
    case 'imageReference':
      return {
        type: 'linkReference',
        identifier: node.identifier,
        referenceType: node.referenceType,
        children: [{ type: 'text', value: node.alt || node.identifier }],
      }
    default:
      return node
  }
}

/** What may come out: text and its structure, and places of formulas. No pictures, no HTML elements of other kinds, no links but http(s) and mailto. */
export const schema: Schema = {
  ...defaultSchema,
  tagNames: [
    ...(defaultSchema.tagNames ?? []).filter((tag) => !['img', 'picture', 'source'].includes(tag)),
    formulaTag,
  ],
  attributes: { ...defaultSchema.attributes, [formulaTag]: ['tex', 'display'] },
  protocols: { href: ['http', 'https', 'mailto'] },
}

/** Whether a link leads out of the page, to where a link may lead; anything else is shown as its text. */
export function isSafeLink(href: string | undefined): href is string {
  return href !== undefined && /^(https?:\/\/|mailto:)/i.test(href)
}
