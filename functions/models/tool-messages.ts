import { createHash } from 'node:crypto'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { truncate } from '#shared/truncate.ts'
import type { ModelMessage } from './model.ts'
import { measureText } from './token-estimate.ts'

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>

/** Limits of a call with its result, in characters. A call that would get less than the minimum is left out. */
const maxCallCharacters = 3_000
const minCallCharacters = 300

/** Stands for the text of a reply that had none: servers want words between a tool's result and the next message. */
export const missingTextNote = '[This reply ended before its text.]'

const toFunctionName = ({ tool }: ToolCall) => tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unknown'

const shorten = (text: string, maxCharacters: number) =>
  text.length <= maxCharacters
    ? text
    : `${truncate(text, maxCharacters)}…\n[shortened, ${text.length} characters in all]`

/** Arguments stay an object, as servers parse them. */
function formatArguments({ parameters }: ToolCall, maxCharacters: number): string {
  const text = JSON.stringify(parameters)
  return text.length <= maxCharacters ? text : JSON.stringify({ shortened: shorten(text, maxCharacters) })
}

/** The data of a result as text for the model. One without any is told, because a model may repeat a call that seems to give nothing. */
export function formatResultData(data: unknown): string {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? 'null')
  return text.trim() === '' ? '[The call was answered. The answer has no content.]' : text
}

function formatResult({ result }: ToolCall, maxCharacters: number): string {
  const { success, data, error } = result
  if (!success) return shorten(`Error: ${error ?? 'The call failed.'}`, maxCharacters)
  return shorten(formatResultData(data), maxCharacters)
}

interface IncludedCall {
  id: string
  name: string
  args: string
  result: string
}

/** One message with calls, and after it one with each result, as Chat Completions demands. */
const toMessages = (calls: readonly IncludedCall[]): ModelMessage[] =>
  calls.length === 0
    ? []
    : [
        {
          role: 'assistant',
          content: null,
          tool_calls: calls.map(({ id, name, args }) => ({
            id,
            type: 'function',
            function: { name, arguments: args },
          })),
        },
        ...calls.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: result })),
      ]

/**
 * Tells a model in short which tools an earlier reply called and what came of it, so that nothing is done twice. Long arguments and results are
 * shortened; if there are too many calls the oldest are left out, each with its result.
 * @param key makes the calls' ids unlike those of other messages: at most 6 letters and digits; ids are nine, as Mistral wants them
 * @param maxCharacters of arguments and results together
 * @returns no messages if nothing fits; `characters` of all that is sent, as `measureText` counts them
 */
export function buildToolMessages(
  calls: readonly ToolCall[],
  { key, maxCharacters }: { key: string; maxCharacters: number },
): { messages: ModelMessage[]; characters: number } {
  const share = Math.min(
    maxCallCharacters,
    Math.max(minCallCharacters, Math.floor(maxCharacters / calls.length)),
  )
  const included: IncludedCall[] = []
  let characters = 0
  for (const [index, call] of [...calls.entries()].toReversed()) {
    const args = formatArguments(call, Math.floor(share / 3))
    const result = formatResult(call, Math.floor(share / 2))
    const size = measureText(args) + measureText(result)
    if (characters + size > maxCharacters) break
    characters += size
    const id = key.padStart(6, '0') + index.toString(36).padStart(3, '0')
    included.unshift({ id, name: toFunctionName(call), args, result })
  }
  return { messages: toMessages(included), characters }
}

/** Messages of this module have text, never parts. */
const toText = (content: unknown) => (typeof content === 'string' ? content : '')

/**
 * Describes the calls and results of tools in the text of messages, for a model that takes no tools, or not these.
 * @param isDescribed whether the calls of a message are; otherwise they stay
 */
export function withoutToolMessages(
  messages: readonly ModelMessage[],
  isDescribed: (message: AssistantMessage) => boolean = () => true,
): ModelMessage[] {
  const keptIds = new Set(
    messages.flatMap((message) =>
      message.role === 'assistant' && !isDescribed(message)
        ? (message.tool_calls ?? []).map(({ id }) => id)
        : [],
    ),
  )
  const results = new Map(
    messages.flatMap((message) =>
      message.role === 'tool' ? [[message.tool_call_id, toText(message.content)]] : [],
    ),
  )
  const toPlainText = ({ content, tool_calls = [] }: AssistantMessage) => {
    const lines = tool_calls.map((call) => {
      const { name, arguments: text } = call.function
      return `[A tool was called here: ${name} with ${text}. It answered: ${results.get(call.id) ?? ''}]`
    })
    return [toText(content), ...lines].filter((part) => part !== '').join('\n')
  }
  const merged: ModelMessage[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      if (keptIds.has(message.tool_call_id)) merged.push(message)
      continue
    }
    const before = merged.at(-1)
    if (message.role !== 'assistant' || message.tool_calls?.some(({ id }) => keptIds.has(id)))
      merged.push(message)
    else if (before?.role !== 'assistant' || before.tool_calls)
      merged.push({ role: 'assistant', content: toPlainText(message) })
    // such servers want the roles to alternate
    else
      merged.splice(-1, 1, {
        role: 'assistant',
        content: `${toText(before.content)}\n\n${toPlainText(message)}`,
      })
  }
  return merged
}

/** What every server takes as the id of a call: Mistral wants nine letters and digits. */
const shortId = /^[a-zA-Z0-9]{9}$/

const toShortId = (id: string): string =>
  shortId.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9)

const listIds = (message: ModelMessage): string[] =>
  message.role === 'tool'
    ? [message.tool_call_id]
    : message.role === 'assistant'
      ? (message.tool_calls ?? []).map(({ id }) => id)
      : []

/** Whether a message has ids of calls that some servers do not take. */
export const hasLongIds = (message: ModelMessage): boolean => listIds(message).some((id) => !shortId.test(id))

/** A message with ids of calls that every server takes, the same ones in each request. */
export function withShortIds(message: ModelMessage): ModelMessage {
  if (message.role === 'tool') return { ...message, tool_call_id: toShortId(message.tool_call_id) }
  if (!hasLongIds(message)) return message
  const ids = new Set(listIds(message))
  const shorten = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (key, one: unknown) =>
      (key === 'id' || key === 'call_id') && typeof one === 'string' && ids.has(one) ? toShortId(one) : one,
    ) as typeof value
  return shorten(message) as ModelMessage
}
