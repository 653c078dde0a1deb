import type { Nodes, Parents } from 'mdast'
import { defaultSchema, type Schema } from 'hast-util-sanitize'
import { formulaTag } from './insert-formulas.ts'

const lineBreak = /^<br\s*\/?>$/i
/** Parents in which text needs a paragraph. */
const blockParents = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/**
 * Neutralises untrusted markdown: HTML becomes text (`<br>` a line break), images become links, because loading an image could leak
 * the conversation.
 * @returns whether it defines footnotes or link targets
 */
export function neutralizeMarkdown(parent: Parents): boolean {
  let hasDefinitions = false
  const children = parent.children as Nodes[]
  children.forEach((node, index) => {
    const safe = neutralizeNode(node, parent)
    children[index] = safe
    if (node.type === 'definition' || node.type === 'footnoteDefinition') hasDefinitions = true
    if ('children' in safe && neutralizeMarkdown(safe)) hasDefinitions = true
  })
  return hasDefinitions
}

function neutralizeNode(node: Nodes, parent: Parents): Nodes {
  switch (node.type) {
    case 'html': {
      if (lineBreak.test(node.value.trim())) return { type: 'break' }
      const text: Nodes = { type: 'text', value: node.value }
      return blockParents.has(parent.type) ? { type: 'paragraph', children: [text] } : text
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

/** Allows text, its structure and formulas. No images, no other HTML elements, only http(s) and mailto links. */
export const sanitizeSchema: Schema = {
  ...defaultSchema,
  tagNames: [
    ...(defaultSchema.tagNames ?? []).filter((tag) => !['img', 'picture', 'source'].includes(tag)),
    formulaTag,
  ],
  attributes: { ...defaultSchema.attributes, [formulaTag]: ['tex', 'display'] },
  protocols: { href: ['http', 'https', 'mailto'] },
}

/** Other links are shown as text. */
export function isSafeLink(href: string | undefined): href is string {
  return href !== undefined && /^(https?:\/\/|mailto:)/i.test(href)
}
