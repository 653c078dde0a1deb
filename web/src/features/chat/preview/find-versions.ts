import type { PreviewSource } from './preview-context.ts'
import { getPreviewKind } from './preview-kind.ts'

/** A code block that can be previewed. */
export interface PreviewVersion extends PreviewSource {
  /** false while it is being written */
  isComplete: boolean
  /** the reply may do what a text of others says: what runs in it has to be wanted by the user */
  readOthers?: boolean
}

interface OpenFence {
  marker: string
  language: string
  indent: number
  lines: string[]
}

const listMarker = /^(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}/
const fence = /^(?:`{3,}|~{3,})/

function openFence(line: string): OpenFence | undefined {
  const content = line.trimStart().replace(listMarker, '')
  const marker = fence.exec(content)?.[0]
  const info = content.slice(marker?.length).trim()
  if (marker === undefined || (marker.startsWith('`') && info.includes('`'))) return undefined
  return { marker, language: info.split(/\s/, 1)[0] ?? '', indent: line.length - content.length, lines: [] }
}

function closesFence(line: string, { marker }: OpenFence): boolean {
  const text = line.trim()
  return text.length >= marker.length && text === marker.charAt(0).repeat(text.length)
}

/** Removes the indentation of the list item that the block is in. */
function unindent(line: string, indent: number): string {
  const own = line.length - line.trimStart().length
  return line.slice(Math.min(own, indent))
}

/**
 * The fenced code blocks of a reply that can be previewed, in order. Blocks in quotes are not found.
 * @param isStreaming the end of the text is still being written
 */
export function findPreviewBlocks(markdown: string, isStreaming: boolean): PreviewVersion[] {
  const blocks: PreviewVersion[] = []
  let open: OpenFence | undefined
  const close = (isComplete: boolean) => {
    const code = open?.lines.join('\n') ?? ''
    const kind = open && getPreviewKind(open.language, code)
    if (kind) blocks.push({ kind, code, isComplete })
    open = undefined
  }
  for (const line of markdown.split('\n')) {
    if (!open) open = openFence(line)
    else if (closesFence(line, open)) close(true)
    else open.lines.push(unindent(line, open.indent))
  }
  if (open) close(!isStreaming)
  return blocks
}

const readWords = (code: string) => new Set(code.match(/[\p{L}\p{N}]+/gu))

/** A block counts as another version if this share of the words of the smaller one is in both. */
const minSharedWords = 0.6

function isSimilar(first: ReadonlySet<string>, second: ReadonlySet<string>): boolean {
  const [small, large] = first.size < second.size ? [first, second] : [second, first]
  let sharedCount = 0
  for (const word of small) if (large.has(word)) sharedCount += 1
  return sharedCount >= minSharedWords * small.size
}

/**
 * The versions of a block: blocks of the same kind with mostly the same words, oldest first. Equal blocks are one version.
 * @param source the block as it was when its preview was opened: it may have grown since
 */
export function findVersions(blocks: readonly PreviewVersion[], source: PreviewSource): PreviewVersion[] {
  const candidates = blocks.filter(({ kind }) => kind === source.kind)
  const start = source.code.trimEnd()
  const own =
    candidates.findLast(({ code }) => code.trimEnd() === start) ??
    candidates.findLast(({ code }) => code.startsWith(start))
  if (!own) return [{ ...source, isComplete: true }]
  const words = readWords(own.code)
  const versions = new Map<string, PreviewVersion>()
  for (const block of candidates)
    if (block.code === own.code || isSimilar(words, readWords(block.code))) {
      // a version that comes back is the newest
      versions.delete(block.code)
      versions.set(block.code, block)
    }
  return [...versions.values()]
}
