import { isRecord, type ModelRequest, type OfferedTool, type RequestMessage } from './model-request.ts'
import { chooseTool, type ToolCall } from './tool-choice.ts'

/** The product's tools that find and call connected tools where there are too many to be offered. */
const searchName = 'search_tools'
const callName = 'call_tool'
export const searchToolNames = [searchName, callName]

/** Whether a message asks for something to be done, rather than to talk. */
const asksForAction =
  /^(?:please |can you |could you |now )*(?:add|book|create|echo|fetch|find|get|list|look up|post|read|reply|search|send|share|show|which|write)\b/i

/**
 * The next step of a turn in which connected tools have to be found first: a search, then a call of what it has found.
 * @returns undefined when there is nothing to search with, or nothing to do
 */
export function searchForTool(message: string, request: ModelRequest): ToolCall | undefined {
  const { messages, tools, toolChoice } = request
  if (toolChoice === 'none' || !tools.some(({ name }) => name === searchName)) return undefined
  if (isSearchResult(messages, messages.length - 1)) {
    const call = chooseTool(message, { ...request, tools: readFoundTools(messages.at(-1)?.text ?? '') })
    return call && { name: callName, arguments: { name: call.name, arguments: call.arguments } }
  }
  return asksForAction.test(message)
    ? { name: searchName, arguments: { query: message.slice(0, 500) } }
    : undefined
}

/** Whether a message is what a search has returned. */
export function isSearchResult(messages: readonly RequestMessage[], index: number): boolean {
  const id = messages[index]?.role === 'tool' ? messages[index].toolCallId : undefined
  return (
    id !== undefined &&
    messages.some(({ calls }) => calls.some((call) => call.id === id && call.name === searchName))
  )
}

function readFoundTools(text: string): OfferedTool[] {
  let result: unknown
  try {
    result = JSON.parse(text)
  } catch {
    return [] // the search failed
  }
  const found = isRecord(result) && Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : []
  return found.filter(isRecord).map(({ name, description, parameters }) => ({
    name: String(name),
    description: typeof description === 'string' ? description : '',
    parameters: isRecord(parameters) ? parameters : {},
  }))
}
