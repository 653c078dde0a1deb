import type { ToolCall } from './tool-choice.ts'
import type { WebSearch } from './web-search.ts'
import type { ModelRequest } from './model-request.ts'
import { splitTokens, excerpt, countTokens } from './words.ts'
import { randomUUID } from 'node:crypto'

/** One reply of the demo model, whatever API it is sent in. */
export interface ReplyParts {
  /** tokens of reasoning, empty if it does not reason */
  reasoning: string[]
  /** tokens of text */
  text: string[]
  calls: { id: string; name: string; argumentTokens: string[] }[]
  /** before the text, which cites its pages */
  search: WebSearch | undefined
  end: 'stop' | 'length'
  inputTokens: number
  outputTokens: number
}

/** A text, cut at the token limit of the request or of the model, or the calls of tools. */
export function toReplyParts(
  request: ModelRequest,
  reply: Exclude<Reply, { kind: 'error' | 'hang' }>,
): ReplyParts {
  const reasoning = reasoningTokens(request)
  const all = 'text' in reply ? splitTokens(reply.text) : []
  const limit = reply.kind === 'text' ? (reply.maxTokens ?? Infinity) : Infinity
  const text = all.slice(0, Math.min(request.maxTokens ?? Infinity, limit))
  const calls =
    reply.kind === 'tools'
      ? reply.calls.map((call) => ({
          id: `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
          name: call.name,
          argumentTokens: splitTokens(JSON.stringify(call.arguments)),
        }))
      : []
  // a call counts one token more than its arguments: its name
  const written = calls.reduce((sum, { argumentTokens }) => sum + argumentTokens.length + 1, text.length)
  return {
    reasoning,
    text,
    calls,
    search: reply.kind === 'text' ? reply.search : undefined,
    end: text.length < all.length ? 'length' : 'stop',
    inputTokens: request.messages.reduce((sum, message) => sum + countTokens(message.text) + 4, 0),
    outputTokens: written + reasoning.length,
  }
}

/** What the demo model thinks before it answers; nothing where it does not reason. */
export function reasoningTokens({ effort, messages, tools }: ModelRequest): string[] {
  if (effort === undefined || effort === 'none') return []
  const question = messages.findLast(({ role }) => role === 'user')?.text ?? ''
  const step =
    messages.at(-1)?.role === 'tool'
      ? 'The tool has answered; I read what came back.'
      : `The question is “${excerpt(question, 80)}”.`
  const more = tools.length > 0 ? ` I have ${tools.length} tools to choose from.` : ''
  return splitTokens(`**Reading the question**\n\n${step}${more}`)
}

/** What the demo model does with a request. */
export type Reply =
  | { kind: 'text'; text: string; maxTokens?: number; search?: WebSearch }
  | { kind: 'tools'; calls: ToolCall[] }
  /** text with a silence after every other token */
  | { kind: 'slow'; text: string; silenceMs: number }
  /** text, then the connection breaks */
  | { kind: 'cut'; text: string }
  | { kind: 'error'; status: number }
  /** headers, then nothing until the client disconnects */
  | { kind: 'hang' }
