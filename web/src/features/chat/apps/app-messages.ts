import type { ToolCall } from '#shared/contracts/chat.ts'
import { parseWebPage } from '../../../lib/web-page.ts'

/* The JSON-RPC messages between an app and the page (SEP-1865). What an app sends is untrusted: the sandbox has copied it as JSON. */

export interface JsonRpcMessage {
  id?: string | number
  method?: string
  params: Record<string, unknown>
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @returns undefined for anything but a message of JSON-RPC 2.0 */
export function parseMessage(data: unknown): JsonRpcMessage | undefined {
  if (!isRecord(data) || data['jsonrpc'] !== '2.0') return undefined
  const { id, method, params } = data
  if (id !== undefined && typeof id !== 'number' && (typeof id !== 'string' || id.length > 200))
    return undefined
  if (method !== undefined && typeof method !== 'string') return undefined
  return {
    ...(id !== undefined && { id }),
    ...(method !== undefined && { method }),
    params: isRecord(params) ? params : {},
  }
}

/** The tool call that an app requests; undefined if it is invalid. */
export function parseToolCall({ name, arguments: args = {} }: Record<string, unknown>) {
  if (typeof name !== 'string' || name === '' || name.length > 200 || !isRecord(args)) return undefined
  return { name, arguments: args }
}

/** The height of an app's content; undefined if it is invalid. */
export const parseHeight = ({ height }: Record<string, unknown>): number | undefined =>
  typeof height === 'number' && Number.isFinite(height) ? height : undefined

/** The web page that an app wants to open; undefined if it is none, or its URL has credentials. */
export function parseLink({ url }: Record<string, unknown>): URL | undefined {
  const page = typeof url === 'string' && url.length <= 2_000 ? parseWebPage(url) : undefined
  return page && page.username === '' && page.password === '' ? page : undefined
}

/** Longer messages are not suggested: nobody reads them before they are sent. */
const maxSuggestionCharacters = 4_000

/** The text of a message that an app suggests; undefined if there is none. Servers send one block, or several. */
export function parseSuggestion({ content }: Record<string, unknown>): string | undefined {
  const blocks: unknown[] = Array.isArray(content) ? content : [content]
  const texts = blocks.flatMap((block) =>
    isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
  )
  const text = texts.join('\n').trim()
  return text === '' || text.length > maxSuggestionCharacters ? undefined : text
}

/** A result in the protocol's form: from what the conversation stores of it, or from the answer to a call. */
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
