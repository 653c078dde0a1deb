import type { LocaleFormatters, NumberLocale } from 'vega'

/** What the library exports without types. */
declare module 'vega' {
  export function locale(
    number: NumberLocale,
    time: Readonly<Record<string, string | string[]>>,
  ): LocaleFormatters
  /** How values of data are read, by the name of their type. */
  export const typeParsers: Record<string, (value: unknown) => unknown>
}
