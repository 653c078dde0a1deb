import type { Root, RootContent } from 'mdast'
// the chat has loaded it with the parser; without this, the bundler would take the parser apart
import '../markdown/markdown.tsx'
import { nestDetails } from '../markdown/extensions/details.ts'
import { parseInSteps, isParsedAtOnce } from '../markdown/incremental-document.ts'
import { formatSummary, parseMarkdown } from '../markdown/parse-markdown.ts'

const toParagraph = (text: string): RootContent => ({
  type: 'paragraph',
  children: text
    .split('\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [{ type: 'break' } as const] : []),
      { type: 'text', value: line } as const,
    ]),
})

/** The blocks of a reply as the page shows them; what the page shows as plain text is a paragraph. */
export function parseForExport(text: string): Root {
  const document = parseInSteps(text)
  const whole =
    document.needsFullParse && isParsedAtOnce(document.text) ? parseMarkdown(document.text) : undefined
  const children =
    whole?.blocks.map(({ node }) => node) ??
    document.blocks.map(({ node, source }) => node ?? toParagraph(source))
  // the page keeps the nodes, and these are changed
  const root: Root = { type: 'root', children: [...children] }
  nestDetails(root, formatSummary)
  return root
}
