import { tryParseExactJson } from '../platform/exact-json.ts'
import { isRecord, toFields } from './fields.ts'
import { readGemmaCall } from './gemma-calls.ts'

/** A call that a model wrote into its text. */
export interface WrittenCall {
  name: string
  arguments: string
  /**
   * what the text that ends within the call has left open: a value, of which a part is missing, or the call, which further arguments may
   * have followed
   */
  open?: 'value' | 'call'
}

const toCall = (value: unknown): WrittenCall[] => {
  const { function: called, ...own } = toFields(value)
  const { name, arguments: args, parameters } = { ...own, ...toFields(called) } as Record<string, unknown>
  if (typeof name !== 'string' || name === '') return []
  const input = args ?? parameters ?? {}
  return [{ name, arguments: typeof input === 'string' ? input : JSON.stringify(input) }]
}

/** A value that is written without quotation marks, as far as it is JSON. */
const toValue = (text: string): unknown => {
  const trimmed = text.trim()
  return tryParseExactJson(trimmed) ?? trimmed
}

/** The matches of a pattern that ends with a mark, none of which is behind the last mark: what looks for one takes no longer for many. */
const matchUpTo = (text: string, end: string, pattern: RegExp) => {
  const last = text.lastIndexOf(end)
  return last === -1 ? [] : text.slice(0, last + end.length).matchAll(pattern)
}

const toInput = (pairs: Iterable<RegExpMatchArray>): string =>
  JSON.stringify(
    Object.fromEntries([...pairs].map(([, name = '', value = '']) => [name.trim(), toValue(value)])),
  )

/** Qwen3-Coder: `<function=name><parameter=key>value</parameter></function>`; Llama: `<function=name>{}</function>`. */
const qwenCall = /<function=([^>\n]{1,100})>([^]*?)(?:<\/function>|$)/g
const qwenParameter = /<parameter=([^>\n]{1,100})>([^]*?)<\/parameter>/g
/**
 * MiniMax, and Claude's older form: `<invoke name="name"><parameter name="key">value</parameter></invoke>`. DeepSeek-V3.2 has a mark in each
 * tag, and says which values are texts: https://github.com/ochafik/minja/pull/11.
 */
const invoke = /<invoke name="([^"\n]{1,100})">([^]*?)(?:<\/invoke>|$)/g
const invokeParameter =
  /<parameter name="([^"\n]{1,100})"(?: string="(?:false|(true))")?>([^]*?)<\/parameter>/g
const dsmlMark = '｜DSML｜'
/** MiniMax-M3 writes it before each tag, and arguments as elements: https://github.com/ml-explore/mlx-lm/pull/1416. */
export const tagMark = ']<]minimax[>['

const maxDepth = 20

/**
 * The value of an argument: elements named `item` are a list, others an object, anything else is JSON or a text.
 * @returns the text if it has more than elements
 */
function readElements(text: string, depth = 0): unknown {
  const found: [name: string, value: unknown][] = []
  let rest = text.trim()
  while (rest !== '') {
    const [tag, name = ''] = /^<([\w.-]{1,100})>/.exec(rest) ?? []
    const end = tag === undefined ? -1 : rest.indexOf(`</${name}>`)
    if (tag === undefined || end === -1 || depth > maxDepth) return toValue(text)
    found.push([name, readElements(rest.slice(tag.length, end), depth + 1)])
    rest = rest.slice(end + name.length + 3).trimStart()
  }
  if (found.length === 0) return ''
  return found.every(([name]) => name === 'item')
    ? found.map(([, value]) => value)
    : Object.fromEntries(found)
}

/** GLM: `name<arg_key>key</arg_key><arg_value>value</arg_value>`. */
const glmArgument = /<arg_key>([^<]{1,100})<\/arg_key>\s{0,10}<arg_value>([^]*?)<\/arg_value>/g
/** Kimi: `functions.name:0<|tool_call_argument_begin|>{}`. */
const kimiCall = /<\|tool_call_begin\|>([^<]{1,100})<\|tool_call_argument_begin\|>([^]*?)<\|tool_call_end\|>/g
/** DeepSeek: "function" separator name, newline, the arguments in a code block or bare. */
const deepSeekCall =
  /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([^\n<]{1,100}?)(?:\n```json\n|<｜tool▁sep｜>|\n)([^]*?)(?:\n```)?<｜tool▁call▁end｜>/g

const readParameters = (body: string): string =>
  body.includes('<parameter ')
    ? JSON.stringify(
        Object.fromEntries(
          [...matchUpTo(body, '</parameter>', invokeParameter)].map(([, name = '', isText, value = '']) => [
            name.trim(),
            isText === undefined ? toValue(value) : value,
          ]),
        ),
      )
    : JSON.stringify(toFields(readElements(body)))

const findPairs = (
  pattern: RegExp,
  text: string,
  toArguments: (body: string) => string,
  end?: string,
): WrittenCall[] =>
  [...(end === undefined ? text.matchAll(pattern) : matchUpTo(text, end, pattern))].map(
    ([, name = '', body = '']) => ({
      name: name.trim(),
      arguments: toArguments(body),
    }),
  )

/**
 * Reads the calls of a block that a model wrote into its text, as servers without a parser for them hand it on.
 * @param text between the block's marks
 * @returns none if it cannot be read
 */
export function readWrittenCalls(text: string): WrittenCall[] {
  const trimmed = text.replaceAll(tagMark, '').replaceAll(dsmlMark, '').trim()
  const parsed = tryParseExactJson(trimmed)
  if (Array.isArray(parsed)) return parsed.flatMap(toCall)
  if (isRecord(parsed)) return toCall(parsed)
  const gemmaCall = readGemmaCall(trimmed)
  if (gemmaCall) return [gemmaCall]
  for (const [mark, read] of readers) if (trimmed.includes(mark)) return read(trimmed)
  for (const pattern of begunCalls) {
    const [, name, input] = pattern.exec(trimmed) ?? []
    if (name !== undefined && input !== undefined) return [{ name, arguments: input }]
  }
  return []
}

/**
 * Calls whose arguments stand behind their name, be they complete or not: their tool gets what is there, and refuses what is no object.
 * Mistral: name[ARGS]{}; Hermes: {"name": "name", "arguments": {}}; Gemma.
 */
const begunCalls: readonly RegExp[] = [
  /^([\w.-]{1,100})\s{0,10}(\{[^]*\})$/,
  /^([\w.-]{1,100})\[ARGS\]\s{0,10}(\{[^]*)$/,
  /^\[?\s{0,10}\{\s{0,10}"name"\s{0,10}:\s{0,10}"([\w.-]{1,100})"\s{0,10},\s{0,10}"(?:arguments|parameters)"\s{0,10}:\s{0,10}(\{[^]*)$/,
  /^call:([\w.-]{1,100})\s{0,10}(\{[^]*)$/,
]

/** What begins a call, and what ends it. */
const callEnds: readonly [begin: string, end: RegExp][] = [
  ['<function=', /<\/function>\s*$/],
  ['<invoke ', /<\/invoke>\s*$/],
  ['<|open|>', /<\|close\|>\s{0,4}call\s{0,4}<\|sep\|>\s*$/],
]
const maxCallEndCharacters = 100

/**
 * Reads the calls of a block that has no end, because the answer ended before it or the model has left it out. Calls in JSON, and those with
 * marks of their own, are complete or cannot be read.
 */
export function readOpenCalls(text: string): WrittenCall[] {
  const calls = readWrittenCalls(text)
  const last = calls.at(-1)
  const open = findOpen(text.replaceAll(tagMark, '').replaceAll(dsmlMark, '').trim())
  return last && open !== undefined ? [...calls.slice(0, -1), { ...last, open }] : calls
}

/** Whether the last call has arguments as elements (MiniMax-M3), and one of them has not ended. */
function hasOpenElement(text: string): boolean {
  const call = text.slice(text.lastIndexOf('<invoke '))
  if (!call.startsWith('<invoke ') || call.includes('<parameter ')) return false
  const written = call.slice(call.indexOf('>') + 1).trim()
  return written !== '' && typeof readElements(written) === 'string'
}

function findOpen(text: string): WrittenCall['open'] {
  if (/^[{[]/.test(text)) return undefined
  const [begin, end] = callEnds.find(([mark]) => text.includes(mark)) ?? []
  if (begin === undefined)
    return text.includes('<arg_key>') ? (hasOpenValue(text) ? 'value' : 'call') : undefined
  if (end?.test(text.slice(-maxCallEndCharacters))) return undefined
  const isInTag = text.lastIndexOf('<|open|>') > text.lastIndexOf('<|close|>')
  return isInTag || hasOpenValue(text) || hasOpenElement(text) ? 'value' : 'call'
}

/** Kimi K3: `<|open|>call tool="name"…<|sep|><|open|>argument key="key" type="string"<|sep|>value<|close|>argument<|sep|>`. */
const k3Call =
  /<\|open\|>\s{0,4}call tool="([^"\n]{1,100})"[^<]{0,40}<\|sep\|>([^]*?)(?:<\|close\|>\s{0,4}call\s{0,4}<\|sep\|>|$)/g
const k3Argument =
  /<\|open\|>\s{0,4}argument key="([^"\n]{1,100})"(?: type="(\w{1,20})")?[^<]{0,40}<\|sep\|>([^]*?)(?:<\|close\|>\s{0,4}argument\s{0,4}<\|sep\|>|$)/g
const k3Json = /<\|open\|>\s{0,4}json[^<]{0,40}<\|sep\|>([^]*?)(?:<\|close\|>|$)/
const toAttribute = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const readK3Arguments = (body: string): string =>
  k3Json.exec(body)?.[1]?.trim() ??
  JSON.stringify(
    Object.fromEntries(
      [...body.matchAll(k3Argument)].map(([, name = '', type, value = '']) => [
        toAttribute(name),
        type === 'string' ? value : toValue(value),
      ]),
    ),
  )

/** Arguments of Qwen, or of Llama, whose marks are around JSON; what is no JSON is refused. */
const readFunction = (body: string): string =>
  body.trimStart().startsWith('{') ? body.trim() : toInput(matchUpTo(body, '</parameter>', qwenParameter))

/** Values that are written up to a mark, by their first mark. */
const values: readonly [begin: string, end: string][] = [
  ['<arg_value>', '</arg_value>'],
  ['<parameter=', '</parameter>'],
  ['<parameter ', '</parameter>'],
]

/** Whether the end of a block cannot stand behind a text, because one of its values has not ended. */
export function hasOpenValue(text: string): boolean {
  if (/^\s*[{[]/.test(text))
    return (text.match(/\\.|"/gs) ?? []).filter((one) => one === '"').length % 2 === 1
  return values.some(([begin, end]) => text.lastIndexOf(begin) > text.lastIndexOf(end))
}

const readers: readonly [mark: string, read: (text: string) => WrittenCall[]][] = [
  [
    '<|open|>',
    (text) =>
      findPairs(k3Call, text, readK3Arguments).map((call) => ({ ...call, name: toAttribute(call.name) })),
  ],
  ['<function=', (text) => findPairs(qwenCall, text, readFunction)],
  ['<invoke ', (text) => findPairs(invoke, text, readParameters)],
  [
    '<arg_key>',
    (text) => [
      {
        name: text.slice(0, text.indexOf('<arg_key>')).trim(),
        arguments: toInput(matchUpTo(text, '</arg_value>', glmArgument)),
      },
    ],
  ],
  ['<|tool_call_begin|>', (text) => findPairs(kimiCall, text, (body) => body.trim(), '<|tool_call_end|>')],
  [
    '<｜tool▁call▁begin｜>',
    (text) => findPairs(deepSeekCall, text, (body) => body.trim(), '<｜tool▁call▁end｜>'),
  ],
]
