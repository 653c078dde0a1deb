import { BadRequest, BodyTooLarge } from '../errors.ts'
import { isDeeperThan } from './json-depth.ts'

/** Deeper nesting is no request of this product; it is refused before a parser or a schema recurses into it. */
const maxDepth = 32

/**
 * JSON.parse makes an own property of `__proto__`; spreading or merging it later would reach a prototype. And `"\ud800"` is JSON,
 * but no text that the table or a model takes: half a surrogate pair becomes the replacement character, and is no name.
 */
function sanitizeJsonValue(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new BadRequest('The request has a field that is not allowed: __proto__.')
  if (!key.isWellFormed()) throw new BadRequest('The request has a field whose name is no text.')
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
  if (isDeeperThan(maxDepth, text)) throw new BadRequest('The request is nested too deeply.')
  try {
    return JSON.parse(text, sanitizeJsonValue) as unknown
  } catch (error) {
    if (error instanceof BadRequest) throw error
    throw new BadRequest('The request is not valid JSON.', { cause: error })
  }
}
