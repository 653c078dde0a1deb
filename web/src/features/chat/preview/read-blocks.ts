import type { Nodes } from 'mdast'
import { emptyDocument, parseInSteps, type IncrementalDocument } from '../markdown/incremental-document.ts'
import { getLanguageNames } from '../markdown/language-names.ts'
import type { PreviewKind } from '../preview-context.ts'
import { getPreviewKind } from '../markdown/preview-kind.ts'

/** A code block of a reply that has a preview, or may belong to a page. */
export interface ReplyBlock {
  kind: PreviewKind | 'css' | 'js'
  code: string
  /** false while it is being written */
  isComplete: boolean
  /** the name of its file, from its fence, its first comment, or the text above */
  filename?: string
}

const partKinds = new Map<string, 'css' | 'js'>([
  ['css', 'css'],
  ['js', 'js'],
  ['javascript', 'js'],
  ['mjs', 'js'],
  ['ecmascript', 'js'],
])

const endings: Record<ReplyBlock['kind'], RegExp> = {
  html: /\.x?html?$/i,
  svg: /\.svg$/i,
  css: /\.css$/i,
  js: /\.m?js$/i,
  mermaid: /\.(?:mmd|mermaid)$/i,
  'vega-lite': /\.(?:vl\.)?json$/i,
  csv: /\.[ct]sv$/i,
  markdown: /\.(?:md|markdown)$/i,
}

/** The name of a file, with or without folders. */
const filePattern = /[\p{L}\p{N}_@-][\p{L}\p{N}_@./-]{0,80}\.[a-z]{2,8}/giu
/** A longer text above a block is not taken for its caption. */
const maxCaptionCharacters = 200
const commentStart = /^\s*(?:<!--|\/\*|\/\/|%%|#)/

/** What may stand before a name in a sentence of Chinese, Japanese or Thai, which have no blanks between words. */
const unspacedWords = /^.{0,90}[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}ー](?=[\w@])/u

function findFileName(kind: ReplyBlock['kind'], ...texts: readonly string[]): string | undefined {
  for (const text of texts) {
    if (text.length > maxCaptionCharacters) continue
    const name = text.match(filePattern)?.findLast((one) => endings[kind].test(one))
    if (name !== undefined) return name.split('/').at(-1)
  }
  return undefined
}

function getText(node: Nodes | undefined): string {
  if (node === undefined) return ''
  // apart from the words beside it, which some languages join without blanks
  if (node.type === 'inlineCode') return ` ${node.value} `
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(getText).join('') : ''
}

/** Whether the source of a code block ends with its closing fence. */
function endsWithFence(source: string): boolean {
  const fence = /`{3,}|~{3,}/.exec(source)?.[0] ?? ''
  const isQuoted = source.trimStart().startsWith('>')
  const text = source.trimEnd()
  const lastLine = text.slice(text.lastIndexOf('\n') + 1)
  const last = (isQuoted ? lastLine.replace(/^[\s>]+/, '') : lastLine).trim()
  return text.includes('\n') && last.length >= fence.length && last === fence.charAt(0).repeat(last.length)
}

function readBlock(
  { lang, meta, value }: Extract<Nodes, { type: 'code' }>,
  before: Nodes | undefined,
): Omit<ReplyBlock, 'isComplete'> | undefined {
  const language = lang ?? ''
  const part = getLanguageNames(language).find((name) => partKinds.has(name))
  const kind = getPreviewKind(language, value) ?? (part === undefined ? undefined : partKinds.get(part))
  if (kind === undefined) return undefined
  const caption = before?.type === 'heading' || before?.type === 'paragraph' ? getText(before) : ''
  const [firstLine = ''] = value.split('\n', 1)
  const comment = commentStart.test(firstLine) ? firstLine : ''
  const filename =
    findFileName(kind, `${language} ${meta ?? ''}`, comment) ??
    findFileName(kind, caption)?.replace(unspacedWords, '')
  return { kind, code: value, ...(filename !== undefined && { filename }) }
}

/** Finds the code blocks of a parsed reply, as the page shows them. The last block of a reply that is streaming may be incomplete. */
function findBlocks(
  { blocks }: IncrementalDocument,
  { isStreaming }: { isStreaming: boolean },
): ReplyBlock[] {
  const replyBlocks: ReplyBlock[] = []
  let isLastBlockCode = false
  const visit = (node: Nodes | undefined, before: Nodes | undefined): void => {
    isLastBlockCode = node?.type === 'code'
    if (node?.type === 'code') {
      const block = readBlock(node, before)
      isLastBlockCode = block !== undefined
      if (block) replyBlocks.push({ ...block, isComplete: true })
    } else if (node && 'children' in node)
      node.children.forEach((child, index) => visit(child, node.children[index - 1]))
  }
  blocks.forEach(({ node }, index) => visit(node, blocks[index - 1]?.node))
  const last = replyBlocks.at(-1)
  if (isStreaming && isLastBlockCode && last && !endsWithFence(blocks.at(-1)?.source ?? ''))
    replyBlocks[replyBlocks.length - 1] = { ...last, isComplete: false }
  return replyBlocks
}

const mayHaveCode = /`{3}|~{3}|^(?: {4}|\t)/m

/** Reads the code blocks of a complete reply that have a preview or may belong to a page, in their order. */
export const readBlocks = (markdown: string): ReplyBlock[] =>
  mayHaveCode.test(markdown) ? findBlocks(parseInSteps(markdown), { isStreaming: false }) : []

/** Creates a function like `readBlocks` for a reply that is streaming: it does not parse again what it has parsed before. */
export function createBlockReader(): (markdown: string) => ReplyBlock[] {
  let document = emptyDocument
  return (markdown) => {
    document = parseInSteps(markdown, markdown.startsWith(document.text) ? document : emptyDocument)
    return findBlocks(document, { isStreaming: true })
  }
}
