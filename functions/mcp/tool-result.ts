import { parseExactJson } from '../platform/exact-json.ts'
import { cleanText, plainLine } from '../platform/untrusted-text.ts'
import { isRecord } from './is-record.ts'

/** A part of a result, as far as it could be read. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; uri: string; mimeType?: string; text?: string; blob?: string }
  | { type: 'resource_link'; uri: string; name: string; description: string }

/**
 * The result of a call that was made. Reading it never fails, because the call may have changed something: what does not follow the
 * protocol is left out or shown as its text, and named.
 */
export interface ToolResult {
  content: ContentBlock[]
  /** numbers as the server wrote them */
  structuredContent?: unknown
  isError: boolean
  /** what was not as the protocol says, for the model */
  oddities: string[]
}

/** Where the SDK's client hands on the text of an answer whose result it does not read. */
const rawAnswerKey = 'juno/raw-answer'

/**
 * The result that the SDK's client gets instead of the one in an answer: it would reject all of it for one odd field, and round numbers.
 * @param answer the text of the JSON-RPC response
 */
export const wrapAnswer = (answer: string) => ({
  resultType: 'complete',
  content: [],
  _meta: { [rawAnswerKey]: answer },
})

/** @returns the result as the server sent it, with exact numbers */
export function unwrapResult(result: Readonly<Record<string, unknown>>): unknown {
  const meta = result['_meta']
  const text = isRecord(meta) ? meta[rawAnswerKey] : undefined
  if (typeof text !== 'string') return result
  const answer = parseDeepJson(text)
  return isRecord(answer) ? answer['result'] : undefined
}

function parseDeepJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // beyond the engine's own stack
    return JSON.parse(text)
  }
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

const maxShownCharacters = 20_000
const maxOddities = 10

/** A value of any kind as text for the model. */
function showValue(value: unknown): string {
  try {
    return cleanText(JSON.stringify(value), maxShownCharacters)
  } catch {
    return '[too deep to be read]'
  }
}

const dataUri = /^data:([^;,]{1,100})(?:;[^;,]{1,100}){0,5};base64,/

/** Base64 has no colon. */
const isAddress = (text: string) => /^[a-z][a-z0-9+.-]{0,30}:\/\//i.test(text.slice(0, 40))
const base64 = /^[A-Za-z0-9+/_=\r\n-]+$/

/** The beginning of the base64 of each type of picture. */
const pictureTypes: Readonly<Record<string, string>> = {
  iVBORw0KGgo: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGOD: 'image/gif',
  UklGR: 'image/webp',
}

/** Base64 and its type. The protocol has bare base64; several servers send a whole data URI, or no type. */
function splitDataUri(text: string, named: string): { data: string; mimeType: string } {
  const [prefix = '', uriType = ''] = dataUri.exec(text.slice(0, 1_000)) ?? []
  const data = text.slice(prefix.length)
  const known = Object.entries(pictureTypes).find(([start]) => data.startsWith(start))?.[1]
  return { data, mimeType: named || uriType || known || 'application/octet-stream' }
}

/** A text; one that is a picture's data URI, and nothing else, is the picture. */
function readText(text: string): ContentBlock {
  const isPicture =
    /^\s{0,100}data:image\//.test(text.slice(0, 200)) && dataUri.test(text.trim().slice(0, 1_000))
  return isPicture ? { type: 'image', ...splitDataUri(text.trim(), '') } : { type: 'text', text }
}

/** A file in a part of a kind that the protocol does not have. */
function readFile(block: Readonly<Record<string, unknown>>): ContentBlock | undefined {
  const source = isRecord(block['source']) ? block['source'] : {}
  const given = toText(block['data']) || toText(source['data'])
  const named = toText(block['mimeType']) || toText(source['media_type'])
  const { data, mimeType } = splitDataUri(given, named)
  // a text may look like base64
  const isFile = (data !== given || (named !== '' && !named.startsWith('text/'))) && base64.test(data)
  return isFile ? { type: 'resource', uri: toText(block['name']), mimeType, blob: data } : undefined
}

function readBlock(block: unknown, reportOddity: (oddity: string) => void): ContentBlock | undefined {
  if (typeof block === 'string') return readText(block)
  if (!isRecord(block)) {
    if (block !== null) reportOddity('a part that is no object')
    return block === null ? undefined : { type: 'text', text: showValue(block) }
  }
  const type = toText(block['type'])
  const showWhole = (oddity: string): ContentBlock => {
    reportOddity(oddity)
    return { type: 'text', text: showValue(block) }
  }
  switch (type) {
    case 'text':
      if (typeof block['text'] === 'string') return readText(block['text'])
      return showWhole('a text part whose text is no text')
    case 'image':
    case 'audio': {
      // as the model APIs have pictures: `source`, `image_url`
      const source = isRecord(block['source']) ? block['source'] : {}
      const given = [block['data'], source['data'], block['url'], source['url'], block['image_url']]
      const data = given.find((one) => typeof one === 'string' && one !== '')
      const isOfApi = data !== block['data'] && data !== source['data']
      if (typeof data !== 'string' || isAddress(data) || (isOfApi && !dataUri.test(data.slice(0, 1_000))))
        return showWhole(`a part of the kind "${type}" without data`)
      const named = toText(block['mimeType']) || toText(source['media_type'])
      return { type, ...splitDataUri(data, named) }
    }
    case 'resource': {
      const { resource } = block
      if (!isRecord(resource)) return showWhole('a resource without content')
      const { uri, mimeType, text, blob } = resource
      if (typeof text !== 'string' && (typeof blob !== 'string' || isAddress(blob)))
        return showWhole('a resource without content')
      return {
        type,
        uri: toText(uri),
        ...(typeof mimeType === 'string' && { mimeType }),
        ...(typeof text === 'string' ? { text } : { blob: splitDataUri(toText(blob), '').data }),
      }
    }
    case 'resource_link': {
      const uri = toText(block['uri'])
      if (uri === '') return showWhole('a link without an address')
      const name = toText(block['title']) || toText(block['name']) || uri
      return { type, uri, name, description: toText(block['description']) }
    }
    default: {
      const oddity = `a part of the unknown kind "${plainLine(type, 40)}"`
      const file = readFile(block)
      if (!file) return showWhole(oddity)
      reportOddity(oddity)
      return file
    }
  }
}

/** Fields of a result that carry nothing for the model. */
const knownFields = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType'])

/**
 * Reads a result as far as it can be read. Null, an empty value and a missing one are the same.
 * @param raw what a server sent as the result of `tools/call`
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result
 */
export function readToolResult(raw: unknown): ToolResult {
  const oddities: string[] = []
  const reportOddity = (oddity: string) => {
    if (oddities.length < maxOddities && !oddities.includes(oddity)) oddities.push(oddity)
  }
  const read = (blocks: readonly unknown[]) => blocks.flatMap((block) => readBlock(block, reportOddity) ?? [])
  if (!isRecord(raw)) {
    if (raw !== undefined && raw !== null) reportOddity('a result that is no object')
    return { content: read([raw ?? null].flat()), isError: false, oddities }
  }
  const { content, structuredContent, isError } = raw
  const hasContent = content !== undefined && content !== null
  if (hasContent && !Array.isArray(content)) reportOddity('content that is no list')
  const blocks = hasContent ? read(Array.isArray(content) ? content : [content]) : []
  const hasStructured = structuredContent !== undefined && structuredContent !== null
  const isUnknown = !hasContent && !hasStructured && Object.keys(raw).some((name) => !knownFields.has(name))
  if (isUnknown) {
    reportOddity('a result without content')
    blocks.push({ type: 'text', text: showValue(raw) })
  }
  if (isError !== undefined && isError !== null && typeof isError !== 'boolean')
    reportOddity('isError is no boolean')
  return {
    content: blocks,
    ...(hasStructured && { structuredContent }),
    isError: isError === true || isError === 'true',
    oddities,
  }
}

/** Tells the model what could not be read as the protocol says; undefined if all of it could. */
export const describeOddities = ({ oddities }: Pick<ToolResult, 'oddities'>): string | undefined =>
  oddities.length === 0
    ? undefined
    : `[The call was answered, but not all of the answer follows the protocol: ${oddities.join('; ')}. The rest was read.]`
