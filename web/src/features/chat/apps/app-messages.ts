import type { ToolCall } from '#shared/contracts/chat.ts'
import { parseWebPage } from '../../../lib/browser/web-page.ts'

/* The JSON-RPC messages between an app and the page (SEP-1865). What an app sends is untrusted: the sandbox has copied it as JSON. */

/** Longer ids, names and addresses are refused: no app needs them. */
const maxCharacters = { id: 200, name: 200, url: 2_000 }

/** A request (with an id), a notification, or a response (without a method). */
export interface JsonRpcMessage {
  id?: string | number
  method?: string
  params: Record<string, unknown>
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a message. @returns undefined for anything but JSON-RPC 2.0 */
export function parseMessage(data: unknown): JsonRpcMessage | undefined {
  if (!isRecord(data) || data['jsonrpc'] !== '2.0') return undefined
  const { id, method, params } = data
  if (id !== undefined && typeof id !== 'number' && (typeof id !== 'string' || id.length > maxCharacters.id))
    return undefined
  if (method !== undefined && typeof method !== 'string') return undefined
  return {
    ...(id !== undefined && { id }),
    ...(method !== undefined && { method }),
    params: isRecord(params) ? params : {},
  }
}

/** Parses the tool call that an app requests. @returns undefined if it is invalid */
export function parseToolCall({ name, arguments: args = {} }: Record<string, unknown>) {
  if (typeof name !== 'string' || name === '' || name.length > maxCharacters.name || !isRecord(args))
    return undefined
  return { name, arguments: args }
}

/** Parses the height of an app's content, in CSS pixels. @returns undefined if it is invalid */
export const parseHeight = ({ height }: Record<string, unknown>): number | undefined =>
  typeof height === 'number' && Number.isFinite(height) ? height : undefined

/** Parses the web page that an app wants to open. @returns undefined if it is none, or its URL has credentials */
export function parseLink({ url }: Record<string, unknown>): URL | undefined {
  const page = typeof url === 'string' && url.length <= maxCharacters.url ? parseWebPage(url) : undefined
  return page && page.username === '' && page.password === '' ? page : undefined
}

/** Longer messages are not suggested: nobody reads them before they are sent. */
const maxSuggestionCharacters = 4_000

/** Parses the text of a message that an app suggests, in one block or several. @returns undefined if there is none, or it is too long */
export function parseSuggestion({ content }: Record<string, unknown>): string | undefined {
  const blocks: unknown[] = Array.isArray(content) ? content : [content]
  const texts = blocks.flatMap((block) =>
    isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
  )
  const text = texts.join('\n').trim()
  return text === '' || text.length > maxSuggestionCharacters ? undefined : text
}

/** Converts the result of a call to the form of MCP (`CallToolResult`). */
export function toCallToolResult({
  success,
  data,
  structured = false,
  error = '',
}: Pick<ToolCall['result'], 'success' | 'data' | 'structured' | 'error'>): object {
  if (!success) return { content: [{ type: 'text', text: error }], isError: true }
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
  return {
    content: [{ type: 'text', text }],
    ...(structured && isRecord(data) && { structuredContent: data }),
  }
}
