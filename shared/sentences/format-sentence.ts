import type { Params } from './sentence.ts'

type Value = Params[string]

/** How long to wait, for a sentence: 7 seconds, 3 minutes, 2 hours, rounded up. */
function splitDuration(seconds: number): { count: number; unit: 'second' | 'minute' | 'hour' } {
  if (seconds < 120) return { count: Math.ceil(seconds), unit: 'second' }
  return seconds < 7_200
    ? { count: Math.ceil(seconds / 60), unit: 'minute' }
    : { count: Math.ceil(seconds / 3_600), unit: 'hour' }
}

const numberFormats: Readonly<Record<string, (value: number, locale: string) => string>> = {
  number: (value, locale) => value.toLocaleString(locale),
  decimal: (value, locale) =>
    value.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  usd: (value, locale) => value.toLocaleString(locale, { style: 'currency', currency: 'USD' }),
  /** seconds: '5 minutes' */
  duration: (value, locale) => {
    const { count, unit } = splitDuration(value)
    return count.toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'long' })
  },
  /** seconds: 'in 5 minutes' */
  wait: (value, locale) => {
    const { count, unit } = splitDuration(value)
    return new Intl.RelativeTimeFormat(locale).format(count, unit)
  },
}

/**
 * Fills a template in: `{name}`, `{count, number}` and the other formats of numbers, `{names, list}`, `{date, day}` (ISO 8601, in UTC),
 * `{said, quote}` (words of others, or nothing), `{label, name}` (one or several names, which the page may translate), and ICU's `{count,
 * plural, one {# page} other {# pages}}`. Braces and `#` in values are theirs.
 * @throws RangeError with the template when a parameter is missing or no number
 * @param find the template of a sentence in a value, by its id; undefined: its English text is taken
 */
export function formatSentence(
  template: string,
  params: Params,
  locale: string,
  find: (id: string) => string | undefined,
): string {
  let position = 0
  const readUntil = (pattern: RegExp) => {
    pattern.lastIndex = position
    const end = pattern.exec(template)?.index ?? template.length
    const text = template.slice(position, end)
    position = end
    return text.trim()
  }

  const formatValue = (value: Value): string => {
    if (value === undefined) throw new RangeError(template)
    if (typeof value !== 'object') return String(value)
    if ('code' in value) {
      const nested = find(toSentenceId(value))
      return nested === undefined ? value.text : formatSentence(nested, value.params ?? {}, locale, find)
    }
    return new Intl.ListFormat(locale === 'en' ? 'en-GB' : locale).format(value.map(formatValue))
  }

  function formatName(value: Value): string {
    if (typeof value === 'string') return find(toNameId(value)) ?? value
    return formatValue(Array.isArray(value) ? (value as Value[]).map(formatName) : value)
  }

  function readPlural(count: number): string {
    const forms: Record<string, string> = {}
    position += 1
    for (let form = readUntil(/[{}]/g); template[position] === '{'; form = readUntil(/[{}]/g)) {
      position += 1
      forms[form] = readText(count)
      position += 1
    }
    return forms[new Intl.PluralRules(locale).select(count)] ?? forms['other'] ?? ''
  }

  function readPlaceholder(): string {
    const name = readUntil(/[,}]/g)
    const value = params[name]
    if (template[position] === '}') return formatValue(value)
    position += 1
    const kind = readUntil(/[,}]/g)
    if (kind === 'plural') {
      if (typeof value !== 'number') throw new RangeError(template)
      return readPlural(value)
    }
    if (kind === 'quote')
      return value === undefined || value === ''
        ? ''
        : ` ${formatSentence(find(quoteId) ?? '{said}', { said: value }, locale, find)}`
    if (kind === 'name') return formatName(value)
    if (kind === 'day')
      return new Date(formatValue(value)).toLocaleDateString(locale, {
        day: 'numeric',
        month: 'long',
        timeZone: 'UTC',
      })
    return typeof value === 'number'
      ? (numberFormats[kind]?.(value, locale) ?? String(value))
      : formatValue(value)
  }

  function readText(count?: number): string {
    let text = ''
    for (; position < template.length && template[position] !== '}'; position += 1) {
      const character = template[position]
      if (character === '{') {
        position += 1
        text += readPlaceholder()
      } else text += character === '#' && count !== undefined ? count.toLocaleString(locale) : character
    }
    return text
  }

  return readText()
}

/** Of the sentence for `{said, quote}`, which every caller's `find` knows. */
export const quoteId = 'it_said'

/** Of a name, as `{label, name}` looks it up. */
export const toNameId = (name: string): string => `name ${name}`

/** Of a sentence in its table. */
export const toSentenceId = ({ code, params }: { code: string; params?: Params | undefined }): string =>
  typeof params?.['reason'] === 'string' ? `${code}.${params['reason']}` : code
