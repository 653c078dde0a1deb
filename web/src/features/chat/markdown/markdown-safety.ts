import type { Nodes, Parents, RootContent } from 'mdast'
import { defaultSchema, type Schema } from 'hast-util-sanitize'
import { isDetails, toDetails } from './extensions/details.ts'
import { inlineElements } from './extensions/inline-tags.ts'
import { formulaTag } from './insert-formulas.ts'
import { decodePercent } from './link-target.ts'

/** Also `</br>`, which models write. */
const lineBreak = /^<\/?br\s{0,9}\/?>$/i
/** Parents in which text needs a paragraph. */
const blockParents = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

type MarkdownParser = (markdown: string) => readonly RootContent[]

/**
 * Makes untrusted Markdown harmless, in place. HTML becomes text, except `<br>` (a line break) and `<details>` (hides what follows). An image
 * becomes a link, because loading it could leak the conversation; within a link it becomes text, because links cannot be nested.
 * @param parent is changed
 * @param options.parse parses the Markdown inside a block of HTML
 * @param options.isInLink whether the parent is inside a link
 * @returns whether the tree defines footnotes or link targets
 */
export function neutraliseMarkdown(
  parent: Parents,
  { parse, isInLink = false }: { parse: MarkdownParser; isInLink?: boolean },
): boolean {
  const options = {
    parse,
    isInLink: isInLink || parent.type === 'link' || parent.type === 'linkReference',
  }
  let hasDefinitions = false
  const children = parent.children as Nodes[]
  children.forEach((node, index) => {
    const safe = neutraliseNode(node, parent, options)
    children[index] = safe
    if (node.type === 'definition' || node.type === 'footnoteDefinition') hasDefinitions = true
    if ('children' in safe && neutraliseMarkdown(safe, options)) hasDefinitions = true
  })
  return hasDefinitions
}

function neutraliseNode(
  node: Nodes,
  parent: Parents,
  { parse, isInLink }: { parse: MarkdownParser; isInLink: boolean },
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
      return isInLink ? text : { type: 'link', url: node.url, children: [text] }
    }
    case 'imageReference': {
      const { identifier, referenceType, alt } = node
      const text: Nodes = { type: 'text', value: alt || identifier }
      return isInLink ? text : { type: 'linkReference', identifier, referenceType, children: [text] }
    }
    default:
      return node
  }
}

/** Allows text, its structure, formulas and links. Nothing is loaded: no images, no other HTML. `TextLink` decides which links are shown. */
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
  // ids come from `toHast` alone, for footnotes, and already have a prefix for each message
  clobber: [],
  protocols: { href: ['http', 'https', 'mailto', 'tel', 'sandbox'] },
}

/** Without `*` and `#`, which a phone would take for commands. */
const phoneNumber = /^tel:(?:\+|%2B)?(?:[\d().-]|%20){3,40}$/i

/**
 * Finds the name of a file that a reply links to by `sandbox:` and the path that the file had where the model's code ran.
 * @returns undefined for other links
 */
export function findSandboxFile(href: string | undefined): string | undefined {
  const path = /^sandbox:([^?#]{1,1000})/i.exec(href ?? '')?.[1]
  return path === undefined ? undefined : decodePercent(path).split('/').at(-1)
}

/**
 * Whether a link may be shown as one: web pages, phone numbers, and e-mails to one address with at most a subject. Further recipients and a
 * text would be written by whoever wrote the link.
 */
export function isSafeLink(href: string | undefined): href is string {
  if (href === undefined) return false
  if (phoneNumber.test(href)) return true
  if (!/^mailto:/i.test(href)) return /^https?:\/\//i.test(href)
  if (!URL.canParse(href)) return false
  const { pathname, searchParams } = new URL(href)
  return (
    !/[,;]|%2c|%3b/i.test(pathname) &&
    [...searchParams.keys()].every((name) => name.toLowerCase() === 'subject')
  )
}
