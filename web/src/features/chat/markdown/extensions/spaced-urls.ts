/** An address names its scheme, so that `list[0](a, b)` stays what it is. */
const scheme = /^[a-z][a-z\d+.-]{1,20}:/i
const maxAddressCharacters = 2_000

/**
 * Extension: a link's address may have blanks. CommonMark wants `<…>` around such an address, which models forget.
 * @param from after `](`
 * @returns the end of the address, before its `)`; undefined for an address that CommonMark reads itself, and for what is no address
 */
export function findSpacedUrl(source: string, from: number): number | undefined {
  if (!scheme.test(source.slice(from, from + 24))) return undefined
  let depth = 0
  let firstBlank: number | undefined
  const limit = Math.min(source.length, from + maxAddressCharacters)
  for (let at = from; at < limit; at += 1) {
    const character = source[at]
    if (character === '\n' || character === '<' || character === '`' || character === '\\') return undefined
    if (character === ' ' || character === '\t') firstBlank ??= at
    if (character === '(') depth += 1
    if (character !== ')') continue
    if (depth > 0) {
      depth -= 1
      continue
    }
    if (firstBlank === undefined) return undefined
    const rest = source.slice(firstBlank, at).trim()
    // a title, or blanks at the end
    return rest === '' || /^(?:"[^"]*"|'[^']*'|\([^()]*\))$/.test(rest) ? undefined : at
  }
  return undefined
}

/** Whether the text ends within the address of a link. */
export function isUnclosedUrl(address: string): boolean {
  if (/\s/.test(address) && !scheme.test(address)) return false
  let depth = 0
  for (const character of address) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) return false
  }
  return true
}
