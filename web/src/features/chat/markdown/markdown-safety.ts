import type { Nodes, Parents } from 'mdast'
import { defaultSchema, type Schema } from 'hast-util-sanitize'
import { formulaTag } from './insert-formulas.ts'

const lineBreak = /^<br\s*\/?>$/i
/** Parents in which text needs a paragraph. */
const blockParents = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/**
 * Neutralises untrusted markdown: HTML becomes text (`<br>` a line break), images become links, because loading an image could leak
 * the conversation, and within a link text, because links cannot be nested.
 * @param isInLink whether the parent is within a link
 * @returns whether it defines footnotes or link targets
 */
export function neutralizeMarkdown(parent: Parents, isInLink = false): boolean {
  const isLinked = isInLink || parent.type === 'link' || parent.type === 'linkReference'
  let hasDefinitions = false
  const children = parent.children as Nodes[]
  children.forEach((node, index) => {
    const safe = neutralizeNode(node, parent, isLinked)
    children[index] = safe
    if (node.type === 'definition' || node.type === 'footnoteDefinition') hasDefinitions = true
    if ('children' in safe && neutralizeMarkdown(safe, isLinked)) hasDefinitions = true
  })
  return hasDefinitions
}

function neutralizeNode(node: Nodes, parent: Parents, isLinked: boolean): Nodes {
  switch (node.type) {
    case 'html': {
      if (lineBreak.test(node.value.trim())) return { type: 'break' }
      const text: Nodes = { type: 'text', value: node.value }
      return blockParents.has(parent.type) ? { type: 'paragraph', children: [text] } : text
    }
    case 'image': {
      const text: Nodes = { type: 'text', value: node.alt || node.url }
      return isLinked ? text : { type: 'link', url: node.url, children: [text] }
    }
    case 'imageReference': {
      const { identifier, referenceType, alt } = node
      const text: Nodes = { type: 'text', value: alt || identifier }
      return isLinked ? text : { type: 'linkReference', identifier, referenceType, children: [text] }
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

/** Other links are shown as text. An e-mail may name its subject only: a copy to others or a body would be written by whoever wrote the link. */
export function isSafeLink(href: string | undefined): href is string {
  if (href === undefined) return false
  if (!/^mailto:/i.test(href)) return /^https?:\/\//i.test(href)
  if (!URL.canParse(href)) return false
  const { pathname, searchParams } = new URL(href)
  return (
    !/,|%2c/i.test(pathname) && [...searchParams.keys()].every((name) => name.toLowerCase() === 'subject')
  )
}

/** The host, or the e-mail address, to which a link leads, unless its text says so already. */
export function findHiddenTarget(href: string, text: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const { protocol, host, pathname } = new URL(href)
  const target = protocol === 'mailto:' ? pathname : host
  const shown = text.toLowerCase()
  const index = shown.indexOf(target.toLowerCase())
  // "bank.example.evil.example" does not say "bank.example"
  const isPart = /[\p{L}\p{N}.-]/u
  const end = index + target.length
  const isShown = index >= 0 && !isPart.test(shown[index - 1] ?? '') && !isPart.test(shown[end] ?? '')
  return isShown ? undefined : target
}
