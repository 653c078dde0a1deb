import { isWord, listTokens, type Token } from './statement-tokens.ts'

// What SQLite calculates wrongly with dates, which are texts, without a word: 2026-03-31 - 2026-03-01 is 0, and their sum 4052.

const sums = /^(?:sum|total|avg|median|percentile|std(?:dev|ev)\w*|var(?:iance|_\w+))$/i
const unknownForms = /^'(?:[^%]|%[defgjklmpsuwFGHIJMPRSTUVWY%])*%([^defgjklmpsuwFGHIJMPRSTUVWY%'])/

/** Functions whose results are texts. */
const dateFunctions = /^(?:date|datetime|time|date_trunc)$/

/** Where the parentheses that begin at a token end. */
function findEnd(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at += 1) {
    if (tokens[at]?.text === '(') depth += 1
    else if (tokens[at]?.text === ')') depth -= 1
    if (depth === 0) return at
  }
  return tokens.length
}

/** Whether an operator for numbers stands beside these tokens; `->` reads JSON. */
function isOperand(tokens: readonly Token[], first: number, last: number): boolean {
  const [before = '', after = '', next = ''] = [first - 1, last + 1, last + 2].map((at) => tokens[at]?.text)
  return /^[-+/]$/.test(before) || /^[+*/]$/.test(after) || (after === '-' && next !== '>')
}

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
    if (name === undefined) continue
    const isDate = text(1) !== '(' && dates.has(name) && !given.has(name)
    if (!isDate && !(text(1) === '(' && dateFunctions.test(name))) continue
    // t1.ordered
    const first = text(-1) === '.' ? at - 2 : at
    const last = isDate ? at : findEnd(tokens, at + 1)
    const [open, close] = [tokens[first - 1]?.text, tokens[last + 1]?.text]
    const caller = open === '(' && close === ')' ? (tokens[first - 2]?.text ?? '') : ''
    const isWrong =
      isOperand(tokens, first, last) ||
      sums.test(caller) ||
      (/^(?:min|max)$/i.test(caller) && isOperand(tokens, first - 2, last + 1))
    if (isWrong)
      return `${name}${isDate ? '' : '(…)'} is a date or a time, which is a text in SQLite: julianday(x) counts its days, date(x, '+1 day') is another date, 24 * (julianday(x) - julianday('00:00')) are the hours of a time.`
  }
  return undefined
}
