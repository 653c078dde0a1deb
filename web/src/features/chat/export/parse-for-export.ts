import type { Root, RootContent } from 'mdast'
// The chat has loaded this module with the parser. Without the import, the bundler would split the parser into several chunks.
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

/** Parses a reply into the same blocks as the page shows. A block that the page shows as plain text becomes a paragraph. */
export function parseForExport(text: string): Root {
  const document = parseInSteps(text)
  const whole =
    document.needsFullParse && isParsedAtOnce(document.text) ? parseMarkdown(document.text) : undefined
  const children =
    whole?.blocks.map(({ node }) => node) ??
    document.blocks.map(({ node, source }) => node ?? toParagraph(source))
  // a copy of the list, because `nestDetails` changes it and the page keeps its nodes
  const root: Root = { type: 'root', children: [...children] }
  nestDetails(root, formatSummary)
  return root
}
