/** A conversation of an export as bytes of JSON, or what is in its place. */
export type JsonElement =
  | { readonly kind: 'object'; readonly bytes: Uint8Array }
  /** longer than the limit, cut off by the end of the file, or no object */
  | { readonly kind: 'tooLong' | 'unreadable' }

/** A parsed element takes several times its size in memory, and browsers limit a string to 512 MB. */
const maxElementBytes = 128 * 1024 * 1024

const code = (character: string) => character.charCodeAt(0)
const [quote, backslash, comma] = [code('"'), code('\\'), code(',')]
const [openBrace, closeBrace, openBracket, closeBracket] = [code('{'), code('}'), code('['), code(']')]
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** The member of a wrapping object that has the conversations. */
const listKey = 'conversations'

/**
 * Splits the JSON of an export into its conversations, without a string of the whole: a list, an object whose member `conversations` is a
 * list, or one conversation. What is invalid inside a conversation is not noticed here.
 */
export async function* splitConversations(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = maxElementBytes,
): AsyncGenerator<JsonElement> {
  /** depth at which the conversations are; undefined until the list begins */
  let listDepth: number | undefined
  let depth = 0
  let isInString = false
  let isEscaped = false
  /** whether something that is no object stands between two commas of the list */
  let hasOther = false
  /** bytes of the member name that may be `listKey` */
  let keyBytes: number[] | undefined
  let lastKey = ''
  /** the element being read: its parts, or only its size once it is too long */
  let parts: Uint8Array[] | undefined
  let size = 0

  const takeElement = (): JsonElement => {
    const elementParts = parts ?? []
    parts = undefined
    if (size > maxBytes) return { kind: 'tooLong' }
    return {
      kind: 'object',
      bytes: elementParts.length === 1 && elementParts[0] ? elementParts[0] : concatenate(elementParts, size),
    }
  }
  const addPart = (part: Uint8Array) => {
    size += part.length
    if (size > maxBytes) parts = []
    else parts?.push(part)
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) {
          isInString = false
          if (keyBytes) lastKey = String.fromCharCode(...keyBytes)
          keyBytes = undefined
        } else if (keyBytes && keyBytes.length <= listKey.length) keyBytes.push(byte)
        continue
      }
      const opens = byte === openBrace || byte === openBracket
      if (depth === 0 && !opens && !isSpace(byte) && !byteOrderMark.includes(byte)) {
        yield { kind: 'unreadable' }
        return
      }
      if (byte === quote) {
        isInString = true
        if (listDepth === undefined && depth === 1) keyBytes = []
        if (depth === listDepth) hasOther = true
      } else if (opens) {
        const isList = byte === openBracket
        if (listDepth === undefined && isList && (depth === 0 || (depth === 1 && lastKey === listKey))) {
          listDepth = depth + 1
          parts = undefined
        } else if (depth === (listDepth ?? 0) && !isList) {
          parts = []
          size = 0
          start = at
        } else if (depth === listDepth) hasOther = true
        depth += 1
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1
        if (parts && depth === (listDepth ?? 0)) {
          addPart(chunk.subarray(start, at + 1))
          yield takeElement()
        }
        if (listDepth === undefined ? depth === 0 : depth < listDepth) {
          if (hasOther) yield { kind: 'unreadable' }
          return
        }
      } else if (byte === comma) {
        if (depth === listDepth && hasOther) yield { kind: 'unreadable' }
        if (depth === listDepth) hasOther = false
        if (depth === 1 && listDepth === undefined) lastKey = ''
      } else if (depth === listDepth && !isSpace(byte)) hasOther = true
    }
    if (parts) addPart(chunk.subarray(start))
  }
  // the file ends in the middle
  if (depth > 0) yield { kind: 'unreadable' }
}

function concatenate(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
