import { isWord, listTokens, type Token } from './statement-tokens.ts'

// What SQLite calculates wrongly with texts without a word: 2026-03-31 - 2026-03-01 is 0, their sum 4052, and the sum of '$1,200' 0.

const sums = /^(?:sum|total|avg|median|percentile|std(?:dev|ev)\w*|var(?:iance|_\w+))$/i
const unknownForms = /^'(?:[^%]|%[defgjklmpsuwFGHIJMPRSTUVWY%])*%([^defgjklmpsuwFGHIJMPRSTUVWY%'])/

const dateFunctions = /^(?:date|datetime|time|date_trunc)$/

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
  return /^[-+*/]$/.test(before) || /^[+*/]$/.test(after) || (after === '-' && next !== '>')
}

function toName(token: Token | undefined): string | undefined {
  const text = token?.text ?? ''
  if (isWord(text)) return text.toLowerCase()
  return /^["`[]./.test(text) ? text.slice(1, -1).replaceAll('""', '"').toLowerCase() : undefined
}

const isDigit = (token: Token | undefined) => /^\d$/.test(token?.text ?? '')
const isSign = (token: Token | undefined, signs: RegExp) => signs.test(token?.text ?? '')

/** Whether these tokens are compared with a number by size; with `=`, SQLite compares a text with the number's digits. */
function isComparedWithNumber(tokens: readonly Token[], first: number, last: number): boolean {
  const startsNumber = (at: number) =>
    isDigit(tokens[at]) || (isSign(tokens[at], /^[-+]$/) && isDigit(tokens[at + 1]))
  if (isSign(tokens[last + 1], /^between$/i)) return startsNumber(last + 2)
  if (isSign(tokens[last + 1], /^[<>]$/))
    return startsNumber(isSign(tokens[last + 2], /^=$/) ? last + 3 : last + 2)
  const sign = isSign(tokens[first - 1], /^=$/) ? first - 2 : first - 1
  return isSign(tokens[sign], /^[<>]$/) && isDigit(tokens[sign - 1])
}

/** A column of texts that a statement calculates with; `problem` says what is wrong with a date or a format of dates. */
export type Misuse = { column: string } | { problem: string }

/** Finds a calculation with a text as if it were a number, and a format of dates for which SQLite gives NULL. */
export function findMisuse(sql: string, types: ReadonlyMap<string, string>): Misuse | undefined {
  const tokens = listTokens(sql)
  // a name that the statement gives may be that of a number
  const given = new Set(
    tokens.flatMap((token, at) => (/^(?:as|\))$/i.test(tokens[at - 1]?.text ?? '') ? [toName(token)] : [])),
  )
  for (const [at, token] of tokens.entries()) {
    const text = (offset: number) => tokens[at + offset]?.text ?? ''
    const [, form] = (/^strftime$/i.test(text(-2)) && text(-1) === '(' && unknownForms.exec(token.text)) || []
    if (form !== undefined)
      return {
        problem: `strftime of SQLite has no %${form}: it has %Y %m %d %H %M %S %j %w (0 is Sunday), %V (week). Write CASE strftime('%m', d) WHEN '01' THEN 'January' … END for names.`,
      }
    const name = toName(token)
    if (name === undefined) continue
    const isCall = text(1) === '('
    const type = isCall || given.has(name) ? undefined : types.get(name)
    const isText = type === 'text'
    if (!isText && type !== 'date' && !(isCall && dateFunctions.test(name))) continue
    // t1.ordered
    const first = text(-1) === '.' ? at - 2 : at
    const last = isCall ? findEnd(tokens, at + 1) : at
    const opening = isSign(tokens[first - 1], /^distinct$/i) ? first - 2 : first - 1
    const isArgument = tokens[opening]?.text === '(' && isSign(tokens[last + 1], /^[),]$/)
    const caller = isArgument ? (tokens[opening - 1]?.text ?? '') : ''
    const isWrong =
      isOperand(tokens, first, last) ||
      sums.test(caller) ||
      (isText &&
        (/^(?:abs|round|ceil|ceiling|floor|sqrt)$/i.test(caller) ||
          isComparedWithNumber(tokens, first, last))) ||
      (!isText && /^(?:min|max)$/i.test(caller) && isOperand(tokens, opening - 1, last + 1))
    if (!isWrong) continue
    if (isText) return { column: name }
    return {
      problem: `${name}${isCall ? '(…)' : ''} is a date or a time, which is a text in SQLite: julianday(x) counts its days, date(x, '+1 day') is another date, 24 * (julianday(x) - julianday('00:00')) are the hours of a time.`,
    }
  }
  return undefined
}
