import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/** A row as DynamoDB has it. */
export type Item = Record<string, AttributeValue>

/** A row as JSON: bytes as base64. */
export const encodeItem = (item: Item): Record<string, unknown> => mapValues(item, encode)

function encode(value: AttributeValue): unknown {
  if (value.B) return { B: toBase64(value.B) }
  if (value.BS) return { BS: value.BS.map(toBase64) }
  if (value.M) return { M: mapValues(value.M, encode) }
  if (value.L) return { L: value.L.map(encode) }
  return value
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** The inverse of `encodeItem`. */
export const decodeItem = (encoded: Record<string, unknown>): Item =>
  mapValues(encoded, (value) => decode(value as Encoded))

/** A value whose bytes are base64. */
interface Encoded {
  B?: string
  BS?: string[]
  M?: Record<string, Encoded>
  L?: Encoded[]
}

function decode(value: Encoded): AttributeValue {
  if (value.B !== undefined) return { B: Buffer.from(value.B, 'base64') }
  if (value.BS) return { BS: value.BS.map((bytes) => Buffer.from(bytes, 'base64')) }
  if (value.M) return { M: mapValues(value.M, decode) }
  if (value.L) return { L: value.L.map(decode) }
  return value as AttributeValue
}

/** The row with each text replaced, also in sets, maps and lists, and as names in maps. */
export const replaceTexts = (item: Item, replace: (text: string) => string): Item =>
  mapValues(item, (value) => replaceIn(value, replace))

function replaceIn(value: AttributeValue, replace: (text: string) => string): AttributeValue {
  if (value.S !== undefined) return { S: replace(value.S) }
  if (value.SS) return { SS: value.SS.map(replace) }
  if (value.L) return { L: value.L.map((one) => replaceIn(one, replace)) }
  if (value.M)
    return {
      M: Object.fromEntries(
        Object.entries(value.M).map(([name, one]) => [replace(name), replaceIn(one, replace)]),
      ),
    }
  return value
}

const mapValues = <From, To>(object: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
