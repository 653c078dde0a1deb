import { findOutputProblem } from './schema.ts'
import type { ResourceLink } from '#shared/contracts/chat.ts'
import type { UntrustedFile } from '../platform/untrusted-file.ts'
import { cleanText, plainLine } from '../platform/untrusted-text.ts'
import { formatFurtherText, isStructured } from './result.ts'
import { describeOddities, type ContentBlock, type ToolResult } from './tool-result.ts'

/** More links of a result are given to the model alone. */
const maxLinks = 5
const maxUrlCharacters = 1_000
const maxTitleCharacters = 150

/** @returns the address if a user may open it: of a web page, without credentials */
function toWebUrl(uri: string): string | undefined {
  const url = uri.length <= maxUrlCharacters ? URL.parse(uri) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return undefined
  return url.href
}

/** The links of a result that a user may open. They are never fetched. */
function collectLinks({ content }: Pick<ToolResult, 'content'>): ResourceLink[] {
  const links = content.flatMap((block): ResourceLink[] => {
    const url = block.type === 'resource_link' ? toWebUrl(block.uri) : undefined
    if (block.type !== 'resource_link' || url === undefined) return []
    const title = plainLine(block.name, maxTitleCharacters)
    return [{ url, title: title === '' ? url : title }]
  })
  return links.slice(0, maxLinks)
}

/** The last part of a resource's address, which servers use as its name. */
function nameResource(uri: string, fallback: string): string {
  const path = (URL.parse(uri)?.pathname ?? uri).split('/').findLast((part) => part !== '') ?? ''
  try {
    return decodeURIComponent(path) || fallback
  } catch {
    return path
  }
}

function toFile(block: ContentBlock, fallbackName: string): UntrustedFile | undefined {
  const toBytes = (base64: string) => Buffer.from(base64, 'base64')
  const toType = (mimeType: string | undefined) => cleanText(mimeType?.split(';')[0] ?? '', 100).toLowerCase()
  if (block.type === 'image' || block.type === 'audio')
    return { name: fallbackName, declaredType: toType(block.mimeType), bytes: toBytes(block.data) }
  if (block.type !== 'resource' || block.blob === undefined) return undefined
  const { uri, mimeType, blob } = block
  return { name: nameResource(uri, fallbackName), declaredType: toType(mimeType), bytes: toBytes(blob) }
}

/**
 * The images, sounds and embedded files of a result.
 * @param title of the tool, for files without a name
 */
function collectFiles({ content }: Pick<ToolResult, 'content'>, title: string): UntrustedFile[] {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? []
  const fallbackName = words.slice(0, 6).join('-').toLowerCase().slice(0, 60) || 'file'
  return content.flatMap((block) => toFile(block, fallbackName) ?? [])
}

/** What a result has besides its data: files and links, untrusted. */
export interface RichContent {
  readonly files: UntrustedFile[]
  readonly links: ResourceLink[]
  /** the data is the structured content of an MCP server's result */
  isStructured?: boolean
  /** what the result says besides its structured content, for the model */
  furtherText?: string
  /** what of the result could not be read, for the model */
  oddities?: string
}

/**
 * Adds the files and links of a result, what it says besides its data, and what is odd about it.
 * @param title of the tool, for files without a name
 * @param outputSchema what structured content has to match, as its server says; sanitized
 */
export function collectRichContent(
  result: ToolResult,
  title: string,
  rich: RichContent,
  outputSchema?: Readonly<Record<string, unknown>>,
): void {
  rich.files.push(...collectFiles(result, title))
  rich.links.push(...collectLinks(result))
  rich.isStructured = isStructured(result)
  const furtherText = formatFurtherText(result)
  if (furtherText !== undefined) rich.furtherText = furtherText
  const problem =
    outputSchema && rich.isStructured ? findOutputProblem(outputSchema, result.structuredContent) : undefined
  const oddities = [
    ...[describeOddities(result) ?? []].flat(),
    ...(problem === undefined
      ? []
      : [`[This result does not match what its server says of its form: ${problem}]`]),
  ]
  if (oddities.length > 0) rich.oddities = oddities.join('\n')
}
