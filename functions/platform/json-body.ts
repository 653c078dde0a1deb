import { BadRequest, BodyTooLarge } from './errors.ts'

/** Deeper nesting is no request of this product; it is refused before a parser or a schema recurses into it. */
const maxDepth = 32

/** @throws BadRequest when arrays and objects nest deeper than `maxDepth`; strings are skipped, nothing is parsed */
function checkDepth(text: string): void {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (inString) {
      if (unit === 0x5c) index += 1
      else if (unit === 0x22) inString = false
    } else if (unit === 0x22) inString = true
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1
      if (depth > maxDepth) throw new BadRequest('The request is nested too deeply.')
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1
  }
}

/**
 * JSON.parse makes an own property of `__proto__`; spreading or merging it later would reach a prototype. And `"\ud800"` is JSON,
 * but no text that the table or a model takes: half a surrogate pair becomes the replacement character.
 */
function admit(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new BadRequest('The request has a field that is not allowed: __proto__.')
  return typeof value === 'string' ? value.toWellFormed() : value
}

function decode(body: string, isBase64Encoded: boolean): string {
  if (!isBase64Encoded) return body
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'base64'))
  } catch (error) {
    throw new BadRequest('The request is not valid UTF-8.', { cause: error })
  }
}

/**
 * The JSON of a request's body.
 * @param body as API Gateway hands it over; null or empty gives undefined
 * @param maxBytes larger bodies are refused before they are parsed
 * @throws BodyTooLarge, BadRequest
 */
export function parseJsonBody(
  body: string | null,
  { isBase64Encoded, maxBytes }: { isBase64Encoded: boolean; maxBytes: number },
): unknown {
  if (!body) return undefined
  // a base64 body is a third longer than its bytes: the check below sees the real length
  if (Buffer.byteLength(body) > (isBase64Encoded ? Math.ceil(maxBytes / 3) * 4 + 4 : maxBytes))
    throw new BodyTooLarge(`over ${maxBytes} bytes`)
  const text = decode(body, isBase64Encoded)
  checkDepth(text)
  try {
    return JSON.parse(text, admit) as unknown
  } catch (error) {
    if (error instanceof BadRequest) throw error
    throw new BadRequest('The request is not valid JSON.', { cause: error })
  }
}
