import { expect, it } from 'vitest'
import { toTimeMs } from './read-values.ts'

it.each<[unknown, number | undefined]>([
  ['2024-03-01T12:00:00.000Z', 1_709_294_400_000],
  [1_709_294_400, 1_709_294_400_000],
  [1_709_294_400.5, 1_709_294_400_500],
  [1_709_294_400_000, 1_709_294_400_000],
  ['', undefined],
  ['soon', undefined],
  ['2999-01-01', undefined],
  ['1969-12-31', undefined],
  [0, undefined],
  [-1, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [null, undefined],
  [undefined, undefined],
  [true, undefined],
  [[1_709_294_400], undefined],
  [{}, undefined],
])('the time %j is %j', (value, timeMs) => {
  expect(toTimeMs(value)).toBe(timeMs)
})
