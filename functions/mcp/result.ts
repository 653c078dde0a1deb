import { decodeText } from '../platform/untrusted-file.ts'
import { isDeeperThan, maxUntrustedDepth } from '../platform/http/json-depth.ts'
import { parseExactJson } from '../platform/exact-json.ts'
import { cleanData, cleanText } from '../platform/untrusted-text.ts'
import type { ContentBlock, ToolResult } from './tool-result.ts'

/** Maximum size of a result; the model reads it page by page. */
const maxCharacters = 400_000

const formatKilobytes = (base64: string) => `${Math.max(1, Math.round((base64.length * 3) / 4 / 1_024))} KB`

/** Formats a content block as text; files become a description, with their text where they are one. */
function formatBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return cleanText(block.text, maxCharacters)
    case 'image':
    case 'audio':
      return `[${block.type === 'image' ? 'An image' : 'A sound'}, ${cleanText(block.mimeType, 100)}, ${formatKilobytes(block.data)}]`
    case 'resource': {
      const { uri, mimeType = 'unknown type', blob = '' } = block
      const label = `${cleanText(uri, 500)}, ${cleanText(mimeType, 100)}`
      const text = block.text ?? decodeText(Buffer.from(blob, 'base64'))
      return text === undefined
        ? `[${label}, ${formatKilobytes(blob)}]`
        : `[${label}]\n${cleanText(text, maxCharacters)}`
    }
    case 'resource_link':
      return `[${cleanText(block.name, 200)}: ${cleanText(block.uri, 500)}] ${cleanText(block.description, 500)}`.trim()
  }
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || isDeeperThan(maxUntrustedDepth, text)) return text
  try {
    // escaped characters are visible only after parsing
    return cleanData(parseExactJson(text))
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

/** Whether a result has structured content that can be given on. */
export const isStructured = ({ structuredContent }: Pick<ToolResult, 'structuredContent'>): boolean =>
  structuredContent !== undefined && isUsable(structuredContent)

/** Converts a result to data for the model: its structured content if there is any, else its text. Numbers stay as they were written. */
export function formatResult(result: Pick<ToolResult, 'content' | 'structuredContent'>): unknown {
  const { content, structuredContent } = result
  if (isStructured(result)) return cleanData(structuredContent)
  const texts = content.map(formatBlock)
  const text = texts.join('\n\n')
  if (text.length > maxCharacters)
    return `${text.slice(0, maxCharacters)}\n[The result was longer: the rest was not taken.]`
  return texts.length === 1 ? parseJson(text) : text
}

/** An address that the user has to open is long. */
const maxErrorCharacters = 2_000

/** The server's error message of a failed call. */
export function formatError(result: Pick<ToolResult, 'content' | 'structuredContent'>): string {
  const text = cleanText(result.content.map(formatBlock).join(' '), maxErrorCharacters)
  if (text !== '') return text
  const structured = isStructured(result) ? JSON.stringify(cleanData(result.structuredContent)) : ''
  return cleanText(structured, maxErrorCharacters) || 'The tool failed, and gave no reason.'
}
