import type { CallToolResult } from '@modelcontextprotocol/client'
import { decodeText } from '../platform/untrusted-file.ts'
import { isDeeperThan, maxUntrustedDepth } from '../platform/http/json-depth.ts'
import { cleanData, cleanText } from '../platform/untrusted-text.ts'

/** Maximum size of a result; the model reads it page by page. */
const maxCharacters = 400_000

const formatKilobytes = (base64: string) => `${Math.max(1, Math.round((base64.length * 3) / 4 / 1_024))} KB`

/** Formats a content block as text; files become a description, with their text where they are one. */
function formatBlock(block: CallToolResult['content'][number]): string {
  switch (block.type) {
    case 'text':
      return cleanText(block.text, maxCharacters)
    case 'image':
    case 'audio':
      return `[${block.type === 'image' ? 'An image' : 'A sound'}, ${cleanText(block.mimeType, 100)}, ${formatKilobytes(block.data)}]`
    case 'resource': {
      const { resource } = block
      const label = `${cleanText(resource.uri, 500)}, ${cleanText(resource.mimeType ?? 'unknown type', 100)}`
      const text = 'text' in resource ? resource.text : decodeText(Buffer.from(resource.blob, 'base64'))
      return text === undefined
        ? `[${label}, ${formatKilobytes('blob' in resource ? resource.blob : '')}]`
        : `[${label}]\n${cleanText(text, maxCharacters)}`
    }
    case 'resource_link':
      return `[${cleanText(block.title ?? block.name, 200)}: ${cleanText(block.uri, 500)}] ${cleanText(block.description, 500)}`.trim()
    default:
      return '[A part of a kind that is not known here.]'
  }
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || isDeeperThan(maxUntrustedDepth, text)) return text
  try {
    // escaped characters are visible only after parsing
    return cleanData(JSON.parse(text))
  } catch {
    // text that only begins like JSON
    return text
  }
}

/** Whether a value is within the limits on size and depth. */
function isUsable(value: unknown): boolean {
  try {
    const text = JSON.stringify(value)
    return text.length <= maxCharacters && !isDeeperThan(maxUntrustedDepth, text)
  } catch {
    // beyond the engine's own stack
    return false
  }
}

/** Converts a result to data for the model: its structured content if there is any, else its text. */
export function formatResult({ content, structuredContent }: CallToolResult): unknown {
  const texts = content.map(formatBlock)
  if (structuredContent !== undefined && isUsable(structuredContent)) return cleanData(structuredContent)
  const text = texts.join('\n\n')
  if (text.length > maxCharacters)
    return `${text.slice(0, maxCharacters)}\n[The result was longer: the rest was not taken.]`
  return texts.length === 1 ? parseJson(text) : text
}

/** The server's error message of a failed call. */
export const formatError = ({ content }: Pick<CallToolResult, 'content'>): string =>
  cleanText(content.map(formatBlock).join(' '), 400) || 'The tool failed, and gave no reason.'
