import { parseJson } from '#shared/parse-json.ts'
import {
  isRecord,
  listRecords,
  mayCall,
  type JsonSchema,
  type ModelRequest,
  type OfferedTool,
  type RequestMessage,
  toOfferedTool,
} from './model-request.ts'
import { splitWords, stem, topicWords } from './words.ts'

export interface ToolCall {
  name: string
  arguments: Record<string, unknown>
}

const toWords = (name: string) => name.replace(/[_-]+|(?<=[a-z])(?=[A-Z])/g, ' ')

/**
 * The call that a message asks for, chosen by the words it shares with the tools' names, descriptions and parameters.
 * @returns undefined when no tool fits or none may be called
 */
export function chooseTool(
  message: string,
  { tools, toolChoice }: Pick<ModelRequest, 'tools' | 'toolChoice'>,
): ToolCall | undefined {
  if (toolChoice === 'none') return undefined
  const forced =
    typeof toolChoice === 'object' ? tools.find(({ name }) => name === toolChoice.name) : undefined
  const topics = topicWords(message).map(stem)
  // on a tie the order in which the tools are offered decides
  const [best] = tools
    .map((tool) => ({ tool, score: scoreTool(tool, topics) }))
    .filter(({ score }) => score >= (toolChoice === 'required' ? 0 : 2))
    .toSorted((one, other) => other.score - one.score)
  const tool = forced ?? best?.tool
  return tool && { name: tool.name, arguments: fillParameters(tool, message) }
}

/** A word of the tool's own name counts double; one of its description decides between tools with the same score, too. */
function scoreTool({ name, description, parameters }: OfferedTool, topics: readonly string[]): number {
  const texts = Object.entries(parameters.properties ?? {}).map(
    ([parameter, schema]) => `${toWords(parameter)} ${schema.description ?? ''}`,
  )
  const nameWords = new Set(splitWords(toWords(name)).map(stem))
  const otherWords = new Set(splitWords([description, ...texts].join(' ')).map(stem))
  return topics.reduce(
    (sum, word) =>
      sum + (nameWords.has(word) ? 2 : otherWords.has(word) ? 1 : 0) + (otherWords.has(word) ? 0.001 : 0),
    0,
  )
}

/** Values in a message that can become arguments. */
interface Findings {
  message: string
  emails: string[]
  urls: string[]
  dates: string[]
  numbers: number[]
  quoted: string[]
  /** values already used by a parameter of that format: the next parameter gets another one */
  taken: Set<string>
  /** named without quotation marks: `with the subject Lunch and …` */
  subject: string | undefined
  /** after the first colon, or after words like "saying" or "and the text" */
  rest: string | undefined
  /** the message's own topic, without the words that chose the tool */
  topic: string
}

/**
 * Arguments for a call, by the parameters' names, types, formats and enums. Required parameters always get a value; optional ones
 * only when the message holds something for them.
 */
export function fillParameters(
  { name, description, parameters }: OfferedTool,
  message: string,
): Record<string, unknown> {
  const choices = Object.values(parameters.properties ?? {}).flatMap((schema) => schema.enum ?? [])
  return fillObject(parameters, parseFindings(message, [toWords(name), description, ...choices].join(' ')))
}

/** Arguments of a tool that sends a mail, by the names of its parameters. */
export const fillMail = (
  { parameters }: OfferedTool,
  { to, subject, body }: { to: string; subject: string; body: string },
): Record<string, unknown> =>
  fillObject(parameters, {
    message: '',
    taken: new Set(),
    emails: [to],
    urls: [],
    dates: [],
    quoted: [subject],
    numbers: [],
    subject,
    rest: body,
    topic: '',
  })

const fillObject = ({ properties = {}, required = [] }: JsonSchema, findings: Findings) =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const value =
        findValue(name, schema, findings) ??
        (required.includes(name) ? buildFallback(schema, findings) : undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  ) as Record<string, unknown>

const inferType = ({ type, properties, items }: JsonSchema) =>
  (Array.isArray(type) ? type.find((one) => one !== 'null') : type) ??
  (properties ? 'object' : items ? 'array' : 'string')

/** A value that the message contains, or undefined. */
function findValue(name: string, schema: JsonSchema, findings: Findings): unknown {
  const words = new Set(splitWords(findings.message).map(stem))
  if (schema.enum)
    return schema.enum.find((value) => splitWords(String(value)).every((word) => words.has(stem(word))))
  switch (inferType(schema)) {
    case 'number':
    case 'integer':
      return takeNumber(schema, findings)
    case 'array': {
      const element = findValue(name, schema.items ?? {}, findings)
      return element === undefined ? undefined : [element]
    }
    case 'string':
      return findText(name, schema, findings)
    default:
      return undefined
  }
}

/** Each number of a message fills one parameter, in order. */
function takeNumber({ type, minimum = -Infinity, maximum = Infinity }: JsonSchema, { numbers }: Findings) {
  const at = numbers.findIndex((value) => value >= minimum && value <= maximum)
  const [number] = at < 0 ? [] : numbers.splice(at, 1)
  return number !== undefined && type === 'integer' ? Math.round(number) : number
}

function findText(name: string, { format, pattern, description = '' }: JsonSchema, findings: Findings) {
  const is = (words: RegExp, text = name.toLowerCase()) => words.test(text)
  const fitting = format === undefined && pattern !== undefined ? findFitting(pattern, findings) : undefined
  if (fitting !== undefined) return fitting
  const spaced = name.toLowerCase().replaceAll('_', ' ')
  if (format === 'email' || is(/\b(?:to|cc|bcc|e-?mail|recipients?|address)\b/, spaced))
    return findings.emails[0]
  if (format === 'uri' || is(/url|link|website/)) return findings.urls[0]
  if (format?.startsWith('date') || is(/date|day|time/))
    return findings.dates[is(/\b(?:end|until)|^to/) ? 1 : 0]
  if (is(/body|content|message|text|note|comment/)) return findings.rest ?? findings.quoted.at(-1)
  if (is(/subject|title|name/)) return findings.subject ?? findings.quoted[0]
  if (
    is(/quer|search|term|keyword|topic|question|city|place|location/, `${name} ${description}`.toLowerCase())
  )
    return (
      findings.quoted[0] ??
      findSearchTerms(description, findings.message) ??
      (findings.topic || findings.emails[0])
    )
  return undefined
}

/** The name in 'the last mail of Ann', 'mails from Ann Lee'. */
const sender = /\be?-?mails?\b.{0,20}?\b(?:of|from|by) (\p{Lu}[\p{L}'-]{1,40})/u

/**
 * What a search is to find: terms of its own language that its description shows and the message names, as `is:unread` for "unread mail"
 * and `from:Ann` for "mail of Ann"; in a search for words, the name.
 */
function findSearchTerms(description: string, message: string): string | undefined {
  const words = splitWords(message)
  const terms = [...description.matchAll(/(?<!\S)is:(\w+)/g)].filter(([, value = '']) =>
    words.includes(value.toLowerCase()),
  )
  const [, name] = sender.exec(message) ?? []
  const from = /(?<!\S)from:\w/.test(description) ? 'from:' : ''
  const all = [...(name === undefined ? [] : [from + name]), ...terms.map(([term]) => term)]
  return all.length > 0 ? all.join(' ') : undefined
}

/** The part of a message that matches a parameter's format; a pattern that any word matches applies to quoted text only. */
function findFitting(pattern: string, { quoted, message, taken }: Findings): string | undefined {
  let form: RegExp
  try {
    form = new RegExp(pattern, 'u')
  } catch {
    // a pattern in another regular expression dialect
    return undefined
  }
  const words = form.test('word') ? [] : (message.match(/[^\s"“”',;]{2,200}/g) ?? [])
  const fitting = [...quoted, ...words.map((word) => word.replace(/[.?!]+$/, ''))].find(
    (part) => form.test(part) && !taken.has(part),
  )
  if (fitting !== undefined) taken.add(fitting)
  return fitting
}

/** A value for a required parameter that the message says nothing about. */
function buildFallback(schema: JsonSchema, findings: Findings): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.enum && schema.enum.length > 0) return schema.enum[0]
  switch (inferType(schema)) {
    case 'number':
    case 'integer':
      return Math.min(Math.max(10, schema.minimum ?? 10), schema.maximum ?? 10)
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return fillObject(schema, findings)
    default:
      return findings.quoted[0] ?? findings.rest ?? (findings.topic || findings.message)
  }
}

function parseFindings(message: string, toolText: string): Findings {
  const toolWords = new Set(splitWords(toolText).map(stem))
  const emails = message.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? []
  const urls = message.match(/https?:\/\/[^\s<>"']+/g) ?? []
  const dates = message.match(/\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?\b/g) ?? []
  const bare = [...emails, ...urls, ...dates].reduce((text, part) => text.replace(part, ' '), message)
  const quoted = [...bare.matchAll(/"([^"]+)"|“([^”]+)”|(?<!\p{L})'([^']+)'(?!\p{L})/gu)].map(
    ([, double, curly, single]) => double ?? curly ?? single ?? '',
  )
  return {
    message,
    taken: new Set(),
    emails,
    urls,
    dates,
    quoted,
    numbers: (bare.match(/(?<![\p{L}\d])-?\d+(?:\.\d+)?(?![\p{L}\d])/gu) ?? []).map(Number),
    subject: /\b(?:subject|title) ([^\s"“”'][^"“”,.;:\n]{0,200}?)(?= (?:and|saying|with)\b|[,.;:\n]|$)/i.exec(
      bare,
    )?.[1],
    rest: (
      /\b(?:and|with) (?:the |a )?(?:body|message|text) ([^\s"“”'][\s\S]*)$/i.exec(bare) ??
      /(?::|\b(?:saying|says|that)\b)\s*(\S[\s\S]*)$/i.exec(bare)
    )?.[1]?.trim(),
    topic: topicWords(bare)
      .filter((word) => !toolWords.has(stem(word)))
      .join(' '),
  }
}

/** The product's tools that find and call connected tools where there are too many to be offered. */
const [searchName, callName] = ['search_tools', 'call_tool']
export const searchToolNames: readonly string[] = [searchName, callName]

/** Whether a message asks for something to be done, rather than to talk. */
const asksForAction =
  /^(?:please |can you |could you |now )*(?:add|book|create|echo|fetch|find|get|list|look up|post|read|reply|search|send|share|show|which|write)\b/i

/**
 * The next step of a turn in which connected tools have to be found first: a search, then a call of what it has found.
 * @returns undefined when there is nothing to search with, or nothing to do
 */
export function searchForTool(message: string, request: ModelRequest): ToolCall | undefined {
  const { messages } = request
  if (!mayCall(request, searchName)) return undefined
  if (isSearchResult(messages, messages.length - 1)) {
    const call = chooseTool(message, { ...request, tools: readFoundTools(messages.at(-1)?.text ?? '') })
    return call && callFound(call)
  }
  return asksForAction.test(message)
    ? { name: searchName, arguments: { query: message.slice(0, 500) } }
    : undefined
}

/** Calls a tool that a search has returned. */
export const callFound = ({ name, arguments: args }: ToolCall): ToolCall => ({
  name: callName,
  arguments: { name, arguments: args },
})

/** Whether a message is what a search has returned. */
export function isSearchResult(messages: readonly RequestMessage[], index: number): boolean {
  const id = messages[index]?.role === 'tool' ? messages[index].toolCallId : undefined
  return (
    id !== undefined &&
    messages.some(({ calls }) => calls.some((call) => call.id === id && call.name === searchName))
  )
}

export function readFoundTools(text: string): OfferedTool[] {
  const result = parseJson(text)
  return isRecord(result) ? listRecords(result['tools']).map(toOfferedTool) : []
}
