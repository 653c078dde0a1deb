import { isWord, listTokens, type Token } from './statement-tokens.ts'

// What SQLite calculates wrongly with dates, which are texts, without a word: 2026-03-31 - 2026-03-01 is 0, and their sum 4052.

const sums = /^(?:sum|total|avg|median|percentile|std(?:dev|ev)\w*|var(?:iance|_\w+))$/i
const unknownForms = /^'(?:[^%]|%[defgjklmpsuwFGHIJMPRSTUVWY%])*%([^defgjklmpsuwFGHIJMPRSTUVWY%'])/

/** The name of a table or column; undefined for anything else. */
function toName(token: Token | undefined): string | undefined {
  const text = token?.text ?? ''
  if (isWord(text)) return text.toLowerCase()
  return /^["`[]./.test(text) ? text.slice(1, -1).replaceAll('""', '"').toLowerCase() : undefined
}

/**
 * Finds a calculation with a date as if it were a number, and a format of dates that SQLite does not have, for which it gives NULL.
 * @param dates lower-case names of columns of dates and times
 * @returns a sentence for the writer of the statement
 */
export function findWrongDates(sql: string, dates: ReadonlySet<string>): string | undefined {
  const tokens = listTokens(sql)
  // a name that the statement gives may be that of a number
  const given = new Set(
    tokens.flatMap((token, at) => (/^(?:as|\))$/i.test(tokens[at - 1]?.text ?? '') ? [toName(token)] : [])),
  )
  for (const [at, token] of tokens.entries()) {
    const text = (offset: number) => tokens[at + offset]?.text ?? ''
    const [, form] = (/^strftime$/i.test(text(-2)) && text(-1) === '(' && unknownForms.exec(token.text)) || []
    if (form !== undefined)
      return `strftime of SQLite has no %${form}: it has %Y %m %d %H %M %S %j %w (0 is Sunday), %V (week). Write CASE strftime('%m', d) WHEN '01' THEN 'January' … END for names.`
    const name = toName(token)
    if (name === undefined || !dates.has(name) || given.has(name) || text(1) === '(') continue
    // t1.ordered
    const before = text(-1) === '.' ? -2 : 0
    const isOperand =
      /^[+*/]$/.test(text(1)) ||
      (text(1) === '-' && text(2) !== '>') ||
      /^[-+/]$/.test(text(before - 1)) ||
      (text(before - 1) === '(' && sums.test(text(before - 2)) && text(1) === ')')
    if (isOperand)
      return `${name} is a date or a time, which is a text in SQLite: julianday(${name}) counts days, date(${name}, '+1 day') is another date, 24 * (julianday(${name}) - julianday('00:00')) are the hours of a time.`
  }
  return undefined
}
