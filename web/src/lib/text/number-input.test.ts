import { beforeAll, expect, it, vi } from 'vitest'

/** The module in a browser with a locale. */
async function load(tag: string): Promise<typeof import('./number-input.ts')> {
  vi.resetModules()
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([tag])
  document.documentElement.lang = tag.split('-')[0] ?? ''
  return import('./number-input.ts')
}
let english: Awaited<ReturnType<typeof load>>
let german: Awaited<ReturnType<typeof load>>
beforeAll(async () => {
  english = await load('en-US')
  german = await load('de-DE')
  return () => {
    document.documentElement.lang = 'en'
    vi.resetModules()
  }
})

it.each([
  ['', undefined, undefined],
  ['  ', undefined, undefined],
  ['0', 0, 0],
  ['50000', 50_000, 50_000],
  ['50,000', 50_000, Number.NaN],
  ['50.000', Number.NaN, 50_000],
  ['1.000.000', Number.NaN, 1_000_000],
  ['1 000 000', 1_000_000, 1_000_000],
  ['1\u202f000', 1_000, 1_000],
  ['1’000', 1_000, 1_000],
  ['٥٠٠٠٠', 50_000, 50_000],
  ['۱٬۰۰۰', 1_000, 1_000],
  ['５００', 500, 500],
  ['1.000,000', Number.NaN, Number.NaN],
  ['1,000.000', Number.NaN, Number.NaN],
  ['1.00', Number.NaN, Number.NaN],
  ['2.5', Number.NaN, Number.NaN],
  ['5,00', Number.NaN, Number.NaN],
  ['-1', Number.NaN, Number.NaN],
  ['1e9', Number.NaN, Number.NaN],
  ['many', Number.NaN, Number.NaN],
])('reads %j as the whole number %j in English, and as %j in German', (text, inEnglish, inGerman) => {
  expect([english.parseNumberInput(text), german.parseNumberInput(text)]).toEqual([inEnglish, inGerman])
})

it.each([
  ['2.50', 2.5, 2.5],
  ['٢٫٥', 2.5, 2.5],
  ['2,5', Number.NaN, 2.5],
  ['1,234.5', 1234.5, Number.NaN],
  ['1.234,5', Number.NaN, 1234.5],
  ['1 234,5', Number.NaN, 1234.5],
  // a thousand and more, or one and a quarter
  ['1.250', 1.25, Number.NaN],
  ['1,250', 1250, 1.25],
  ['1.250.000', Number.NaN, 1_250_000],
  ['0.125', 0.125, 0.125],
  ['0,125', Number.NaN, 0.125],
  ['.5', Number.NaN, Number.NaN],
])('reads %j as the amount %j in English, and as %j in German', (text, inEnglish, inGerman) => {
  const parse = ({ parseNumberInput }: typeof english) => parseNumberInput(text, { hasDecimals: true })
  expect([parse(english), parse(german)]).toEqual([inEnglish, inGerman])
})

it.each([0, 1e-7, 0.125, 1.25, 1.125, 1234.5, 1e9, 1_234_567.125, 123_456_789_012.7, 1e12])(
  'shows %j as it is read again',
  (value) => {
    for (const { formatNumberInput, parseNumberInput } of [english, german])
      expect(parseNumberInput(formatNumberInput(value), { hasDecimals: true })).toBe(value)
  },
)
