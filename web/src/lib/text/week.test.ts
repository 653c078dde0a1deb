import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

/** The first day of the week in a browser of a region. */
async function findFirstDay(region: string) {
  vi.resetModules()
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([`en-${region}`])
  const { listWeekdays } = await import('./week.ts')
  const days = listWeekdays()
  expect(new Set(days).size).toBe(7)
  return days[0]
}

it.each([
  ['DE', 'mo'],
  ['AE', 'mo'],
  ['IS', 'su'],
  ['US', 'su'],
  ['EG', 'sa'],
  ['MV', 'fr'],
])('the week of %s begins on %s, also in a browser that does not say so', async (region, day) => {
  expect(await findFirstDay(region)).toBe(day)
  const prototype = Intl.Locale.prototype as Intl.Locale & { getWeekInfo: () => object; weekInfo?: object }
  vi.spyOn(prototype, 'getWeekInfo').mockReturnValue({})
  vi.spyOn(prototype, 'weekInfo', 'get').mockReturnValue({})
  expect(await findFirstDay(region)).toBe(day)
})
