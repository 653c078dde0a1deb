import { isRecord } from '../../../infra/local/doubles/model/model-request.ts'
import { parseAttachments } from '../../../infra/local/doubles/model/attachments.ts'
import { chooseTool, fillParameters, type ToolCall } from '../../../infra/local/doubles/model/tool-choice.ts'
import { replyTo } from '../../../infra/local/doubles/model/reply.ts'
import type { Reply } from '../../../infra/local/doubles/model/reply-parts.ts'
import type { StrictRequest } from './strict-request.ts'

/** Most injected calls that the model obeys at once. */
const maxCalls = 4

/**
 * The calls of a gullible model, which obeys instructions in tool results, files and tool descriptions.
 * For tests of the product's defences against prompt injection.
 */
function findInjectedCalls(request: StrictRequest): ToolCall[] {
  const { messages } = request
  const start = messages.findLastIndex(({ role }) => role === 'user')
  const turn = messages.slice(start)
  const texts = [
    ...turn.filter(({ role }) => role === 'tool').flatMap(({ text }) => listTexts(text)),
    ...(turn.length > 1 ? [] : parseAttachments(turn[0]?.text ?? '').map(({ text }) => text)),
    ...(turn.length > 1
      ? []
      : request.tools
          .map(({ description }) => description)
          .filter((text) => /\b(?:call|send|use)\b.*@/i.test(text))),
  ]
  const calledNames = new Set(turn.flatMap(({ calls }) => calls).map(({ name }) => name))
  const calls = texts.flatMap((text) => parseInjectedCall(text, request) ?? [])
  return calls
    .filter(({ name }) => !calledNames.has(name) || !isReadOnly(name))
    .slice(0, maxCalls - calledNames.size)
}

/** Read-only tools are called once: a model that is asked to read again would never stop. */
const isReadOnly = (name: string) => /(?:^|_)(?:get|list|read|search|find)/.test(name)

/** A call that a text names, with the arguments that it gives; or the one that its words are closest to. */
function parseInjectedCall(text: string, request: StrictRequest): ToolCall | undefined {
  const isNamed = (pattern: string) => new RegExp(`\\b${pattern}\\b`, 'i').test(text)
  const namedTool =
    request.tools.find(({ name }) => isNamed(name)) ??
    request.tools.find(({ name }) => isNamed(name.replace(/^[a-z0-9-]+?_/, '(?:\\w+_)?')))
  if (!namedTool) return chooseTool(text, request)
  const [json] = /\{[^]*\}/.exec(text) ?? []
  try {
    const args: unknown = JSON.parse(json ?? '')
    if (isRecord(args)) return { name: namedTool.name, arguments: args }
  } catch {
    // no arguments in the text: what its words give
  }
  return { name: namedTool.name, arguments: fillParameters(namedTool, text) }
}

/** Every text inside a result. */
function listTexts(text: string): string[] {
  const listStrings = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    if (typeof value !== 'object' || value === null) return []
    return Object.values(value).flatMap(listStrings)
  }
  try {
    return listStrings(JSON.parse(text))
  } catch {
    // a result that is plain text
    return [text]
  }
}

/** Obeys instructions in any text it is shown, and answers as the demo model where there are none. */
export function obey(request: StrictRequest): Reply {
  const calls = request.toolChoice === 'none' ? [] : findInjectedCalls(request)
  return calls.length > 0 ? { kind: 'tools', calls } : replyTo(request)
}
