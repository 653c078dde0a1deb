import { chartColours } from './chart-theme.ts'

/** Colours of a specification that mean the text and the page. */
const inkNames = new Set([
  'black',
  '#000',
  '#000000',
  '#111',
  '#111111',
  '#222',
  '#222222',
  '#333',
  '#333333',
])
const surfaceNames = new Set(['white', '#fff', '#ffffff'])

const colourKeys = /^(?:color|fill|stroke|value|range|line|point)$/

/**
 * A copy in the colours of a theme: `accent` and `muted` by name, and black and white, which would not be seen in the other theme.
 * @param key under which the value stands
 */
export function themeColours(value: unknown, isDark: boolean, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => themeColours(one, isDark, key))
  if (typeof value === 'string') return colourKeys.test(key) ? themeColour(value, isDark) : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'values' ? inner : themeColours(inner, isDark, name),
    ]),
  )
}

function themeColour(value: string, isDark: boolean): string {
  const colours = chartColours(isDark)
  const name = value.toLowerCase()
  if (name === 'accent') return colours.accent
  if (name === 'muted') return colours['line-control']
  if (inkNames.has(name)) return colours.ink
  return surfaceNames.has(name) ? colours.surface : value
}
