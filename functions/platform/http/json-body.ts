import { sayPlatform } from '#shared/sentences/platform.ts'
import { BadRequest, BodyTooLarge } from '../errors.ts'
import { isDeeperThan } from './json-depth.ts'

/** Deeper bodies are rejected before a parser or a schema recurses into them. */
const maxDepth = 32

/**
 * Rejects `__proto__`, which JSON.parse makes an own property: spreading or merging it later would reach a prototype. Replaces unpaired
 * surrogates, which JSON allows but the table and models reject; in names they are an error.
 */
function sanitizeJsonValue(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new BadRequest(sayPlatform('bad_request.field_forbidden', { field: key }))
  if (!key.isWellFormed()) throw new BadRequest(sayPlatform('bad_request.field_not_unicode'))
  return typeof value === 'string' ? value.toWellFormed() : value
}

function decode(body: string, isBase64Encoded: boolean): string {
  if (!isBase64Encoded) return body
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'base64'))
  } catch (error) {
    throw new BadRequest(sayPlatform('bad_request.not_utf8'), { cause: error })
  }
}

/**
 * Parses the JSON of a request's body.
 * @param body as API Gateway sends it; null or empty gives undefined
 * @param maxBytes larger bodies are rejected before they are parsed
 * @throws BodyTooLarge, BadRequest
 */
export function parseJsonBody(
  body: string | null,
  { isBase64Encoded, maxBytes }: { isBase64Encoded: boolean; maxBytes: number },
): unknown {
  if (!body) return undefined
  // base64 is a third longer than its bytes
  if (Buffer.byteLength(body) > (isBase64Encoded ? Math.ceil(maxBytes / 3) * 4 + 4 : maxBytes))
    throw new BodyTooLarge(`over ${maxBytes} bytes`)
  const text = decode(body, isBase64Encoded)
  if (isDeeperThan(maxDepth, text)) throw new BadRequest(sayPlatform('bad_request.too_deep'))
  try {
    return JSON.parse(text, sanitizeJsonValue) as unknown
  } catch (error) {
    if (error instanceof BadRequest) throw error
    throw new BadRequest(sayPlatform('bad_request.not_json'), { cause: error })
  }
}

/**
 * The bytes of a body that is no JSON.
 * @throws BodyTooLarge, BadRequest
 */
export function readFileBody(
  { body, isBase64Encoded }: { body: string | null; isBase64Encoded: boolean },
  maxBytes: number,
): Buffer {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.length > maxBytes) throw new BodyTooLarge(`over ${maxBytes} bytes`)
  if (bytes.length === 0) throw new BadRequest(sayPlatform('bad_request.no_body'))
  return bytes
}
