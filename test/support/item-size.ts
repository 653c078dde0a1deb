import type { AttributeValue, Item } from '../../infra/local/emulators/dynalite.ts'

const bytesPerWriteUnit = 1024

/**
 * Write units that DynamoDB charges for one standard write: one for each started KB of the larger of the old and the new item,
 * at least one. A failed condition and the deletion of a missing item are charged, too.
 * @see the developer guide, "DynamoDB read and write operations" and "DynamoDB item sizes and formats"
 */
export function writeUnits(oldItem: Item | undefined, newItem: Item | undefined): number {
  const bytes = Math.max(oldItem ? itemBytes(oldItem) : 0, newItem ? itemBytes(newItem) : 0)
  return Math.max(1, Math.ceil(bytes / bytesPerWriteUnit))
}

/**
 * The charge for a read that finds nothing: one unit when it is strongly consistent, otherwise half a unit.
 * @see the developer guide, "DynamoDB read and write operations"
 */
export const getMinReadUnits = (consistent: boolean) => (consistent ? 1 : 0.5)

/** Size of an item in bytes as DynamoDB bills it: names and values. */
export function itemBytes(item: Item): number {
  return sum(Object.entries(item), ([name, value]) => utf8(name) + valueBytes(value))
}

function valueBytes(value: AttributeValue): number {
  if ('S' in value) return utf8(value.S)
  if ('N' in value) return numberBytes(value.N)
  if ('B' in value) return base64Bytes(value.B)
  if ('SS' in value) return sum(value.SS, utf8)
  if ('NS' in value) return sum(value.NS, numberBytes)
  if ('BS' in value) return sum(value.BS, base64Bytes)
  if ('L' in value) return 3 + sum(value.L, (element) => 1 + valueBytes(element))
  if ('M' in value) return 3 + Object.keys(value.M).length + itemBytes(value.M)
  return 1
}

/** One byte for each two significant digits, one more, and one for a minus. */
function numberBytes(number: string): number {
  const [mantissa = ''] = number.toLowerCase().split('e')
  const digits = mantissa.replace(/[^0-9]/g, '').replace(/^0+|0+$/g, '')
  return Math.ceil(digits.length / 2) + 1 + (number.startsWith('-') ? 1 : 0)
}

const utf8 = (text: string) => Buffer.byteLength(text)
const base64Bytes = (text: string) => Buffer.byteLength(text, 'base64')
const sum = <T>(values: T[], size: (value: T) => number) => values.reduce((total, v) => total + size(v), 0)
