import { listTokens } from './statement-tokens.ts'

// What other databases write for dates, as SQLite has it. There a date is a text, and CAST(x AS DATE) would be the number of its year.

interface Span {
  start: number
  end: number
}
interface Edit extends Span {
  text: string
}
interface Parenthesis {
  cast: Span | undefined
  as: Span | undefined
}

const types: readonly (readonly [written: RegExp, convert: string])[] = [
  [/^date$/i, 'date'],
  [/^(?:small)?datetime2?\b|^timestamp/i, 'datetime'],
  [/^time\b/i, 'time'],
]
const isTypeOfDates = (word: string) => /^(?:date|datetime|timestamp|time)$/i.test(word)
const isDateText = (text: string) => /^'(?:\d{4}-\d\d|\d\d:\d\d)/.test(text)

function adaptCast(sql: string, { cast, as }: Parenthesis, end: number): Edit[] {
  if (!cast || !as) return []
  const type = sql.slice(as.end, end).trim()
  const convert = types.find(([written]) => written.test(type))?.[1]
  if (convert !== undefined)
    return [
      { start: cast.start, end: cast.end, text: convert },
      { start: as.start, end, text: '' },
    ]
  return [
    { start: cast.start, end: cast.end, text: 'CAST' },
    ...(/^string$/i.test(type) ? [{ start: as.end, end, text: ' TEXT' }] : []),
  ]
}

/** Writes casts to dates and times as functions, `DATE '2026-03-31'` as the text, and the casts of other databases as CAST. */
export function adaptStatement(sql: string): string {
  const edits: Edit[] = []
  const open: Parenthesis[] = []
  const tokens = listTokens(sql)
  for (const [at, token] of tokens.entries()) {
    const { text, start, end } = token
    const before = tokens[at - 1]
    const top = open.at(-1)
    if (text === '(')
      open.push({
        cast: before && /^(?:try_|safe_)?cast$/i.test(before.text) ? before : undefined,
        as: undefined,
      })
    else if (text === ')')
      edits.push(...adaptCast(sql, open.pop() ?? { cast: undefined, as: undefined }, start))
    else if (top && /^as$/i.test(text)) top.as = { start, end }
    else if (before && isTypeOfDates(before.text) && isDateText(text))
      edits.push({ start: before.start, end: before.end, text: '' })
  }
  let adapted = ''
  let at = 0
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    adapted += sql.slice(at, start) + text
    at = end
  }
  return adapted + sql.slice(at)
}
