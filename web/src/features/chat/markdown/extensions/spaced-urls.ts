/** Only a URL with a scheme counts, so that `list[0](a, b)` is no link. */
const scheme = /^[a-z][a-z\d+.-]{1,20}:/i
/** Longer than any scheme. */
const maxSchemeCharacters = 24
/** No longer URL is looked for, so that the time grows with the text alone. */
const maxUrlCharacters = 2_000

/**
 * Extension: the URL of a link may have spaces. CommonMark wants `<…>` around such a URL, which models forget.
 * @param from the offset after `](`
 * @returns the offset of the `)` after the URL; undefined for a URL that CommonMark reads itself, and for text that is no URL
 */
export function findSpacedUrl(source: string, from: number): number | undefined {
  if (!scheme.test(source.slice(from, from + maxSchemeCharacters))) return undefined
  let depth = 0
  let firstSpace: number | undefined
  const limit = Math.min(source.length, from + maxUrlCharacters)
  for (let at = from; at < limit; at += 1) {
    const character = source[at]
    if (character === '\n' || character === '<' || character === '`' || character === '\\') return undefined
    if (character === ' ' || character === '\t') firstSpace ??= at
    if (character === '(') depth += 1
    if (character !== ')') continue
    if (depth > 0) {
      depth -= 1
      continue
    }
    if (firstSpace === undefined) return undefined
    const rest = source.slice(firstSpace, at).trim()
    // spaces at the end, or before a title, are allowed by CommonMark
    return rest === '' || /^(?:"[^"]*"|'[^']*'|\([^()]*\))$/.test(rest) ? undefined : at
  }
  return undefined
}

/** Whether a text after `](` ends inside the URL of a link. */
export function isUnclosedUrl(text: string): boolean {
  if (/\s/.test(text) && !scheme.test(text)) return false
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) return false
  }
  return true
}
