import { randomUUID } from 'node:crypto'
import type { ModelRequest } from './model-request.ts'
import type { ToolCall } from './tool-choice.ts'
import type { WebSearch } from './web-search.ts'

/** What the demo model does with a request. */
export type Reply = { kind: 'text'; text: string; search?: WebSearch } | { kind: 'tools'; calls: ToolCall[] }

/** A reply as it is sent. */
export interface ReplyParts {
  text: string[]
  calls: { id: string; name: string; argumentTokens: string[] }[]
  /** before the text, which cites its pages */
  search: WebSearch | undefined
  /** the text ends at a limit of tokens */
  isCut: boolean
  inputTokens: number
  outputTokens: number
}

/** Up to eight characters of a word together with the white space before it, much as real tokenizers cut text; joined they are the text. */
export const splitTokens = (text: string): string[] => text.match(/\s*\S{1,8}|\s+$/gu) ?? []

/** @param maxTokens of text */
export function toReplyParts(
  { messages }: Pick<ModelRequest, 'messages'>,
  reply: Reply,
  maxTokens = Infinity,
): ReplyParts {
  const all = reply.kind === 'text' ? splitTokens(reply.text) : []
  const text = all.slice(0, maxTokens)
  const calls = (reply.kind === 'tools' ? reply.calls : []).map((call) => ({
    id: `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
    name: call.name,
    argumentTokens: splitTokens(JSON.stringify(call.arguments)),
  }))
  return {
    text,
    calls,
    search: reply.kind === 'text' ? reply.search : undefined,
    isCut: text.length < all.length,
    inputTokens: messages.reduce((sum, message) => sum + splitTokens(message.text).length + 4, 0),
    // a call counts one token more than its arguments: its name
    outputTokens: calls.reduce((sum, { argumentTokens }) => sum + argumentTokens.length + 1, text.length),
  }
}
