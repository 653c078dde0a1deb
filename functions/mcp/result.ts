import { decodeText } from '../platform/untrusted-file.ts'
import { isDeeperThan, maxUntrustedDepth } from '../platform/http/json-depth.ts'
import { parseExactJson, tryParseExactJson } from '../platform/exact-json.ts'
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
      const label = [cleanText(uri, 500), cleanText(mimeType, 100)].filter((one) => one !== '').join(', ')
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

/** JSON of a value with its fields in one order. */
const toCanonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each) && !JSON.isRawJSON(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

const listValues = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null && !JSON.isRawJSON(value) ? Object.values(value) : []

/** All texts in a value, however deep. */
function listTexts(value: unknown, texts = new Set<string>()): Set<string> {
  if (typeof value === 'string') texts.add(value.trim())
  for (const each of listValues(value)) listTexts(each, texts)
  return texts
}

/**
 * Whether structured content has what a text says: it is its JSON, that of a field, or of an entry of its list, or one of its texts. The
 * protocol wants servers to repeat structured content so, and SDKs wrap in an object what is none.
 */
function createRepetitionCheck(structuredContent: unknown): (text: string) => boolean {
  const fields = listValues(structuredContent)
  const values = new Set([structuredContent, ...fields, ...fields.flatMap(listValues)].map(toCanonical))
  const texts = listTexts(structuredContent)
  return (text) => {
    if (texts.has(text.trim())) return true
    const value = isDeeperThan(maxUntrustedDepth, text) ? undefined : tryParseExactJson(text)
    return value !== undefined && values.has(toCanonical(value))
  }
}

/** What of a content block is in words, and so may be missing in structured content; files are handed over apart. */
function findWords(block: ContentBlock): string | undefined {
  if (block.type === 'text' || block.type === 'resource') return block.text
  return block.type === 'resource_link' ? block.uri : undefined
}

/**
 * What a result says besides its structured content: many servers put the text itself there, and only facts about it into the structured content
 * (https://github.com/NousResearch/hermes-agent/pull/7118).
 * @returns undefined if there is nothing, or no structured content
 */
export function formatFurtherText(
  result: Pick<ToolResult, 'content' | 'structuredContent'>,
): string | undefined {
  if (!isStructured(result)) return undefined
  const isRepetition = createRepetitionCheck(result.structuredContent)
  const texts = result.content.flatMap((block) => {
    const words = findWords(block)
    return words === undefined || isRepetition(words) ? [] : [formatBlock(block)]
  })
  const text = texts.filter((one) => one !== '').join('\n\n')
  return text === '' ? undefined : cleanText(text, maxCharacters)
}

/** An address that the user has to open is long. */
const maxErrorCharacters = 2_000

/** The server's error message of a failed call, and the details that it has besides. */
export function formatError(result: Pick<ToolResult, 'content' | 'structuredContent'>): string {
  const text = cleanText(result.content.map(formatBlock).join(' '), maxErrorCharacters)
  const details = isStructured(result) ? describeDetails(result.structuredContent, text) : ''
  const message = [text, details].filter((one) => one !== '').join(' ')
  return cleanText(message, maxErrorCharacters) || 'The tool failed, and gave no reason.'
}

/** Structured content of a failure; empty if the text has it all. */
function describeDetails(structuredContent: unknown, text: string): string {
  const data = cleanData(structuredContent)
  const parsedText = isDeeperThan(maxUntrustedDepth, text) ? undefined : tryParseExactJson(text)
  const parts = typeof data === 'object' && data !== null ? listValues(data) : [data]
  const isInText =
    (parsedText !== undefined && toCanonical(parsedText) === toCanonical(data)) ||
    parts.every((part) => typeof part === 'string' && text.includes(part.trim()))
  return isInText ? '' : JSON.stringify(data)
}
