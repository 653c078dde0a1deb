import type { CallToolResult } from '@modelcontextprotocol/client'
import { isDeeperThan, maxUntrustedDepth } from '../platform/http/json-depth.ts'
import { cleanData, cleanText } from '../platform/untrusted-text.ts'

/** What of a result is taken at all; the model reads it part by part. */
const maxCharacters = 400_000

const kilobytes = (base64: string) => `${Math.max(1, Math.round((base64.length * 3) / 4 / 1_024))} KB`

/** Any part of a result as text; what is no text is named. */
function formatBlock(block: CallToolResult['content'][number]): string {
  switch (block.type) {
    case 'text':
      return cleanText(block.text, maxCharacters)
    case 'image':
    case 'audio':
      return `[${block.type === 'image' ? 'A picture' : 'A sound'}, ${cleanText(block.mimeType, 100)}, ${kilobytes(block.data)}: it cannot be shown here.]`
    case 'resource': {
      const { resource } = block
      const label = `${cleanText(resource.uri, 500)}, ${cleanText(resource.mimeType ?? 'unknown type', 100)}`
      return 'text' in resource
        ? `[${label}]\n${cleanText(resource.text, maxCharacters)}`
        : `[${label}, ${kilobytes(resource.blob)}: it cannot be shown here.]`
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
    // what stands escaped in the text is a character only now
    return cleanData(JSON.parse(text))
  } catch {
    // text that only begins like JSON
    return text
  }
}

/** Short enough, and not deeper than anybody writes. */
function isUsable(value: unknown): boolean {
  try {
    const text = JSON.stringify(value)
    return text.length <= maxCharacters && !isDeeperThan(maxUntrustedDepth, text)
  } catch {
    // beyond the engine's own stack
    return false
  }
}

/** What a server answered, as data for the model: the structured part where there is one, else its text. */
export function formatResult({ content, structuredContent }: CallToolResult): unknown {
  const texts = content.map(formatBlock)
  if (structuredContent !== undefined && isUsable(structuredContent)) return cleanData(structuredContent)
  const text = texts.join('\n\n')
  if (text.length > maxCharacters)
    return `${text.slice(0, maxCharacters)}\n[The result was longer: the rest was not taken.]`
  return texts.length === 1 ? parseJson(text) : text
}

/** What a server says of a call that failed. */
export const formatError = ({ content }: Pick<CallToolResult, 'content'>): string =>
  cleanText(content.map(formatBlock).join(' '), 400) || 'The tool failed, and gave no reason.'
