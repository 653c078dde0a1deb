import { expect, it } from 'vitest'
import type { AttributeValue } from '../../infra/local/emulators/dynalite.ts'
import { itemBytes, writeUnits } from '../support/item-size.ts'

it.each<[AttributeValue, number]>([
  [{ S: 'abc' }, 3],
  [{ S: 'ä€' }, 5],
  [{ N: '0' }, 1],
  [{ N: '1234' }, 3],
  [{ N: '-1234' }, 4],
  [{ N: '1200000' }, 2],
  [{ N: '0.05' }, 2],
  [{ B: 'AAEC' }, 3],
  [{ BOOL: false }, 1],
  [{ NULL: true }, 1],
  [{ SS: ['ab', 'c'] }, 3],
  [{ NS: ['1', '22'] }, 4],
  [{ L: [] }, 3],
  [{ L: [{ S: 'ab' }, { BOOL: true }] }, 3 + 2 + 2 + 1],
  [{ M: { ab: { S: 'c' } } }, 3 + 1 + 2 + 1],
])('counts names and values in bytes: %j', (value, bytes) => {
  expect(itemBytes({ name: value })).toBe(4 + bytes)
})

it('charges by started KB of the larger item, at least one unit', () => {
  const item = (bytes: number) => ({ text: { S: 'x'.repeat(bytes - 4) } })
  expect(writeUnits(undefined, undefined)).toBe(1)
  expect(writeUnits(undefined, item(1_024))).toBe(1)
  expect(writeUnits(undefined, item(1_025))).toBe(2)
  expect(writeUnits(item(3_073), item(10))).toBe(4)
  expect(writeUnits(item(10), item(3_072))).toBe(3)
})
