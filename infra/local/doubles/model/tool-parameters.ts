import type { JsonSchema, OfferedTool } from './model-request.ts'
import { stem, topicWords, splitWords } from './words.ts'

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
  /** after the first colon, or after words like "saying" */
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
  const findings = parseFindings(message, [name.replace(/[_-]+/g, ' '), description, ...choices].join(' '))
  return fillObject(parameters, findings)
}

function fillObject(
  { properties = {}, required = [] }: JsonSchema,
  findings: Findings,
): Record<string, unknown> {
  const filled: [string, unknown][] = []
  for (const [name, schema] of Object.entries(properties)) {
    const value = findValue(name, schema, findings)
    if (value !== undefined) filled.push([name, value])
    else if (required.includes(name)) filled.push([name, buildFallback(schema, findings)])
  }
  return Object.fromEntries(filled)
}

const inferType = ({ type, properties, items }: JsonSchema) =>
  (Array.isArray(type) ? type.find((one) => one !== 'null') : type) ??
  (properties ? 'object' : items ? 'array' : 'string')

/** A value that the message contains, or undefined. */
function findValue(name: string, schema: JsonSchema, findings: Findings): unknown {
  const words = new Set(splitWords(findings.message).map(stem))
  const chosen = schema.enum?.find((value) =>
    splitWords(String(value)).every((word) => words.has(stem(word))),
  )
  if (schema.enum) return chosen
  switch (inferType(schema)) {
    case 'number':
    case 'integer':
      return takeNumber(schema, findings)
    case 'boolean':
      return undefined
    case 'array': {
      const element = findValue(name, schema.items ?? {}, findings)
      return element === undefined ? undefined : [element]
    }
    case 'object':
      return undefined
    default:
      return findText(name, schema, findings)
  }
}

function takeNumber({ type, minimum = -Infinity, maximum = Infinity }: JsonSchema, { numbers }: Findings) {
  // each number of a message fills one parameter, in order
  const at = numbers.findIndex((value) => value >= minimum && value <= maximum)
  const [number] = at < 0 ? [] : numbers.splice(at, 1)
  return number !== undefined && type === 'integer' ? Math.round(number) : number
}

function findText(
  name: string,
  { format, pattern, description = '' }: JsonSchema,
  findings: Findings,
): string | undefined {
  const about = `${name} ${description}`.toLowerCase()
  const lowerName = name.toLowerCase()
  const fitting = format === undefined && pattern !== undefined ? findFitting(pattern, findings) : undefined
  if (fitting !== undefined) return fitting
  if (
    format === 'email' ||
    /(^|[^a-z])(to|cc|bcc|e-?mail|recipients?|address)($|[^a-z])/.test(lowerName.replace(/_/g, ' '))
  )
    return findings.emails[0]
  if (format === 'uri' || /url|link|website/.test(lowerName)) return findings.urls[0]
  if (format?.startsWith('date') || /date|day|time/.test(lowerName))
    return findings.dates[/\b(?:end|until)|^to/.test(lowerName) ? 1 : 0]
  if (/body|content|message|text|note|comment/.test(lowerName)) return findings.rest ?? findings.quoted.at(-1)
  if (/subject|title|name/.test(lowerName)) return findings.quoted[0]
  if (/quer|search|term|keyword|topic|question|city|place|location/.test(about))
    return findings.quoted[0] ?? (findings.topic || findings.emails[0])
  return undefined
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
    rest: /(?::|\b(?:saying|says|that)\b)\s*(\S[\s\S]*)$/i.exec(bare)?.[1]?.trim(),
    topic: topicWords(bare)
      .filter((word) => !toolWords.has(stem(word)))
      .join(' '),
  }
}
