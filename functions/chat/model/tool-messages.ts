import type { ToolCall } from '#shared/contracts/chat.ts'
import { truncate } from '#shared/truncate.ts'
import type { ModelMessage } from './model.ts'

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

function formatResult({ result }: ToolCall, maxCharacters: number): string {
  const { success, data, error } = result
  if (!success) return shorten(`Error: ${error ?? 'The call failed.'}`, maxCharacters)
  return shorten(typeof data === 'string' ? data : (JSON.stringify(data) ?? 'null'), maxCharacters)
}

/**
 * Tells a model which tools an earlier reply called and what came of it, so that nothing is done twice: one message with the calls, and
 * after it one with each result, as Chat Completions demands. Long arguments and results are shortened; if there are too many calls
 * the oldest are left out, each with its result.
 * @param key makes the calls' ids unlike those of other messages: at most 6 letters and digits; ids are nine, as Mistral wants them
 * @param maxCharacters of arguments and results together
 * @returns no messages if nothing fits
 */
export function buildToolMessages(
  calls: readonly ToolCall[],
  { key, maxCharacters }: { key: string; maxCharacters: number },
): { messages: ModelMessage[]; characters: number } {
  const share = Math.min(
    maxCallCharacters,
    Math.max(minCallCharacters, Math.floor(maxCharacters / calls.length)),
  )
  const included: { id: string; name: string; args: string; result: string }[] = []
  let characters = 0
  for (const [index, call] of [...calls.entries()].toReversed()) {
    const args = formatArguments(call, Math.floor(share / 3))
    const result = formatResult(call, Math.floor(share / 2))
    const size = args.length + result.length
    if (characters + size > maxCharacters) break
    characters += size
    const id = key.padStart(6, '0') + index.toString(36).padStart(3, '0')
    included.unshift({ id, name: toFunctionName(call), args, result })
  }
  if (included.length === 0) return { messages: [], characters: 0 }
  return {
    characters,
    messages: [
      {
        role: 'assistant',
        content: null,
        tool_calls: included.map(({ id, name, args }) => ({
          id,
          type: 'function',
          function: { name, arguments: args },
        })),
      },
      ...included.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: result })),
    ],
  }
}

/** Messages of this module have text, never parts. */
const toText = (content: unknown) => (typeof content === 'string' ? content : '')

/** Describes the calls and results of tools in the text of messages, for a model that takes no tools. */
export function withoutToolMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === 'tool' ? [[message.tool_call_id, toText(message.content)]] : [],
    ),
  )
  const toPlainText = ({ content, tool_calls = [] }: AssistantMessage) => {
    const lines = tool_calls.map((call) => {
      const { name, arguments: text } = 'function' in call ? call.function : { name: '', arguments: '' }
      return `[A tool was called here: ${name} with ${text}. It answered: ${results.get(call.id) ?? ''}]`
    })
    return [toText(content), ...lines].filter((part) => part !== '').join('\n')
  }
  const merged: ModelMessage[] = []
  for (const message of messages) {
    if (message.role === 'tool') continue
    const before = merged.at(-1)
    if (message.role !== 'assistant') merged.push(message)
    else if (before?.role !== 'assistant') merged.push({ role: 'assistant', content: toPlainText(message) })
    // such servers want the roles to alternate
    else
      merged.splice(-1, 1, {
        role: 'assistant',
        content: `${toText(before.content)}\n\n${toPlainText(message)}`,
      })
  }
  return merged
}
