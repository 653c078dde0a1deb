import { afterEach, expect, it, vi } from 'vitest'
import { listWeekdays } from './week.ts'

afterEach(() => vi.restoreAllMocks())

const regions = [
  ['DE', 'mo'],
  ['AE', 'mo'],
  ['IS', 'su'],
  ['US', 'su'],
  ['EG', 'sa'],
  ['MV', 'fr'],
] as const

it.each(regions)('the week of %s begins on %s, also in a browser that does not say so', (region, first) => {
  expect(listWeekdays(`und-${region}`)[0]).toBe(first)
  const prototype = Intl.Locale.prototype as Intl.Locale & { getWeekInfo: () => object; weekInfo?: object }
  vi.spyOn(prototype, 'getWeekInfo').mockReturnValue({})
  vi.spyOn(prototype, 'weekInfo', 'get').mockReturnValue({})
  expect(listWeekdays(`und-${region}`)).toHaveLength(7)
  expect(listWeekdays(`und-${region}`)[0]).toBe(first)
})
