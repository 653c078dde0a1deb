/** Keywords of a statement that begin a line. */
const clause =
  /^(?:select|from|where|group by|having|order by|limit|union(?: all)?|intersect|except|(?:(?:left|right|full|inner|cross|natural)(?: outer)? )?join)\b/i
/** Longer than the keywords of any clause. */
const maxClauseCharacters = 30
/** Before a `from` that compares and begins no clause. */
const distinctFrom = /\bis(?: not)? distinct$/i

/** What ends a literal or a quoted name, by what begins it. */
const closers: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['[', ']'],
])

/** Where a literal, a quoted name or a comment ends that begins at an offset; undefined if none begins there. */
function findQuotedEnd(sql: string, start: number): number | undefined {
  if (sql.startsWith('--', start)) return sql.length
  const closer = sql.startsWith('/*', start) ? '*/' : closers.get(sql[start] ?? '')
  if (closer === undefined) return undefined
  const end = sql.indexOf(closer, start + closer.length)
  return end < 0 ? sql.length : end + closer.length
}

/** The keywords of the clause that begins at an offset; undefined if none does. */
const findClause = (sql: string, start: number): string | undefined =>
  clause.exec(sql.slice(start, start + maxClauseCharacters))?.[0]

/**
 * Writes each clause of a statement on a line of its own. Literals, quoted names, comments and what is in parentheses stay as they are. So does
 * a statement that has several lines.
 */
export function formatSql(sql: string): string {
  const text = sql.trim()
  if (text.includes('\n')) return text
  let formatted = ''
  let depth = 0
  for (let offset = 0; offset < text.length;) {
    const quotedEnd = findQuotedEnd(text, offset)
    if (quotedEnd !== undefined) {
      formatted += text.slice(offset, quotedEnd)
      offset = quotedEnd
      continue
    }
    const character = text[offset] ?? ''
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    const canBreak = /\s/.test(character) && depth === 0
    const words =
      canBreak && !distinctFrom.test(formatted.slice(-maxClauseCharacters))
        ? findClause(text, offset + 1)
        : undefined
    formatted = words === undefined ? formatted + character : `${formatted.trimEnd()}\n${words}`
    offset += 1 + (words?.length ?? 0)
  }
  return formatted
}
