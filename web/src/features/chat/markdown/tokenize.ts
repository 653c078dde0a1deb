import type { LanguageFn } from 'highlight.js'
import type { ElementContent } from 'hast'
import { createLowlight } from 'lowlight'
import type { CodeToken, TokenKind } from './highlight.ts'

const lowlight = createLowlight()

/** The kinds of tokens by the prefix of their highlight.js classes. */
const kinds: readonly (readonly [TokenKind, RegExp])[] = [
  ['comment', /^hljs-(?:comment|quote|doctag|deletion)/],
  ['string', /^hljs-(?:string|regexp|char|link|addition|code)/],
  ['number', /^hljs-(?:number|literal|symbol|bullet)/],
  ['type', /^hljs-(?:type|title|class|section|attr|attribute|property|name|selector|variable|built_in)/],
  ['keyword', /^hljs-(?:keyword|tag|meta|operator|template)/],
]
const findKind = (className: string) => kinds.find(([, pattern]) => pattern.test(className))?.[0]

/** Splits code into tokens by its grammar. Their texts add up to the code. @param language the name under which the grammar is registered */
export function tokenize(code: string, language: string, grammar: LanguageFn): CodeToken[] {
  if (!lowlight.registered(language)) lowlight.register(language, grammar)
  const tokens: CodeToken[] = []
  const add = (node: ElementContent | { type: 'doctype' }, kind: TokenKind | undefined) => {
    if (node.type === 'text') {
      const last = tokens.at(-1)
      if (last && last.kind === kind) last.text += node.value
      else tokens.push(kind ? { text: node.value, kind } : { text: node.value })
    } else if (node.type === 'element') {
      const [first] = (node.properties['className'] ?? []) as readonly string[]
      // an interpolation in a string is code again
      const childKind = first === 'hljs-subst' ? undefined : (findKind(first ?? '') ?? kind)
      for (const child of node.children) add(child, childKind)
    }
  }
  for (const node of lowlight.highlight(language, code).children) add(node, undefined)
  return tokens
}
