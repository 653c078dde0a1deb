import type { Nodes, Parents, RootContent } from 'mdast'
import { defaultSchema, type Schema } from 'hast-util-sanitize'
import { isDetails, toDetails } from './extensions/details.ts'
import { inlineElements } from './extensions/inline-tags.ts'
import { formulaTag } from './insert-formulas.ts'

/** Models also write `</br>`. */
const lineBreak = /^<\/?br\s{0,9}\/?>$/i
/** Parents in which text needs a paragraph. */
const blockParents = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/**
 * Neutralises untrusted markdown: HTML becomes text (`<br>` a line break, `<details>` hides what follows), images become links, because
 * loading an image could leak the conversation, and within a link text, because links cannot be nested.
 * @param parse for the Markdown in a block of HTML
 * @param isInLink whether the parent is within a link
 * @returns whether it defines footnotes or link targets
 */
export function neutralizeMarkdown(
  parent: Parents,
  parse: (markdown: string) => readonly RootContent[],
  isInLink = false,
): boolean {
  const isLinked = isInLink || parent.type === 'link' || parent.type === 'linkReference'
  let hasDefinitions = false
  const children = parent.children as Nodes[]
  children.forEach((node, index) => {
    const safe = neutralizeNode(node, parent, parse, isLinked)
    children[index] = safe
    if (node.type === 'definition' || node.type === 'footnoteDefinition') hasDefinitions = true
    if ('children' in safe && neutralizeMarkdown(safe, parse, isLinked)) hasDefinitions = true
  })
  return hasDefinitions
}

function neutralizeNode(
  node: Nodes,
  parent: Parents,
  parse: (markdown: string) => readonly RootContent[],
  isLinked: boolean,
): Nodes {
  switch (node.type) {
    case 'html': {
      if (lineBreak.test(node.value.trim())) return { type: 'break' }
      if (isDetails(node)) return node
      const details = blockParents.has(parent.type) ? toDetails(node, parse) : undefined
      if (details) return details
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

/** Allows text, its structure and formulas. No images, no other HTML elements, only links that `SafeLink` shows, and to files of the reply. */
export const sanitizeSchema: Schema = {
  ...defaultSchema,
  tagNames: [
    ...(defaultSchema.tagNames ?? []).filter((tag) => !['img', 'picture', 'source'].includes(tag)),
    ...inlineElements,
    formulaTag,
  ],
  attributes: {
    ...defaultSchema.attributes,
    [formulaTag]: ['tex', 'display'],
    blockquote: [...(defaultSchema.attributes?.['blockquote'] ?? []), 'dataAlert'],
  },
  // no source names an id: they are those of footnotes, which differ from message to message
  clobber: [],
  protocols: { href: ['http', 'https', 'mailto', 'tel', 'sandbox'] },
}

/** No signs that a phone would take for commands. */
const phoneNumber = /^tel:(?:\+|%2B)?(?:[\d().-]|%20){3,40}$/i

/** The name of a file that a reply links to: models name the path in the machine that their code ran on. */
export function findSandboxFile(href: string | undefined): string | undefined {
  const path = /^sandbox:([^?#]{1,1000})/i.exec(href ?? '')?.[1]
  if (path === undefined) return undefined
  try {
    return decodeURIComponent(path).split('/').at(-1)
  } catch {
    return path.split('/').at(-1)
  }
}

/** Other links are shown as text. An e-mail may name its subject only: a copy to others or a body would be written by whoever wrote the link. */
export function isSafeLink(href: string | undefined): href is string {
  if (href === undefined) return false
  if (phoneNumber.test(href)) return true
  if (!/^mailto:/i.test(href)) return /^https?:\/\//i.test(href)
  if (!URL.canParse(href)) return false
  const { pathname, searchParams } = new URL(href)
  return (
    !/,|%2c/i.test(pathname) && [...searchParams.keys()].every((name) => name.toLowerCase() === 'subject')
  )
}

const removeSigns = (phoneNumberText: string) => phoneNumberText.replaceAll(/[\s().-]/g, '')

/** The host, the e-mail address or the number to which a link leads, unless its text says so already. */
export function findHiddenTarget(href: string, text: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const { protocol, host, pathname } = new URL(href)
  const target = protocol === 'mailto:' || protocol === 'tel:' ? decodeURIComponent(pathname) : host
  if (protocol === 'tel:' && removeSigns(text) === removeSigns(target)) return undefined
  const lowerCaseText = text.toLowerCase()
  const index = lowerCaseText.indexOf(target.toLowerCase())
  // "bank.example.evil.example" does not say "bank.example"
  const isPart = /[\p{L}\p{N}.-]/u
  const end = index + target.length
  const isShown =
    index >= 0 && !isPart.test(lowerCaseText[index - 1] ?? '') && !isPart.test(lowerCaseText[end] ?? '')
  return isShown ? undefined : target
}
